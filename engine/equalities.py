"""Equations between the quantities of a response: whether they hold for every response, or when.

An equation is evaluated exactly, on responses with random rational rewards and values of several lengths: an identity
of polynomials that holds there holds. Where it fails in general, the corners of γ and λ are tried.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.drawn import EVERYWHERE, Number, OutsideError, Response, Where, random_responses
from engine.terms import Term

ROUNDING = 1e-9  # of numbers that are no fractions
CORNERS: tuple[Mapping[str, Fraction], ...] = (
    {"gamma": Fraction(1)},
    {"lam": Fraction(1)},
    {"lam": Fraction(0)},
    {"gamma": Fraction(1), "lam": Fraction(1)},
    {"gamma": Fraction(1), "lam": Fraction(0)},
)


@dataclass(frozen=True)
class Equality:
    """left = right at every token, with what was said of γ and λ."""

    left: Term
    right: Term
    where: Where = EVERYWHERE

    @property
    def latex(self) -> str:
        return f"{self.left.latex} = {self.right.latex}"

    @property
    def quantities(self) -> frozenset[str]:
        return self.left.quantities | self.right.quantities

    def sides(self, response: Response, t: int = 0) -> tuple[Number, Number]:
        return self.left.value(response, t, 0), self.right.value(response, t, 0)

    def holds(self, where: Where) -> bool:
        """On every one of the random responses there, at every token that it speaks of."""
        return all(self._holds_on(response) for response in random_responses(where))

    def _holds_on(self, response: Response) -> bool:
        for t in self.where.tokens(response.length):
            try:
                left, right = self.sides(response, t)
            except OutsideError:
                continue
            if not same(left, right):
                return False
        return True


def same(left: Number, right: Number) -> bool:
    """Exactly, or up to rounding where a number is no fraction."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    return math.isclose(left, right, rel_tol=ROUNDING, abs_tol=ROUNDING)


@dataclass(frozen=True)
class Found:
    """Whether an equation always holds, and if not, the settings of γ and λ at which it does."""

    always: bool
    where: tuple[Mapping[str, Fraction], ...] = ()


def settle(equality: Equality) -> Found:
    if equality.holds(equality.where):
        return Found(True)
    said, holding = dict(equality.where.rates), list[Mapping[str, Fraction]]()
    for corner in corners(said):
        implied = any(known.items() <= corner.items() for known in holding)
        if not implied and equality.holds(replace(equality.where, rates=tuple({**said, **corner}.items()))):
            holding.append(corner)
    return Found(False, tuple(holding))


def corners(said: Mapping[str, Fraction]) -> Iterator[Mapping[str, Fraction]]:
    """The corners that add something to what was said, and contradict nothing."""
    for corner in CORNERS:
        added = {name: x for name, x in corner.items() if name not in said}
        if added and len(added) == len(corner):
            yield added
