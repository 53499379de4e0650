"""What learners read into a curve of values, which one they would rather have, and what two curves share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import sequences
from engine.scenario import Scenario
from engine.world import small
from lessons._fact import Check, Judged, holds

ONE, TENTH = Fraction(1), Fraction(1, 10)


def _values(*rewards: Fraction, gamma: Fraction = ONE) -> list[Any]:
    return list(sequences.mc_returns(list(rewards), gamma))


def _rise_is_a_good_sign(_: Scenario) -> Judged:
    """A rise that is only cost left behind; and one that is the better of two tokens."""
    cost = _values(-TENTH, -TENTH, ONE)
    world = small(lambda _name, x: Fraction(str(x)))
    start, after = world.value(()), [world.value((a,)) for a in range(2)]
    gain = max(after)
    empty, earned = cost[1] > cost[0], gain > min(after)
    return Judged("depends" if empty and earned else holds(earned), {"cost": cost, "start": start, "after": after})


def _same_start(_: Scenario) -> Judged:
    world = small(lambda _name, x: Fraction(str(x)))
    starts = [world.values_along(response)[0] for response in world.responses]
    return Judged(holds(len(set(starts)) == 1), {"starts": starts})


def _smaller_gamma_lowers(_: Scenario) -> Judged:
    plain, less = (_values(Fraction(0), Fraction(0), ONE, gamma=g) for g in (ONE, ONE / 2))
    return Judged(holds(less[0] < plain[0]), {"plain": plain, "less": less, "gamma": ONE / 2})


def _sum_is_the_return(_: Scenario) -> Judged:
    values = _values(Fraction(0), TENTH, ONE)
    return Judged(holds(sum(values) == values[0]), {"sum": sum(values), "total": values[0], "v": values})


def _signs_are_swapped(_: Scenario) -> Judged:
    gains, costs = _values(TENTH, TENTH, TENTH), _values(-TENTH, -TENTH, -TENTH)
    return Judged(holds(gains[0] < gains[1] and costs[0] > costs[1]), {"gains": gains, "costs": costs})


def _first_is_this_score(_: Scenario) -> Judged:
    """What the responses to one prompt earn, and the one V they begin with."""
    world = small(lambda _name, x: Fraction(str(x)))
    earned = [sum(world.rewards_along(response)) for response in world.responses]
    return Judged(holds(all(total == world.value(()) for total in earned)), {"earned": earned, "v": world.value(())})


JUDGED: dict[str, Check] = {
    "rising_values_are_a_good_sign": _rise_is_a_good_sign,
    "curves_of_one_prompt_start_at_one_value": _same_start,
    "smaller_gamma_lowers_the_start_of_the_curve": _smaller_gamma_lowers,
    "sum_of_the_values_is_the_return": _sum_is_the_return,
    "gains_make_values_rise_and_costs_make_them_fall": _signs_are_swapped,
    "first_value_is_what_this_response_earns": _first_is_this_score,
}
