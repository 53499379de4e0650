"""When two values are the same, and which is the less: exact on fractions, up to rounding on other numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.readings.exact import Decimal

ROUNDING = 1e-9  # of numbers that are no fractions
ABOUT = 1e-3


def same(a: Any, b: Any, tolerance: float = ROUNDING) -> bool:
    """Two numbers; two lists, entry by entry; a number and a list, each entry."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, list) or isinstance(b, list):
        return all(same(x, y, tolerance) for x, y in beside(a, b))
    if tolerance == ROUNDING and isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a == b
    if a is None or b is None:
        return a is b
    return abs(lifted(a, b) - b) <= tolerance * max(1, abs(float(a)))


def about(a: Any, b: Any) -> bool:
    """The same to three digits."""
    return same(a, b, ABOUT)


def less(a: Any, b: Any) -> bool:
    """Each entry of a list beside the number, or beside the other's."""
    if isinstance(a, list) or isinstance(b, list):
        return all(less(x, y) for x, y in beside(a, b))
    return bool(lifted(b, a) - a > 0) and not (_rounded(a, b) and same(a, b))


def _rounded(a: Any, b: Any) -> bool:
    return not (isinstance(a, int | Fraction) and isinstance(b, int | Fraction))


def lifted(a: Any, b: Any) -> Any:
    """A fraction from which a number of 50 digits is to be taken, or by which it is to be divided, as such a number."""
    return Decimal(a.numerator) / a.denominator if isinstance(a, Fraction) and isinstance(b, Decimal) else a


def beside(a: Any, b: Any) -> list[tuple[Any, Any]]:
    """Their entries side by side, a number beside each entry of a list."""
    if isinstance(a, list) and isinstance(b, list):
        return list(zip(a, b, strict=True))
    return [(x, b) for x in a] if isinstance(a, list) else [(a, y) for y in b]
