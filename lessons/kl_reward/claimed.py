"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine import formulas
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact
from lessons._fact import Check, Judged, holds

UNLIKELY = (-1.0, -0.5)  # under the policy, under the reference


def _penalty_lowers_every_reward(_: Scenario) -> Judged:
    found = exact("kl_rewards")
    changes = [r - s for r, s in zip(found["rewards"], RUNNING.rows("scores")[0], strict=True)]
    return Judged(
        "depends",
        {"down": min(changes), "up": max(changes), "low": min(found["kl"]), "high": max(found["kl"])},
    )


def _less_likely_than_reference_is_punished(_: Scenario) -> Judged:
    logp, ref = UNLIKELY
    sample = formulas.k1(logp, ref)
    change = formulas.token_reward(0, sample, RUNNING.beta)
    return Judged(holds(change < 0), {"logp": logp, "ref": ref, "kl": sample, "change": change})


def _k2_is_never_negative(_: Scenario) -> Judged:
    found = exact("kl_estimators")
    return Judged(holds(min(found["k2"]) >= 0), {"lowest": min(found["k2"]), "k1": min(found["k1"])})


def _beta_zero_makes_rewards_zero(_: Scenario) -> Judged:
    found = exact("kl_rewards", beta=0.0)["rewards"]
    return Judged(holds(not any(found)), {"first": found[0], "last": found[-1]})


CHECKS: dict[str, Check] = {
    "penalty_lowers_every_reward": _penalty_lowers_every_reward,
    "less_likely_than_reference_is_punished": _less_likely_than_reference_is_punished,
    "k2_is_never_negative": _k2_is_never_negative,
    "beta_zero_makes_rewards_zero": _beta_zero_makes_rewards_zero,
}
