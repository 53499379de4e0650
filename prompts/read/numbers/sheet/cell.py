"""A typed number at its place, and the series that numbers under one label are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

NUMBER = r"(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][+-]?\d{1,3})?(?: ?%)?"
SIGNED = rf"[+-]?(?:{NUMBER})"
WHOLE = re.compile(rf"(?P<sign>[+-]? ?)(?P<size>{NUMBER})")
_DRESS = re.compile(r"[*`$\"'\s]|\\[()]|✓|✔|✗|✘|√|×$|≈|~")
_FRACTION = re.compile(r"[+-]?\d{1,6}/\d{1,6}")
_NOTHING = re.compile(r"[-—–/.…]*|n/?a|none|null|nan|pad|<pad>|x", re.IGNORECASE)
_FINE = 12  # decimals of a fraction


class Cell(NamedTuple):
    """What was typed, its value, how many decimals it shows and where it stands."""

    typed: str
    value: float
    decimals: int
    place: int
    made: float | None = None  # what its own line adds up to
    working: str = ""  # the numbers and signs that it is said to come from


@dataclass(frozen=True)
class Series:
    """Numbers under one label, None where a cell is empty."""

    label: str
    cells: tuple[Cell | None, ...]
    prose: bool = False  # the label is what stands before the numbers in a sentence
    indices: tuple[int, ...] = ()  # the subscripts that were written, if each number has its own
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def values(self) -> list[float | None]:
        return [None if cell is None else cell.value for cell in self.cells]


def cell(text: str, place: int) -> Cell | None:
    """The number that a text is, dressed or not; None if it is none."""
    plain = _DRESS.sub("", text)
    place += next((i for i, c in enumerate(text) if c.isdigit() or c in "+-."), 0)
    if _FRACTION.fullmatch(plain):
        above, below = plain.split("/")
        return Cell(plain, int(above) / int(below), _FINE, place) if int(below) else None
    found = WHOLE.fullmatch(plain)
    return _made(found["sign"].strip() + found["size"], place) if found else None


def _made(plain: str, place: int) -> Cell:
    bare = plain.rstrip("% ")
    mantissa, _, power = bare.lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(power or 0)
    value = float(bare)
    if plain.endswith("%"):
        return Cell(plain, value / 100, decimals + 2, place)
    return Cell(plain, value, max(decimals, 0), place)


def number(found: re.Match[str], group: str | int = 0) -> Cell:
    """The number that was matched."""
    return _made(found[group].replace(" ", ""), found.start(group))


def empty(text: str) -> bool:
    """Whether a cell says that there is nothing in it."""
    return _NOTHING.fullmatch(_DRESS.sub("", text)) is not None
