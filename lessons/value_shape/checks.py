"""More of what learners claim of value curves: their level, their range, and what a rise or a plateau says."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import sequences
from engine.facts import exact_facts
from engine.one_token import OneToken, outlook
from engine.readings.exact import rational
from engine.scenario import Scenario
from engine.world import small
from lessons._fact import Check, Judged, holds
from lessons.value_shape.shapes import FORK, KINDS

PASS_OR_FAIL = OneToken(probabilities=(0.6, 0.4), rewards=(1.0, 0.0), next_values=(0.0, 0.0))
SHORT, LONG = 3, 30  # tokens


def _values(rewards: Any, gamma: float = 1.0) -> list[Any]:
    return list(sequences.mc_returns([rational(float(r)) for r in rewards], rational(gamma)))


def _outcome(tokens: int) -> tuple[float, ...]:
    return (*(0.0 for _ in range(tokens - 1)), 1.0)


def _gamma_flattens(_: Scenario) -> Judged:
    """From the first to the last value of an outcome-only response."""
    climbs = [values[-1] - values[0] for values in (_values(KINDS["outcome"], gamma) for gamma in (0.9, 0.99, 1.0))]
    return Judged(holds(climbs == sorted(climbs, reverse=True)), {"gammas": [0.9, 0.99, 1.0], "climbs": climbs})


def _longer_is_lower(_: Scenario) -> Judged:
    level = [_values(_outcome(n))[0] for n in (SHORT, LONG)]
    ramp = [_values(_outcome(n), 0.9)[0] for n in (SHORT, LONG)]
    return Judged(
        "depends" if level[0] == level[1] and ramp[0] > ramp[1] else holds(ramp[0] > ramp[1]),
        {"short": SHORT, "long": LONG, "level": level, "gamma": rational(0.9), "ramp": ramp},
    )


def _between_zero_and_one(_: Scenario) -> Judged:
    high, low = _values((1, 1)), _values((-0.5, 0.25))
    return Judged(
        holds(all(0 <= v <= 1 for v in (*high, *low))),
        {"high_rewards": [1, 1], "high": high, "low_rewards": [-0.5, 0.25], "low": low},
    )


def _negative_is_wrong(_: Scenario) -> Judged:
    values = _values((-0.1, -0.1, 0))
    return Judged(holds(min(values) >= 0), {"rewards": [-0.1, -0.1, 0], "values": values})


def _rise_is_good(_: Scenario) -> Judged:
    """V rises all along, and no token is better than expected."""
    rewards = [rational(r) for r in KINDS["cost"]]
    values = sequences.mc_returns(rewards, rational(1.0))
    deltas = sequences.deltas(rewards, values, rational(1.0))
    return Judged(holds(any(deltas)), {"rewards": KINDS["cost"], "values": values, "deltas": deltas})


def _flat_has_learned_nothing(_: Scenario) -> Judged:
    values = _values(KINDS["outcome"])
    return Judged(holds(len(set(values)) > 1), {"rewards": KINDS["outcome"], "values": values})


def _jumps_where_decided(_: Scenario) -> Judged:
    fork = exact_facts(outlook(FORK), Scenario())
    still = _values((0, 0, 1))
    return Judged(
        holds(all(after != fork["value"] for after in fork["after"]) and len(set(still)) == 1),
        {"value": fork["value"], "after": fork["after"], "still": still},
    )


def _zero_rewards(_: Scenario) -> Judged:
    values = [v for gamma in (0.5, 1.0) for v in _values((0, 0, 0), gamma)]
    return Judged(holds(not any(values)), {"rewards": [0, 0, 0], "values": values[:3]})


def _knows_what_follows(_: Scenario) -> Judged:
    """V along two responses that begin alike."""
    world = small(lambda _name, x: Fraction(str(x)))
    first, second = world.values_along((0, 0)), world.values_along((0, 1))
    earned = [world.rewards[(0, 0)], world.rewards[(0, 1)]]
    return Judged(holds(first != second), {"values": first, "others": second, "earned": earned})


def _is_chance_of_success(_: Scenario) -> Judged:
    found = exact_facts(outlook(PASS_OR_FAIL), Scenario())
    return Judged(
        holds(found["value"] == found["probabilities"][0]), {"p": found["probabilities"][0], "v": found["value"]}
    )


MORE: dict[str, Check] = {
    "larger_gamma_flattens_the_curve": _gamma_flattens,
    "longer_responses_start_lower": _longer_is_lower,
    "values_lie_between_zero_and_one": _between_zero_and_one,
    "negative_values_are_wrong": _negative_is_wrong,
    "a_rise_means_a_good_token": _rise_is_good,
    "a_flat_curve_has_learned_nothing": _flat_has_learned_nothing,
    "values_jump_where_the_outcome_is_decided": _jumps_where_decided,
    "zero_rewards_have_zero_values": _zero_rewards,
    "value_knows_the_later_tokens": _knows_what_follows,
    "value_is_the_chance_of_success": _is_chance_of_success,
}
