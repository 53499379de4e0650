"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._proposition import Check, Judged, holds


def _middle_rewards_are_zero(_: Scenario) -> Judged:
    return Judged(
        "depends",
        {"beta": RUNNING.beta, "with_kl": gae()["rewards"][1], "without": gae(beta=0.0)["rewards"][1]},
    )


def _without_kl_only_the_last_reward_is_left(_: Scenario) -> Judged:
    rewards = gae(beta=0.0)["rewards"]
    return Judged(holds(not any(rewards[:-1])), {"middle": rewards[1], "last": rewards[-1]})


def _every_list_has_one_number_a_token(_: Scenario) -> Judged:
    found = exact("pipeline")
    names = ("kl", "rewards", "values", "deltas", "advantages", "returns", "whitened")
    return Judged(
        holds({len(found[name]) for name in names} == {RUNNING.length}),
        {"count": RUNNING.length, "lists": len(names)},
    )


CHECKS: dict[str, Check] = {
    "middle_rewards_are_zero": _middle_rewards_are_zero,
    "without_kl_only_the_last_reward_is_left": _without_kl_only_the_last_reward_is_left,
    "every_list_has_one_number_a_token": _every_list_has_one_number_a_token,
}
