"""Where in a message a place of its text stands, as it was before the reading wrote it anew."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from prompts.read.characters import clean
from prompts.read.statement import Statement

_DIGITS = re.compile(r"\d+")


def placed_in(message: str, read_as: Callable[[str], str], said: Statement) -> Statement:
    """The statement, its numbers placed in the message itself; as it is where one of them cannot be."""
    found = origins(message, read_as, [place for claim in said.claims for place in claim.places])
    if not all(place in found for claim in said.claims for place in claim.places if place >= 0):
        return said
    placed = (tuple(found.get(place, place) for place in claim.places) for claim in said.claims)
    claims = (replace(claim, places=places) for claim, places in zip(said.claims, placed, strict=True))
    return replace(said, claims=tuple(claims), pasted=message)


def origins(message: str, read_as: Callable[[str], str], places: Sequence[int]) -> dict[int, int]:
    """Place of a number in the text as it is read → its place in the message. What stands before a number is read as
    what comes before it: so the reading itself says where. Where it moves numbers about, they have none."""
    whole = read_as(message)
    lines = message.split("\n")
    read = [read_as(line) for line in lines]
    if "\n".join(read) != whole:
        lines, read = [message], [whole]
    ends = list(accumulate(len(line) + 1 for line in read))
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found: dict[int, int] = {}
    for place in {place for place in places if place >= 0}:
        k = bisect_right(ends, place)
        if k < len(lines):
            line, within = lines[k], place - (ends[k] - len(read[k]) - 1)
            cut = bisect_right(range(len(line) + 1), within, key=_Read(read_as, line).length) - 1
            if _digits(read[k][within:]) == _digits(clean(line[cut:])):
                found[place] = starts[k] + cut
    return found


@dataclass(frozen=True)
class _Read:
    """A line as far as it is read."""

    read_as: Callable[[str], str]
    line: str

    def length(self, end: int) -> int:
        return len(self.read_as(self.line[:end]))


def _digits(text: str) -> str:
    said = _DIGITS.search(text)
    return said[0] if said else ""
