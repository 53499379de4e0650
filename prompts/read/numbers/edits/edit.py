"""One change of a scenario: which list or parameter, which place, what is done, with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TOKENS = "tokens"  # the target of a change of every list by token


@dataclass(frozen=True)
class Place:
    """Where in a list. kind: whole, every, at, span, value, at_value, label, middle, there, gap_before, gap_after.

    An index counts from 0, negative from the end; a span is (first, end) with None for an open side; at_value is
    (index, the number that stands there).
    """

    kind: str
    value: Any = None


WHOLE = Place("whole")
EVERY = Place("every")
THERE = Place("there")
END = Place("gap_after", -1)
FRONT = Place("gap_before", 0)


@dataclass(frozen=True)
class Edit:
    """op: set, add, scale, negate, copy, insert, drop, keep, swap, reverse, mask, restore, default, instead.

    target is a name of the contract, TOKENS, or None where the words leave it to what is there. The operand is a
    number or tuple for set, a number for add and scale, a name for copy, (name, number) pairs for insert, the other
    place or name for swap, what the mask is to say for mask, "first" or "previous" for restore. "instead" undoes the
    last change and makes it here, with the operand if there is one.
    """

    op: str
    target: str | None = None
    place: Place = WHOLE
    operand: Any = None
