"""What learners read off a value curve, or out of it: the past, the likely, the sign of rewards, the advantages."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from engine.proofs.programs import mean
from engine.scenario import Scenario
from engine.world import Path, World, small
from lessons._fact import Check, Judged, holds
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


def _given(passed: Fraction) -> tuple[list[Fraction], list[list[Fraction]]]:
    """The mean values along the responses with this outcome, and the values along each of them."""
    world = pass_or_fail()
    rows = [
        [Fraction(v) for v in world.values_along(y)] for y, score in OUTCOME.items() if len(y) == 2 and score == passed
    ]
    return [Fraction(mean(list(column))) for column in zip(*rows, strict=True)], rows


def _right_ones_rise(_: Scenario) -> Judged:
    means, _rows = _given(ONE)
    return Judged(holds(means[1] > means[0]), {"v": means})


def _wrong_ones_fall(_: Scenario) -> Judged:
    means, _rows = _given(NONE)
    return Judged(holds(means[1] < means[0]), {"v": means})


def _right_ones_never_fall(_: Scenario) -> Judged:
    """The values along a response that passes in the end."""
    _means, rows = _given(ONE)
    falling = [values for values in rows if values[1] < values[0]]
    return Judged(holds(not falling), {"v": falling[0] if falling else rows[0]})


def _zero_after_the_end(_: Scenario) -> Judged:
    world = pass_or_fail()
    before, after = world.value((1,)), world.value((1, 0))
    return Judged(holds(after == 0), {"before": before, "after": after})


def _first_is_the_total(_: Scenario) -> Judged:
    """V_0 beside the mean total of all responses, in a world that pays on the way and at the end."""
    world = small(lambda _name, x: Fraction(str(x)))
    total = world.expected(lambda response: sum(world.rewards_along(response)))
    return Judged(holds(world.value(()) == total), {"v": world.value(()), "total": total})


def _starts_at_zero(_: Scenario) -> Judged:
    """V(prompt) in a small world, and along a response that earns something at its end only."""
    world = small(lambda _name, x: Fraction(str(x)))
    return Judged(holds(world.value(()) == 0), {"v": world.value(()), "late": undiscounted(NONE, NONE, ONE)})


def _rewards_shape_it(_: Scenario) -> Judged:
    gains, costs, level = undiscounted(TENTH, TENTH, TENTH), undiscounted(*COSTS), undiscounted(NONE, NONE, ONE)
    slopes = [v[-1] - v[0] for v in (gains, costs, level)]
    return Judged(holds(len(set(slopes)) == 3), {"gains": gains, "costs": costs, "level": level})


def _gains_first_largest(_: Scenario) -> Judged:
    values = undiscounted(TENTH, HALF, TENTH, ONE)
    return Judged(holds(values[0] == max(values)), {"v": values})


def _costs_first_lowest(_: Scenario) -> Judged:
    values = undiscounted(*COSTS, ONE)
    return Judged(holds(values[0] == min(values)), {"v": values})


def _good_step_raises(_: Scenario) -> Judged:
    """The better of two first tokens, with an outcome only."""
    world = pass_or_fail()
    before, after = world.value(()), max(world.value((a,)) for a in range(2))
    return Judged(holds(after > before), {"before": before, "after": after})


READ_OFF: dict[str, Check] = {
    "right_answers_values_rise_on_average": _right_ones_rise,
    "wrong_answers_values_fall_on_average": _wrong_ones_fall,
    "right_answers_values_never_fall": _right_ones_never_fall,
    "value_after_the_last_token_is_zero": _zero_after_the_end,
    "the_first_value_is_the_expected_total": _first_is_the_total,
    "values_start_at_zero": _starts_at_zero,
    "the_shape_depends_on_the_rewards": _rewards_shape_it,
    "with_positive_rewards_the_first_value_is_the_largest": _gains_first_largest,
    "under_costs_the_first_value_is_the_lowest": _costs_first_lowest,
    "a_good_token_raises_the_value": _good_step_raises,
    "earlier_rewards_change_later_values": _past_counts,
    "likelier_tokens_lead_to_higher_values": _likelier_is_higher,
    "kl_costs_lower_all_values": _all_are_lower,
    "outcome_only_value_is_the_mean_score": _is_the_mean_score,
    "level_values_mean_zero_advantages": _level_means_nothing_to_learn,
    "rising_values_mean_positive_rewards": _rise_means_gains,
}
