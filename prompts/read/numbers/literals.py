"""A number as it is written, to a float, in bounded work whatever its length."""

from __future__ import annotations

import math
import re

DIGITS_READ = 40  # beyond these no float can tell the difference
DIGITS_OF_A_FLOAT = 309

_LITERAL = re.compile(r"([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?)0*(\d*))?( ?%)?")


def number(literal: str) -> float:
    """The float that a decimal literal stands for; infinite when it is beyond every float, for the door to refuse."""
    shape = _LITERAL.fullmatch(literal)
    assert shape is not None, "the scanner passes literals only"
    sign, whole, part, exponent_sign, exponent, percent = shape.groups()
    whole = whole.lstrip("0")
    power = int(exponent[:6] or "0") if exponent else 0
    power = -power if exponent_sign == "-" else power
    if len(whole) + power > DIGITS_OF_A_FLOAT + 1:
        size = math.inf if whole or part.strip("0") else 0.0
    elif len(whole) > DIGITS_OF_A_FLOAT:
        size = float(f"{whole[:DIGITS_READ]}e{len(whole) - DIGITS_READ + power}")
    else:
        size = float(f"{whole or '0'}.{part[:DIGITS_READ] or '0'}e{power}")
    size = size / 100 if percent else size
    return -size if sign == "-" else size


def power(base: float, exponent: float) -> float:
    """base^exponent, infinite where it would overflow."""
    if base == 0 or not math.isfinite(base) or not math.isfinite(exponent):
        return base if base and exponent > 0 else 0.0 if exponent > 0 else math.inf
    if exponent * math.log10(abs(base)) > DIGITS_OF_A_FLOAT - 1:
        return math.inf
    return base**exponent if base > 0 or exponent.is_integer() else math.nan
