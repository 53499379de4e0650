"""Formulas as wide as a phone: how wide one is, and in which rows a line of working goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

WIDEST = 24.3  # em of displayed mathematics that a phone shows beside one another
SHORT = 5.5  # em of what stands left of the first equals sign and keeps a column of its own
STEP = 1.0  # em by which a row that goes on stands further in
RELATED = re.compile(r" (?==|\\approx) ?")  # where a line goes on with what it is equal to
_PARTS = re.compile(r"\\(?:operatorname|mathrm)\{[^}]*\}|\\[a-zA-Z]+|\\.|[{}^_]|\s+|.")
_RELATIONS = {"=": 1.34, r"\approx": 1.34, r"\le": 1.34, r"\ge": 1.34, r"\ne": 1.34, "<": 1.34, ">": 1.34}
_OPERATORS = {"+": 1.23, "-": 1.23, r"\cdot": 0.73, r"\times": 1.23, "/": 0.5, ",": 0.45, ".": 0.28}
_BRACKETS = dict.fromkeys("()[]|", 0.4)
_NOTHING = dict.fromkeys(("&", r"\hat", r"\bar", r"\tilde"), 0.0)
_OTHERS = {r"\left": 0.06, r"\right": 0.06, r"\quad": 1.0, r"\sqrt": 0.85, r"\log": 1.3, r"\min": 1.7, r"\max": 1.9}
_SPACED = {**_RELATIONS, **_OPERATORS}
_WIDTHS = {**_RELATIONS, **_OPERATORS, **_BRACKETS, **_NOTHING, **_OTHERS}
_DIGIT, _LETTER, _SIGN = 0.5, 0.56, 0.76
_SMALL, _BEHIND = 0.7, 0.05  # of an index, whose signs stand without spaces; and what is left free behind it
_WHOLE = 100  # what cannot be cut counts as so many brackets
_DEPTHS = {"(": 1, ")": -1, "{": _WHOLE, "}": -_WHOLE, r"\left": _WHOLE, r"\right": -_WHOLE}
_ROOT = re.compile(r"\\sqrt\{((?:[^{}]|\{[^{}]*\})*)\}")
_BEFORE_A_SIGN_OF_ITS_OWN = ("=", r"\approx", "(")


def width(formula: str) -> float:
    """About how many em a formula takes."""
    total, sizes, small = 0.0, [1.0], False
    for part in _PARTS.findall(formula):
        if part in "^_":
            small, total = True, total + _BEHIND
            continue
        size = sizes[-1] * (_SMALL if small else 1)
        small = False
        if part == "{":
            sizes.append(size)
        elif part == "}":
            sizes.pop()
        else:
            signs = size < 1 and part in _SPACED
            total += size * (min(_of(part), _SIGN) if signs else _of(part))
    return total


def _of(part: str) -> float:
    if part.startswith((r"\operatorname", r"\mathrm")):
        return _DIGIT * (len(part.partition("{")[2]) - 1)
    if part.isspace():
        return 0.0
    return _WIDTHS.get(part, _DIGIT if part.isdigit() else _SIGN if part.isupper() else _LETTER)


def rows(lines: Sequence[str], widest: float = WIDEST) -> list[str]:
    """Lines of working in as few rows as a phone takes, each with the & at which they are aligned."""
    split = [RELATED.split(line) for line in lines]
    left = max((width(symbol) for symbol, *sides in split if sides), default=0.0)
    return [row for line in split for row in _rows(line, left if left <= SHORT else 0.0, widest)]


def _rows(line: Sequence[str], beside: float, widest: float) -> Iterator[str]:
    """Short symbols stand in a column of their own, long ones begin the first row or stand above it."""
    before, sides = (f"{line[0]} &", line[1:]) if beside and len(line) > 1 else ("&", line)
    for side in _packed(sides, widest - beside):
        first, *more = _wrapped(side, widest - beside)
        yield before + first
        yield from (rf"&\quad {{}}{rest}" for rest in more)
        before = "&"


def _packed(sides: Sequence[str], room: float) -> list[str]:
    """What a line is equal to, as many in a row as there is room for."""
    found: list[str] = []
    for side in sides:
        joined = f"{found[-1]} {side}" if found else side
        found[-1:] = [joined] if not found or width(joined) <= room else [found[-1], side]
    return found


def _wrapped(formula: str, room: float) -> list[str]:
    """A formula that is too wide goes on below: before a sign of its sum, or else within brackets. A root that is
    too wide is written as a power, which can be cut."""
    if width(formula) <= room:
        return [formula]
    loose = _ROOT.sub(r"(\1)^{1 / 2}", formula).replace(r"\left(", "(").replace(r"\right)", ")")
    tried = (_pieces(formula, "+-", 0), _pieces(formula, ",", 1), _pieces(loose, "+-", 1), _pieces(loose, "+-", 2))
    for pieces in tried:
        found = [pieces[0]]
        for piece in pieces[1:]:
            own = room - (STEP if len(found) > 1 else 0)
            found[-1:] = [found[-1] + piece] if width(found[-1] + piece) <= own else [found[-1], piece]
        if len(found) > 1:
            return [row.strip() for row in found]
    return [formula]


def _pieces(formula: str, marks: str, depth: int) -> list[str]:
    """A formula cut before the signs of its sum, or behind its commas, where so many brackets are open."""
    found, opened, last = [""], 0, "="
    for part in _PARTS.findall(formula):
        here = opened == depth and part in marks
        if here and part != "," and last not in _BEFORE_A_SIGN_OF_ITS_OWN:
            found.append("")
        found[-1] += part
        if here and part == ",":
            found.append("")
        opened += _DEPTHS.get(part, 0)
        last = last if part.isspace() else part
    return found
