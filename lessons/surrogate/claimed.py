"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine import formulas
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds

LOWERED = (-0.5, -0.7)  # before, after


def _less_likely_means_above_one(_: Scenario) -> Judged:
    old, new = LOWERED
    ratio = formulas.ratio(new, old)
    return Judged(holds(float(ratio) > 1), {"old": old, "new": new, "ratio": ratio})


def _terms_are_advantages_at_first(_: Scenario) -> Judged:
    found = exact("surrogate", old_logp=RUNNING.logp, new_logp=RUNNING.logp)
    return Judged(
        holds(close(found["terms"], gae()["advantages"])),
        {"term": found["terms"][0], "advantage": gae()["advantages"][0]},
    )


def _ratio_is_exp_of_difference(_: Scenario) -> Judged:
    old, new = LOWERED
    right, swapped, difference = formulas.ratio(new, old), formulas.ratio(old, new), new - old
    shares = formulas.ratio(new, 0) / formulas.ratio(old, 0)
    return Judged(holds(close(right, shares)), {"right": right, "swapped": swapped, "difference": difference})


CHECKS: dict[str, Check] = {
    "less_likely_means_above_one": _less_likely_means_above_one,
    "terms_are_advantages_at_first": _terms_are_advantages_at_first,
    "ratio_is_exp_of_difference": _ratio_is_exp_of_difference,
}
