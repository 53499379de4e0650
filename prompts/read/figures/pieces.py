"""A sentence cut into names, numbers, lists, places and the words of words.toml; any other word ends the reading."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from functools import cache
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from prompts.read.figures.figure import NUMERAL, Figure, figure
from prompts.read.numbers.groups import group
from prompts.read.numbers.token import Token
from prompts.read.numbers.tokens import scan

_FILE = Path(__file__).with_name("words.toml")
_ZH = dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
_EN = {w: k for k, w in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"))}
_MANY = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PLACE = re.compile(
    rf"(?:第 ?(?P<zh>\d{{1,3}}|[一二三四五六七八九十]) ?[个步位条项]?|\b(?P<en>{'|'.join(_EN)})\b(?![- ]to[- ])"
    rf"|\b(?P<end>first|last|final) (?P<k>two|three|four|\d)\b|(?P<zhend>最后|前)(?P<zhk>[两二三四])[个步]"
    r"|倒数第? ?(?P<back>\d{1,3}|[一二三四五六七八九十]) ?[个步]?|(?P<next>\bsecond[- ]to[- ]last\b|\bpenultimate\b)"
    r"|(?P<last>\b(?:very )?(?:last|final)\b|最后(?:一?[个步条])?|末位|末尾))",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?P<n>\d{1,3}|[一两二三四五六七八九十]|two|three|four|five|six)(?: ?[个条步] ?| |-)(?=token|词元|δ|TD|delta"
    r"|advantage|return|reward|优势|回报|response|回答|A\b|R\b)",
    re.IGNORECASE,
)
_LATER = re.compile(r"t ?\+ ?1|tp1|'")
_NEXT = re.compile(r"\bnext\b|下一?个")
_OTHERWISE = {"kl_values": "k1", "next_value": "next values"}
_SKIPPED = frozenset(["tokens", "length", "other", "mask"])  # names of nothing that is computed here


class Piece(NamedTuple):
    kind: str  # name, figure, list, place, count, or a kind of words.toml
    text: str
    name: str = ""
    subscript: int | None = None  # as it is written
    figure: Figure | None = None
    row: tuple[Fraction, ...] = ()
    at: tuple[int, ...] = ()  # from the end where negative
    weak: bool = False


def pieces(text: str) -> list[Piece] | None:
    """All of it; None where something is not understood."""
    tokens = scan(text)
    lists = {
        one.start: (one.end, one.value)
        for one in group(tokens).groups
        if isinstance(one.value, list) and text[one.start] == "["
    }
    names = {token.start: token for token in tokens if token.kind == "name" and token.sense is not None}
    found: list[Piece] = []
    position, later = 0, False
    while position < len(text):
        if position in lists:
            position, row = lists[position]
            if any(not isinstance(x, float) or not isfinite(x) for x in row):
                return None
            found.append(Piece("list", "", row=tuple(Fraction(str(x)) for x in row)))
            continue
        token = names.get(position)
        one = _place(text, position)
        if one is None and token is not None and token.sense is not None and not token.sense.weak:
            one = _named(token, text)
        one = one or _figure(text, position) or _word(text, position)
        if one is None and token is not None:
            one = _named(token, text)
        if one is None:
            return None
        if one.kind == "later":
            later = True
        elif one.kind == "name" and later:
            one, later = one._replace(name=f"next {one.name}"), False
        if one.kind not in ("fill", "later"):
            found.append(one)
        position += len(one.text)
    return _joined(found)


def _named(token: Token, text: str) -> Piece | None:
    assert token.sense is not None
    written = text[token.start : token.end]
    name = _OTHERWISE.get(token.sense.meaning, token.sense.meaning)
    if name in _SKIPPED or "^" in written:
        return Piece("fill", written) if name in ("tokens", "length") else None
    if name == "mean":
        return Piece("mean", written)
    index = token.subscript if isinstance(token.subscript, int) else None
    return Piece("name", written, f"next {name}" if _LATER.search(written) else name, index, weak=token.sense.weak)


def _joined(found: list[Piece]) -> list[Piece]:
    """Two names beside one another as one: the actor's logp, the reference's logp."""
    joined: list[Piece] = []
    for piece in found:
        if joined and piece.kind == joined[-1].kind == "name" and joined[-1].weak:
            whose = joined.pop().name
            piece = piece._replace(name=whose if piece.name == "logp" else piece.name)
        joined.append(piece)
    return joined


def _place(text: str, start: int) -> Piece | None:
    later = _NEXT.match(text, start)
    if later is not None:
        return Piece("later", later[0])
    count = _COUNT.match(text, start)
    if count is not None and not text[start - 1 : start].isdigit():
        return Piece("count", count[0], subscript=_number(count["n"]))
    found = _PLACE.match(text, start)
    if found is None:
        return None
    if found["k"] or found["zhk"]:
        n = _number(found["k"] or found["zhk"])
        ahead = (found["end"] or found["zhend"]).lower() in ("first", "前")
        return Piece("place", found[0], at=tuple(range(n)) if ahead else tuple(range(-n, 0)))
    if found["zh"]:
        return Piece("place", found[0], at=(_number(found["zh"]) - 1,))
    if found["en"]:
        return Piece("place", found[0], at=(_EN[found["en"].lower()],))
    back = 2 if found["next"] else _number(found["back"]) if found["back"] else 1
    return Piece("place", found[0], at=(-back,))


def _number(written: str) -> int:
    return int(written) if written.isdecimal() else {**_ZH, **_MANY}[written.lower()]


def _figure(text: str, start: int) -> Piece | None:
    found = NUMERAL.match(text, start)
    one = figure(found) if found is not None else None
    return Piece("figure", found[0], figure=one) if found is not None and one is not None else None


def _word(text: str, start: int) -> Piece | None:
    found = _words().match(text, start)
    if found is None or not found[0]:
        return None
    kind, _, name = (found.lastgroup or "").partition("__")
    return Piece(kind, found[0], name=name)


@cache
def _words() -> re.Pattern[str]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    every = {f"name__{name}": pattern for name, pattern in table.pop("name").items()} | {
        kind: "|".join(patterns) for kind, patterns in table.items()
    }
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in every.items()), re.IGNORECASE)
