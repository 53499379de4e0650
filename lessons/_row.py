"""One response worked out exactly from numbers as they are written: what checks of claims try things on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from engine.drawn import response

Written: TypeAlias = Sequence[float | str | Fraction]


def fraction(x: float | str | Fraction) -> Fraction:
    return Fraction(str(x))


def row(
    rewards: Written, values: Written, gamma: float | str = 1, lam: float | str = 1
) -> Mapping[str, list[Fraction]]:
    """rewards, values, deltas, advantages, returns, mc_returns and mc_advantages, token by token."""
    rates = {"gamma": fraction(gamma), "lam": fraction(lam)}
    return response([fraction(r) for r in rewards], [fraction(v) for v in values], rates).lists


def moved(after: Sequence[Fraction], before: Sequence[Fraction]) -> list[Fraction]:
    """What a change has done, token by token."""
    return [a - b for a, b in zip(after, before, strict=True)]
