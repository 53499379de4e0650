"""Arithmetic that is written out: + − × ÷, small powers, brackets, percentages, and a few functions.

Exactly where it can be: exp, log and sqrt are rounded far behind any digit that is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

MOST = 64  # pieces of one expression, and the largest exponent
WIDEST = 4096  # bits of a power
_PIECES = re.compile(
    r"\s*(?:(?P<number>(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12}))(?P<percent>%)?|(?P<sign>\*\*|[-+*/×÷·^(),])"
    r"|(?P<name>exp|log|ln|sqrt|min|max|abs|clip|clamp|mean|sum)(?= ?\())"
)
_LIKE = {"×": "*", "·": "*", "÷": "/", "**": "^"}
Piece = Fraction | str


_LARGEST = 50  # exponent of exp


def _rounded(function: Callable[[float], float]) -> Callable[..., Fraction]:
    def applied(x: Fraction) -> Fraction:
        if abs(x) > _LARGEST:
            raise _NothingError
        try:
            return Fraction(function(float(x))).limit_denominator(10**15)
        except ValueError:
            raise _NothingError from None

    return applied


def _clipped(x: Fraction, low: Fraction, high: Fraction) -> Fraction:
    return max(low, min(high, x))


_FUNCTIONS: Mapping[str, tuple[int, Callable[..., Fraction]]] = {  # how many arguments, 0 for any number of them
    "exp": (1, _rounded(math.exp)),
    "log": (1, _rounded(math.log)),
    "ln": (1, _rounded(math.log)),
    "sqrt": (1, _rounded(math.sqrt)),
    "abs": (1, abs),
    "min": (0, min),
    "max": (0, max),
    "clip": (3, _clipped),
    "clamp": (3, _clipped),
    "mean": (0, lambda *xs: sum(xs, Fraction(0)) / len(xs)),
    "sum": (0, lambda *xs: sum(xs, Fraction(0))),
}


class _NothingError(Exception):
    """It is no arithmetic, or has no value."""


def reckoned(written: str) -> Fraction | None:
    """The value of an expression; None where it is none, divides by nothing, or is longer than anyone would write."""
    pieces = _pieces(written)
    if not pieces:
        return None
    try:
        value, end = _sum(pieces, 0)
    except _NothingError:
        return None
    return value if end == len(pieces) else None


def operations(written: str) -> int:
    """How much is worked out in an expression: its signs between numbers."""
    return sum(
        sign in _FUNCTIONS
        or (sign in ("*", "/", "^", "+", "-") and k > 0 and before not in ("(", "+", "-", "*", "/", "^", ","))
        for k, (before, sign) in enumerate(zip([None, *_pieces(written)], _pieces(written), strict=False))
        if isinstance(sign, str)
    )


def _pieces(written: str) -> list[Piece]:
    found: list[Piece] = []
    position, text = 0, written.rstrip()
    while position < len(text):
        piece = _PIECES.match(text, position)
        if piece is None or len(found) >= MOST:
            return []
        if piece["name"]:
            found.append(piece["name"])
        elif piece["sign"]:
            found.append(_LIKE.get(piece["sign"], piece["sign"]))
        else:
            found.append(Fraction(piece["number"]) / (100 if piece["percent"] else 1))
        position = piece.end()
    return found


def _at(pieces: list[Piece], i: int) -> Piece | None:
    return pieces[i] if i < len(pieces) else None


def _sum(pieces: list[Piece], i: int) -> tuple[Fraction, int]:
    value, i = _product(pieces, i)
    while _at(pieces, i) in ("+", "-"):
        more, end = _product(pieces, i + 1)
        value, i = (value + more if pieces[i] == "+" else value - more), end
    return value, i


def _product(pieces: list[Piece], i: int) -> tuple[Fraction, int]:
    value, i = _signed(pieces, i)
    while _at(pieces, i) in ("*", "/", "("):
        by = pieces[i]
        more, end = _signed(pieces, i + (by != "("))  # 2(3 + 4)
        if by == "/" and not more:
            raise _NothingError
        value, i = (value / more if by == "/" else value * more), end
    return value, i


def _signed(pieces: list[Piece], i: int) -> tuple[Fraction, int]:
    sign = _at(pieces, i)
    if sign in ("+", "-"):
        value, end = _power(pieces, i + 1)
        return (-value if sign == "-" else value), end
    return _power(pieces, i)


def _power(pieces: list[Piece], i: int) -> tuple[Fraction, int]:
    base, i = _atom(pieces, i)
    if _at(pieces, i) != "^":
        return base, i
    exponent, end = _atom(pieces, i + 1)
    wide = max(base.numerator.bit_length(), base.denominator.bit_length()) * abs(exponent) > WIDEST
    if exponent.denominator != 1 or abs(exponent) > MOST or wide or (not base and exponent < 0):
        raise _NothingError
    return base ** int(exponent), end


def _atom(pieces: list[Piece], i: int) -> tuple[Fraction, int]:
    piece = _at(pieces, i)
    if piece == "(":
        value, end = _sum(pieces, i + 1)
        if _at(pieces, end) != ")":
            raise _NothingError
        return value, end + 1
    if isinstance(piece, str) and piece in _FUNCTIONS:
        return _applied(piece, pieces, i + 2)
    if not isinstance(piece, Fraction):
        raise _NothingError
    return piece, i + 1


def _applied(name: str, pieces: list[Piece], i: int) -> tuple[Fraction, int]:
    """A function of what stands in the bracket that has been opened."""
    value, i = _sum(pieces, i)
    arguments = [value]
    while _at(pieces, i) == ",":
        value, i = _sum(pieces, i + 1)
        arguments.append(value)
    count, function = _FUNCTIONS[name]
    if _at(pieces, i) != ")" or (count or len(arguments)) != len(arguments) or (not count and len(arguments) < 2):
        raise _NothingError
    return function(*arguments), i + 1
