"""A message to the pieces that a change is made of: operations, places, names, numbers, small words, boundaries."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prompts.read.numbers.cues import LISTS, SCALARS
from prompts.read.numbers.edits.edit import END, EVERY, FRONT, THERE, Place
from prompts.read.numbers.grouping import Group
from prompts.read.numbers.token import Token

_READ = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "两": 2} | {
    c: i + 1 for i, c in enumerate("一二三四五六七八九十")
}
_ASSIGN = {"+": "raise", "-": "lower", "*": "times", "/": "divide"}
_BOUNDARIES = (
    ("stop", re.compile(r"[。?!;\n]|\.(?=\s|$)")),
    ("comma", re.compile(r"[,:、]")),
    ("and", re.compile(r"\b(?:and|then|plus)\b|和|与|并且?|同时|然后|接着|再(?=把)|且", re.IGNORECASE)),
)
_LABEL = re.compile(r"(?P<quote>[\"'`])(?P<label>[^\"'`\n]{1,32})(?P=quote)")
_FILLER = re.compile(
    r"\b(?:a|an|the|now|just|please|only|value|values|number|being|as|well|too|also|its?)\b"
    r"|还是|一下|[的将数值那这为个再也吧呀啊嘛就请]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+|\S")


def _compiled() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    families = [family for family in _READ if family != "numbers"]
    return tuple(
        (family, kind, re.compile("|".join(spellings), re.IGNORECASE | re.ASCII))
        for family in families
        for kind, spellings in _READ[family].items()
    )


_CUES = _compiled()
_SPELT = {word: float(value) for word, value in _READ["numbers"].items()}
_NUMERAL = re.compile(
    "|".join(rf"\b{word}\b" if word.isascii() else word for word in sorted(_SPELT, key=len, reverse=True)),
    re.IGNORECASE,
)
_ASSIGNMENT = re.compile(r"([+\-*/]) ?=(?!=)")


@dataclass(frozen=True)
class Piece:
    """family: op, place, name, number, list, factor, link, noun, mood, stop, comma, and, label, numeral, filler,
    other."""

    family: str
    kind: str
    start: int
    end: int
    value: Any = None
    index: int | str | None = None  # a name's subscript
    group: int = -1  # the first token of a number's or list's group


def pieces(text: str, tokens: list[Token], groups: tuple[Group, ...]) -> list[Piece]:
    """The pieces in the order of the text; where several could begin, the longest."""
    by_start = _cues(text)
    for token in tokens:
        if token.sense is not None and token.sense.meaning in LISTS | SCALARS and not token.sense.tight:
            weak = "weak" if token.sense.weak else "strong"
            named = Piece("name", weak, token.start, token.end, token.sense.meaning, token.subscript)
            by_start.setdefault(token.start, []).append(named)
    for group in groups:
        if group.value is None:  # the word none, which is no number
            continue
        family = "number" if group.scalar else "list"
        found = Piece(family, text[group.start : group.end], group.start, group.end, group.value, group=group.first)
        by_start.setdefault(group.start, []).append(found)
    starts = sorted(by_start)
    result: list[Piece] = []
    position = 0
    while position < len(text):
        at = bisect_left(starts, position)
        following = starts[at] if at < len(starts) else len(text)
        if following > position:
            result += _between(text, position, following)
        if at < len(starts):
            best = max(by_start[following], key=_weight)
            result.append(best)
            position = max(best.end, following + 1)
        else:
            position = len(text)
    return result


def _weight(piece: Piece) -> tuple[int, int]:
    """The longest wins; of the same length, what is surest: a weak name comes last, before it any cue."""
    kind = "weak" if piece.kind == "weak" else piece.family
    return (piece.end - piece.start, _SURENESS.get(kind, 1))


_SURENESS = {"op": 4, "number": 3, "list": 3, "name": 3, "numeral": 2, "weak": 0}


def _between(text: str, low: int, high: int) -> list[Piece]:
    """What is no known piece, word by word."""
    return [Piece("other", word.group(), word.start(), word.end()) for word in _WORD.finditer(text, low, high)]


def _cues(text: str) -> dict[int, list[Piece]]:
    found: dict[int, list[Piece]] = {}

    def add(piece: Piece) -> None:
        found.setdefault(piece.start, []).append(piece)

    for family, kind, pattern in _CUES:
        for match in pattern.finditer(text):
            if match.end() > match.start():
                add(_cue(family.removesuffix("s"), kind, match))
    for piece in [*_boundaries(text), *_fixed(text)]:
        add(piece)
    return found


def _boundaries(text: str) -> Iterator[Piece]:
    for boundary, pattern in _BOUNDARIES:
        for match in pattern.finditer(text):
            yield Piece(boundary, "soft" if match.group() in "?\n" else boundary, *match.span())


def _fixed(text: str) -> Iterator[Piece]:
    """Labels, numbers in words, += and the words between."""
    for match in _LABEL.finditer(text):
        yield Piece("label", "label", *match.span(), match["label"])
    for match in _NUMERAL.finditer(text):
        yield Piece("numeral", "numeral", *match.span(), _SPELT[match.group().lower()])
    for match in _ASSIGNMENT.finditer(text):
        yield Piece("op", _ASSIGN[match[1]], *match.span())
    for match in _FILLER.finditer(text):
        yield Piece("filler", "filler", *match.span())


def _cue(family: str, kind: str, match: re.Match[str]) -> Piece:
    if family == "factor":
        written = next(part for part in match.groups() if part is not None)
        return Piece(family, kind, *match.span(), float(_COUNTS.get(written.lower()) or written))
    if family == "place" and match.group()[:4].lower() in ("toke", "step"):
        kind = "at_token"
    return Piece(family, kind, *match.span(), _place(kind, match) if family == "place" else None)


def _count(written: str) -> int:
    return _COUNTS.get(written.lower()) or int(written)


def _place(kind: str, match: re.Match[str]) -> Place | None:
    """The place that a place word speaks of."""
    said = {name: part for name, part in match.groupdict().items() if part is not None}
    fixed = {
        "front": FRONT,
        "end": END,
        "there": THERE,
        "every": EVERY,
        "middle": Place("middle"),
        "end_or_after": END,
        "front_or_before": FRONT,
    }
    if kind in fixed:
        return fixed[kind]
    if kind == "span":
        last = said.get("side", "").lower() in ("last", "final") or said.get("zh_side") in ("后", "最后", "末尾")
        count = _count(said.get("count") or said["zh_count"])
        return Place("span", (-count, None) if last else (0, count))
    if kind == "back_from_end":
        return Place("at", -_from_end(said))
    if kind in ("at_number", "at_token"):
        if "index" in said:
            return Place("at", int(said["index"]))
        return Place("at", _count(said.get("nth") or said.get("th") or said["zh_nth"]) - 1)
    if kind == "at_word":
        return Place("at", _ORDINALS.index(said["ordinal"].lower()))
    return {"at_last": Place("at", -1), "at_first": Place("at", 0)}.get(kind)


def _from_end(said: dict[str, str]) -> int:
    if "back" in said:
        return _count(said["back"])
    word = said.get("back_word", "second").lower()
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[0])
