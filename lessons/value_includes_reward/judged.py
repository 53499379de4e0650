"""What learners conclude once they know that V holds the coming reward: which is larger, what V needs, sum or mean."""

from __future__ import annotations

from fractions import Fraction

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import gae, one_token
from lessons._fact import Check, Judged, holds
from lessons._row import row
from lessons.value_includes_reward.parts import HALF, REWARDS, settled


def _larger_than_the_next(_: Scenario) -> Judged:
    """A reward on the way, and a cost on the way."""
    paid, cost = (settled([Fraction(r), Fraction(1)]) for r in (Fraction(1, 5), Fraction(-1, 5)))
    above, below = paid[0] > paid[1], cost[0] < cost[1]
    return Judged("depends" if above and below else holds(above), {"paid": paid, "cost": cost})


def _difference_is_the_reward(_: Scenario) -> Judged:
    values = settled(REWARDS, HALF)
    left = [v - HALF * after for v, after in zip(values, [*values[1:], Fraction(0)], strict=True)]
    return Judged(holds(left == REWARDS), {"left": left, "rewards": REWARDS, "gamma": HALF})


def _needs_the_reward(_: Scenario) -> Judged:
    """The critic's outputs of one text, whatever is paid for it."""
    other = gae(scores=[5.0] * RUNNING.length)
    return Judged(holds(other["values"] != gae()["values"]), {"v": other["values"][0], "before": gae()["values"][0]})


def _return_is_the_mean(_: Scenario) -> Judged:
    """Which of the two takes several numbers at one state."""
    world = one_token()
    drawn, value = list(world["earned"]), world["value"]
    return Judged(holds(all(g == value for g in drawn)), {"returns": drawn, "value": value})


def _average_of_the_rewards(_: Scenario) -> Judged:
    total = settled(REWARDS)[0]
    mean = sum(REWARDS, Fraction(0)) / len(REWARDS)
    return Judged(holds(total == mean), {"value": total, "mean": mean, "rewards": REWARDS})


def _only_at_lambda_one(_: Scenario) -> Judged:
    """Exact values, and what r + γV makes of them whichever λ the estimator has."""
    values = settled(REWARDS, HALF)
    errors = [row(REWARDS, values, gamma=str(float(HALF)), lam=lam)["deltas"] for lam in ("0", "0.5", "1")]
    return Judged(holds(not any(errors[2]) and any(errors[0])), {"deltas": errors[0], "one": errors[2]})


JUDGED: dict[str, Check] = {
    "own_value_is_larger_than_the_next": _larger_than_the_next,
    "value_less_discounted_next_is_the_reward": _difference_is_the_reward,
    "critic_needs_the_reward_as_an_input": _needs_the_reward,
    "return_holds_the_mean_reward_and_value_the_drawn": _return_is_the_mean,
    "value_is_the_average_of_later_rewards": _average_of_the_rewards,
    "bellman_equation_needs_lambda_one": _only_at_lambda_one,
}
