"""A sentence as quantities and known words, from flow.toml; nothing where any other word stands in it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("flow.toml")
_INDEX = r"(?:\{[^{}]{1,12}\}|[A-Za-z0-9](?![A-Za-z0-9]))"
# One letter for each kind of word; what is said is matched as a string of these.
LETTERS = {
    "later": "l", "earlier": "e", "last": "z", "initial": "f", "next": "n", "not": "X", "never": "Xc",
    "needless": "Xv", "lacks": "HX", "unchanged": "S", "unrelated": "R", "without": "U", "always": "v", "may": "c",
    "able": "q", "some": "s", "whichever": "y", "only": "O", "enough": "E", "directly": "D", "given": "G",
    "having": "g", "wait": "W", "before": "B", "after": "A", "first": "P", "then": "T", "used": "Z", "partake": "I",
    "aloof": "XI", "unused": "XN", "by": "j", "varies": "w", "move": "M", "depend": "Y", "need": "N", "change": "K",
    "leave": "V", "when": "i", "versus": "t", "from": "F", "make": "C", "made_of": "CF", "unmade": "CX", "has": "H",
    "inside": "L", "amid": "J", "and": "&", "sum": "+", "equal": "=", "fill": "", "skip": "",
}  # fmt: skip
_AT = {"l": "later", "e": "earlier", "z": "last", "f": "0", "n": "t+1"}
_PLACES = {
    "t": "t", "i": "t", "k": "t", "t+1": "t+1", "t-1": "t-1", "t+2": "t+2", "t-2": "t-2", "T-1": "last",
}  # fmt: skip


class Named(NamedTuple):
    """A quantity as it was named, at which token, and whether as the model that gives it."""

    name: str
    place: str
    written: str


class Clause(NamedTuple):
    """The letters of a clause, Q for each quantity, and these."""

    letters: str
    named: tuple[Named, ...]


@cache
def _words() -> re.Pattern[str]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    both = {**{f"q_{name}": x for name, x in table["quantities"].items()}, **table["words"]}
    assert {*table["words"]} == {*LETTERS}, "every kind of word has a letter"
    groups = [f"(?P<{name}>{'|'.join(patterns)})" for name, patterns in both.items()]
    ordered = sorted(groups, key=lambda group: not group.startswith("(?P<skip>"))
    return re.compile("|".join(ordered).replace("<i>", _INDEX), re.IGNORECASE)


def clause(text: str) -> Clause | None:
    """The clause in letters; nothing where a word is unknown or a place is named of no quantity."""
    named: list[Named] = []
    letters, position, words, at, shared = "", 0, _words(), "", ""
    while position < len(text):
        match = words.match(text, position)
        if match is None or match.end() == position:
            return None
        kind, position = match.lastgroup or "", match.end()
        if kind.startswith("q_"):
            place = _place(match.group())
            if place is None or (at and place not in ("any", "t")):
                return None
            one = Named(kind[2:], _AT[at] if at else place, match.group())
            shared, at = at, ""
            if letters.endswith("Q") and named[-1].name == one.name and "any" in (named[-1].place, one.place):
                named[-1] = one if one.place != "any" else named[-1]
                continue
            letters, named = letters + "Q", [*named, one]
            continue
        letter = LETTERS[kind]
        if at and letter:
            return None
        at, letters = (letter, letters) if letter in _AT else (at, letters + letter)
        if letter:
            at, shared = at or (shared if letter == "&" else ""), ""
    return None if at else Clause(letters, tuple(named))


_INDEXED = re.compile(r"_(?:\{(?P<long>[^{}]*)\}|(?P<short>[A-Za-z0-9]))$")


def _place(written: str) -> str | None:
    found = _INDEXED.search(written)
    if found is None or written.endswith(("_old", "_new", "_ref")):
        return "any"
    index = (found["long"] or found["short"]).replace(" ", "")
    return _PLACES.get(index, index if index.isdigit() and int(index) < 4 else None)
