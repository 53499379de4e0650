"""Numbers exactly as they are written."""

from __future__ import annotations

from fractions import Fraction


def fraction(x: float | str | Fraction) -> Fraction:
    return Fraction(str(x))
