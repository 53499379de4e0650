"""A range written by its two bounds, and by its two half-widths."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import ONE, judged

BOUNDS_WRITTEN = (Fraction(4, 5), Fraction(32, 25))
WIDTHS = (Fraction(1, 5), Fraction(7, 25))
FAR = (Fraction(1, 100), Fraction(100))  # ratios beyond any bound


def _met(low: Fraction, high: Fraction) -> tuple[Fraction, ...]:
    """Where the clip holds a ratio far below and one far above."""
    return tuple(formulas.clipped_term(ratio, ONE, low, high) for ratio in FAR)


def _bounds_and_widths(_: Scenario) -> Judged:
    right, mistaken = _met(*WIDTHS), _met(*BOUNDS_WRITTEN)
    return judged(
        right == BOUNDS_WRITTEN and mistaken != right, bounds=list(BOUNDS_WRITTEN), widths=list(WIDTHS),
        met=list(right), mistaken=list(mistaken),
    )  # fmt: skip


BOUNDS: dict[str, Check] = {"clip_bounds_are_one_minus_and_plus_the_epsilons": _bounds_and_widths}
