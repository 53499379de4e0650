"""Where polynomials in one unknown keep conditions: spans of the line, their ends exact or isolated to 30 digits.

Signs are never guessed from floats: between roots at a rational point, at a root by Sturm's count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal, TypeAlias

import sympy

Relation: TypeAlias = Literal["=", "<", "<=", ">", ">="]
Condition: TypeAlias = tuple[sympy.Poly, Relation]  # beside 0
Bound: TypeAlias = Fraction | None  # None: there is none
_FINE = sympy.Rational(1, 10**30)
_SIGNS: dict[Relation, tuple[int, ...]] = {"=": (0,), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}


@dataclass(frozen=True)
class Point:
    """A number by an interval that holds it, and no other root; of width 0 where it is rational."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def value(self) -> Fraction:
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class Span:
    """An interval of the unknown, or one point of it; without an end where it goes on."""

    low: Point | None
    high: Point | None
    with_low: bool = True
    with_high: bool = True

    @property
    def single(self) -> bool:
        return self.low is not None and self.low == self.high

    @property
    def inside(self) -> Fraction:
        """The shortest decimal in it, or the point itself."""
        if self.single:
            assert self.low is not None
            return self.low.value
        low, high = _finite(_value(self.low), _value(self.high))
        for places in range(31):
            unit = Fraction(1, 10**places)
            first = -(-low // unit) * unit
            found = first if first > low or self.with_low else first + unit
            if found < high or (found == high and self.with_high):
                return found
        return (low + high) / 2


def roots(polynomial: sympy.Poly, low: Bound = None, high: Bound = None) -> tuple[Point, ...]:
    """Its distinct real roots within the bounds, in order."""
    if polynomial.degree() < 1:
        return ()
    found = polynomial.sqf_part().intervals(inf=_rational(low), sup=_rational(high), eps=_FINE, sqf=True)
    return tuple(Point(_fraction(a), _fraction(b)) for a, b in found)


def holding(conditions: Sequence[Condition], low: Bound, high: Bound) -> tuple[Span, ...]:
    """Where within the bounds all conditions hold at once."""
    changing = [p for p, _ in conditions if p.degree() > 0]
    marks = list(roots(prod(changing[1:], start=changing[0]), low, high)) if changing else []
    for bound in (low, high):
        if bound is not None and all(mark.value != bound for mark in marks):
            marks.append(Point(bound, bound))
    marks.sort(key=lambda mark: mark.value)
    return tuple(_joined(list(_pieces(conditions, marks, low, high))))


def _pieces(conditions: Sequence[Condition], marks: Sequence[Point], low: Bound, high: Bound) -> Iterator[Span | None]:
    """Points and what lies between them, in order; None where the conditions do not hold."""
    ends: list[Point | None] = [*([None] if low is None else []), *marks, *([None] if high is None else [])]
    for i, here in enumerate(ends):
        if here is not None:
            held = all(_at(p, here) in _SIGNS[relation] for p, relation in conditions)
            yield Span(here, here) if held else None
        if i + 1 < len(ends):
            there = ends[i + 1]
            middle = sum(_finite(_value(here), _value(there)), Fraction(0)) / 2
            held = all(_sign(p, middle) in _SIGNS[relation] for p, relation in conditions)
            yield Span(here, there, with_low=False, with_high=False) if held else None


def _joined(pieces: Sequence[Span | None]) -> Iterator[Span]:
    """Neighbours that hold, as one."""
    whole: Span | None = None
    for piece in [*pieces, None]:
        if piece is None:
            if whole is not None:
                yield whole
            whole = None
        elif whole is None:
            whole = piece
        else:
            whole = Span(whole.low, piece.high, whole.with_low, piece.with_high)


def _at(polynomial: sympy.Poly, root: Point) -> int:
    """Its sign at a root of one of the polynomials: 0 where it is its own."""
    if root.exact:
        return _sign(polynomial, root.low)
    own = polynomial.degree() > 0 and polynomial.count_roots(_rational(root.low), _rational(root.high)) > 0
    return 0 if own else _sign(polynomial, root.value)


def _sign(polynomial: sympy.Poly, at: Fraction) -> int:
    found = polynomial.eval(_rational(at))
    return int(bool(found > 0)) - int(bool(found < 0))


def _value(point: Point | None) -> Bound:
    return None if point is None else point.value


def _finite(low: Bound, high: Bound) -> tuple[Fraction, Fraction]:
    if low is None:
        low = Fraction(-1) if high is None else high - 2
    return low, low + 2 if high is None else high


def _rational(x: Bound) -> sympy.Rational | None:
    return None if x is None else sympy.Rational(x.numerator, x.denominator)


def _fraction(x: sympy.Rational) -> Fraction:
    return Fraction(int(x.p), int(x.q))
