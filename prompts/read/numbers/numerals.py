"""The numerals of a group: where they stand, how many digits they show, which come behind an ellipsis."""

from __future__ import annotations

from collections.abc import Iterator

from prompts.read.numbers.grouping import Group
from prompts.read.numbers.token import Token


def numerals(tokens: list[Token], numbers: Group) -> Iterator[Token]:
    return (t for t in tokens[numbers.first : numbers.last + 1] if t.kind == "number")


def decimals_shown(written: str) -> int:
    """How many decimals a literal shows; a percentage two more than it is written with."""
    digits, _, exponent = written.lower().rstrip("% ").partition("e")
    shown = len(digits.partition(".")[2]) - (int(exponent) if exponent else 0)
    return max(shown + 2 * written.endswith("%"), 0)


def behind_dots(tokens: list[Token], numbers: Group) -> int:
    """How many numbers stand behind an ellipsis."""
    inside = tokens[numbers.first : numbers.last + 1]
    dots = next((k for k, t in enumerate(inside) if t.kind == "dots"), len(inside))
    return sum(t.kind == "number" for t in inside[dots:])
