"""Lists with a word among their numbers: rewards = [0, tiny, 1]. They cannot be computed with, and can be named."""

from __future__ import annotations

from dataclasses import dataclass

from prompts.read.numbers.cues import LISTS, links
from prompts.read.numbers.grouping import Grouping
from prompts.read.numbers.token import Token

FURTHEST = 4  # tokens between a list and its name
_SEPARATES = frozenset(["comma", "newline"])


@dataclass(frozen=True)
class Spoiled:
    """A list by name, the place of the entry that is no number, and the entry as it was written."""

    name: str
    place: int
    entry: str


def spoiled(text: str, tokens: list[Token], grouping: Grouping) -> tuple[Spoiled, ...]:
    """Every list that was named and has an entry in words."""
    found = [_inside(text, tokens, opening, closing) for opening, closing in grouping.partner.items()]
    found += [_bare(text, tokens, g.first) for g in grouping.groups if not g.bracketed]
    return tuple(one for one in found if one is not None)


def _inside(text: str, tokens: list[Token], opening: int, closing: int) -> Spoiled | None:
    name = _name(tokens, opening) if tokens[opening].text == "[" else None
    return _read(text, name, _entries(tokens[opening + 1 : closing])) if name is not None else None


def _bare(text: str, tokens: list[Token], first: int) -> Spoiled | None:
    """Numbers without brackets, a word between commas, and numbers again."""
    name, last = _name(tokens, first), first
    if name is None:
        return None
    while last < len(tokens) and tokens[last].kind in ("number", "word", *_SEPARATES):
        last += 1
    entries = _entries(tokens[first:last])
    while entries and not _is_number(entries[-1][:1]):
        entries.pop()
    entries[-1:] = [entry[:1] for entry in entries[-1:]]  # what follows the last number is the sentence
    return _read(text, name, entries)


def _entries(tokens: list[Token]) -> list[list[Token]]:
    entries: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in _SEPARATES:
            entries.append([])
        else:
            entries[-1].append(token)
    return entries


def _read(text: str, name: str, entries: list[list[Token]]) -> Spoiled | None:
    """Only words and numbers, an entry of each: what holds a name or an operator is a formula."""
    plain = all(entry and all(t.kind in ("number", "word", "quote") for t in entry) for entry in entries)
    words = [i for i, entry in enumerate(entries) if any(t.kind == "word" for t in entry)]
    if not plain or not words or not any(map(_is_number, entries)):
        return None
    entry = entries[words[0]]
    return Spoiled(name, words[0], text[entry[0].start : entry[-1].end])


def _is_number(entry: list[Token]) -> bool:
    return len(entry) == 1 and entry[0].kind == "number"


def _name(tokens: list[Token], first: int) -> str | None:
    """The list that is named right before a token."""
    for token in reversed(tokens[max(0, first - FURTHEST) : first]):
        if token.sense is not None:
            return token.sense.meaning if token.sense.meaning in LISTS else None
        if token.kind not in ("equals", "quote") and not (token.kind == "word" and links(token.text)):
            return None
    return None
