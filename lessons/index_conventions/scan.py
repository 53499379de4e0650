"""A backward scan and what it starts with: the pair that stands behind the last token."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, judged, outcome, rational, trial

ONE_RESPONSE = trial(outcome(3), rational(("1/2", "1/4", "3/4")), HALF)
Carry = tuple[Any, Any]  # the next value, the next advantage


def _scan(one: Trial, start: Carry) -> list[Carry]:
    """The pair after each step, the first token's first."""
    value, advantage = start
    found: list[Carry] = []
    for r, v in zip(reversed(one.rewards), reversed(one.values), strict=True):
        advantage = formulas.gae_step(formulas.td_error(r, v, value, one.gamma), advantage, one.gamma, one.lam)
        value = v
        found.append((value, advantage))
    return found[::-1]


def _starts_with_two_zeros(_: Scenario) -> Judged:
    """From two zeros, from another value, from another advantage."""

    def last(start: tuple[Fraction, Fraction]) -> list[Any]:
        return [advantage for _, advantage in _scan(ONE_RESPONSE, start)]

    right, value, advantage = last((NONE, NONE)), last((ONE, NONE)), last((NONE, ONE))
    pair = _scan(ONE_RESPONSE, (NONE, NONE))[1]
    return judged(
        right == ONE_RESPONSE.advantages and right not in (value, advantage)
        and pair == (ONE_RESPONSE.values[1], ONE_RESPONSE.advantages[1]),
        right=right, value=value, advantage=advantage, pair=list(pair),
    )  # fmt: skip


SCAN: dict[str, Check] = {"scan_starts_with_the_value_and_advantage_behind_the_end": _starts_with_two_zeros}
