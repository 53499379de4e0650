"""Names that learners take for one: values, returns and advantages; and what a better critic does to the last."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.chance import one_coin
from engine.scenario import Scenario
from lessons._proposition import Check, Judged, holds
from lessons._row import row
from lessons.critic_target.targets import HALF, REWARDS, VALUES


def _values_are_returns(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    return Judged(holds(found["values"] == found["returns"]), {"v": found["values"], "r": found["returns"]})


def _returns_are_advantages(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    return Judged(
        holds(found["returns"] == found["advantages"]),
        {"r": found["returns"], "a": found["advantages"], "v": found["values"]},
    )


def _smaller_advantages(_: Scenario) -> Judged:
    """A coin's two ends seen from the right value and from two wrong ones: the mean square of what is left."""
    ends = [Fraction(r[0]) for r in one_coin(1, size=0.5).rewards]
    right = sum(ends, Fraction(0)) / len(ends)
    squares = [
        sum((Fraction(formulas.squared_error(v, end)) for end in ends), Fraction(0)) / len(ends)
        for v in (right, Fraction(1, 10), Fraction(9, 10))
    ]
    return Judged(holds(squares[0] < min(squares[1:])), {"ends": ends, "right": squares[0], "wrong": squares[1:]})


ONES: dict[str, Check] = {
    "values_and_returns_are_one": _values_are_returns,
    "returns_and_advantages_are_one": _returns_are_advantages,
    "a_better_critic_makes_raw_advantages_smaller": _smaller_advantages,
}
