"""Functions and brackets of plain numbers, worked out where they stand: ln 2, e^0.2, (-0.3)/(-0.5), 0.1+0.09."""

from __future__ import annotations

import re
from fractions import Fraction

from engine.reckoning import reckoned
from prompts.read.worded.figure import U

PLACES = 9  # decimals of what is rounded
_SIGNED = rf"[-+]? ?{U}"
_INSIDE = rf"{_SIGNED}(?: ?[-+*/×÷·] ?{_SIGNED}){{0,3}}"
_CALL = re.compile(
    rf"(?<![\w.])(?:(?:math|np|torch)\.)?(?P<name>exp|ln|log|sqrt) ?\( ?(?P<x>{_INSIDE}) ?\)", re.IGNORECASE
)
_PLAIN_LOG = re.compile(rf"(?<![\w.])(?P<name>ln|log) (?P<x>{U})(?![\d.^])", re.IGNORECASE)
_POWER = re.compile(rf"(?<![\w.])e ?(?:\^|\*\*) ?(?:\{{ ?(?P<a>{_INSIDE}) ?\}}|\( ?(?P<b>{_INSIDE}) ?\)|(?P<c>-?{U}))")
_BRACKETS = re.compile(
    rf"(?<![\w.)\]*/^×·]) ?(?P<all>\( ?{_INSIDE} ?\) ?[*/×÷·] ?(?:\( ?{_INSIDE} ?\)|{U})"
    rf"|{U} ?[*/×÷·] ?\( ?{_INSIDE} ?\))"
    r"(?! ?[\w.*/^×÷·(])"
)
_TIGHT = re.compile(r"(?<=\d)\+(?=\d*\.?\d)")
_TIGHT_MINUS = re.compile(rf"(?<=\d)-(?={U}(?: ?[-+*/×·] ?{U})* ?[=≈])")  # A = 0.51-0.45 = 0.06


def evaluated(text: str) -> str:
    """The text with such arithmetic as its value, to many places where that has no end."""
    text = _CALL.sub(lambda m: _value(f"{m['name'].lower()}({m['x']})", m[0]), text)
    text = _PLAIN_LOG.sub(lambda m: _value(f"{m['name'].lower()}({m['x']})", m[0]), text)
    text = _POWER.sub(lambda m: _value(f"exp({m['a'] or m['b'] or m['c']})", m[0]), text)
    text = _BRACKETS.sub(lambda m: " " + _value(m["all"], m[0]), text)
    return _TIGHT_MINUS.sub(" - ", _TIGHT.sub(" + ", text))


def _value(expression: str, written: str) -> str:
    value = reckoned(expression)
    return written if value is None else _shown(value)


def _shown(value: Fraction) -> str:
    plain = f"{float(value):.{PLACES}f}"
    short = plain.rstrip("0").rstrip(".")
    return short if Fraction(short) == value else plain
