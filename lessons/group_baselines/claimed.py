"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine import formulas
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._compare import close
from lessons._proposition import Check, Judged, holds


def _rloo_baseline_contains_own_score(_: Scenario) -> Judged:
    scores = [1.0, 0.0, 0.0, 1.0]
    baseline = alone("rloo", group_rewards=scores)["baselines"][0]
    mean = formulas.mean(sum(scores), len(scores))
    return Judged(holds(close(baseline, mean)), {"scores": scores, "baseline": baseline, "mean": mean})


def _rloo_divides_by_std(_: Scenario) -> Judged:
    """Ten times the scores are ten times the RLOO advantages."""
    scores = [1.0, 0.0, 0.0, 1.0]
    once, tenfold = (alone("rloo", group_rewards=[k * s for s in scores])["advantages"][0] for k in (1, 10))
    return Judged(holds(close(once, tenfold)), {"once": once, "tenfold": tenfold, "factor": 10})


CHECKS: dict[str, Check] = {
    "rloo_baseline_contains_own_score": _rloo_baseline_contains_own_score,
    "rloo_divides_by_std": _rloo_divides_by_std,
}
