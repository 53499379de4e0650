"""What learners read off a value curve, or out of it: the past, the likely, the sign of rewards, the advantages."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from engine.scenario import Scenario
from engine.world import Path, World
from lessons._proposition import Check, Judged, holds
from lessons._row import row
from lessons.value_shape.stated import COSTS, HALF, NONE, ONE, OUTCOME, TENTH, pass_or_fail, undiscounted


def _past_counts(_: Scenario) -> Judged:
    """Two beginnings, one paid and one not, before the same future."""
    rewards: dict[Path, Fraction] = {(0,): ONE, (1,): NONE, **{(a, b): HALF * b for a in range(2) for b in range(2)}}
    world = World((HALF, HALF), rewards, ONE)
    paid, unpaid = world.value((0,)), world.value((1,))
    return Judged(holds(paid != unpaid), {"paid": paid, "unpaid": unpaid, "earned": [rewards[(0,)], rewards[(1,)]]})


def _likelier_is_higher(_: Scenario) -> Judged:
    """V after the likelier first token and after the other, where the likelier one is the worse."""
    chance = Fraction(1, 4)
    world = pass_or_fail(chance)
    less, more = world.value((0,)), world.value((1,))
    return Judged(holds(more > less), {"p": [1 - chance, chance], "after": [more, less]})


def _all_are_lower(_: Scenario) -> Judged:
    charged, free = undiscounted(*COSTS, ONE - TENTH), undiscounted(NONE, NONE, NONE, ONE)
    return Judged(holds(all(a < b for a, b in zip(charged, free, strict=True))), {"charged": charged, "free": free})


def _is_the_mean_score(_: Scenario) -> Judged:
    """V at the start and after each first token, beside the mean score of the responses that begin so."""
    world = pass_or_fail()
    starts: tuple[Path, ...] = ((), (0,), (1,))
    values, means = [world.value(s) for s in starts], [world.expected(OUTCOME.__getitem__, given=s) for s in starts]
    return Judged(holds(values == means), {"v": values, "score": means})


def _level_means_nothing_to_learn(_: Scenario) -> Judged:
    """Level values, and a score that they did not foresee."""
    found = row((NONE, NONE, ONE), (HALF, HALF, HALF), lam=1)["advantages"]
    return Judged(holds(not any(found)), {"v": HALF, "a": found})


def _rise_means_gains(_: Scenario) -> Judged:
    rewards = (*COSTS, ONE)
    values = undiscounted(*rewards)
    rises = all(b > a for a, b in pairwise(values))
    return Judged(holds(not (rises and rewards[0] < 0)), {"v": values, "r": rewards[0]})


READ_OFF: dict[str, Check] = {
    "earlier_rewards_change_later_values": _past_counts,
    "likelier_tokens_lead_to_higher_values": _likelier_is_higher,
    "kl_costs_lower_all_values": _all_are_lower,
    "outcome_only_value_is_the_mean_score": _is_the_mean_score,
    "level_values_mean_zero_advantages": _level_means_nothing_to_learn,
    "rising_values_mean_positive_rewards": _rise_means_gains,
}
