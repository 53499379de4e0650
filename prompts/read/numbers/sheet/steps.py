"""Numbers one by one: A_3 = 0.09 + 0.95·0.505 = 0.570, and lines that each tell of one token: t=1: r=0, V=0.3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from prompts.read.numbers.sheet.arithmetic import adds_up_to
from prompts.read.numbers.sheet.cell import SIGNED, Cell, Series, number
from prompts.read.numbers.sheet.labels import meanings

MOST = 256  # numbers that stand one by one
LONGEST = 400  # characters of a line that tells of one token
_SYMBOL = r"log ?π(?:_(?:ref|new|old))?|[A-Za-zÂÃδρ][A-Za-z_ÂÃ]{0,24}?(?:\^\{?\(?[A-Za-z]{2,4}\)?\}?)?"
_PLACE = r"(?:_\{?(?P<a>\d{1,4})\}?|\[ ?(?P<b>\d{1,4}) ?\]|\((?:s_?\{?|t ?= ?)?(?P<c>\d{1,4})\}?\)|(?P<d>\d{1,2}))"
_INDEXED = re.compile(
    rf"(?<![A-Za-zδρ_\\\d.])(?P<name>{_SYMBOL}){_PLACE}\s*(?:\([^()=\n]*\)\s*)?(?:=|≈|:|：|是|为)\s*(?P<rest>[^\n]*)"
)
_NAMES = (
    "rewards",
    "values",
    "deltas",
    "advantages",
    "returns",
    "mc_returns",
    "mc_advantages",
    "ratio",
    "kl",
    "scores",
    "baselines",
    "whitened",
    "logp",
    "ref_logp",
)
_MANY = re.compile(
    rf"(?<![A-Za-zδρ_\\\d.])(?P<name>{_SYMBOL})_\{{?(?P<places>\d{{1,4}}(?: ?, ?\d{{1,4}})+)\}}?"
    rf"\s*(?:=|≈|:|：|是|为)\s*[\[(]?(?P<cells>{SIGNED}(?: ?[,，、] ?{SIGNED})+)"
)
_OPERAND = re.compile(r"[\w})\]] ?[-+*/·×] ?$")  # it is not δ_2 that δ_1 + δ_2 = 0.6 tells of
_STOPS = re.compile(
    r"[,，;；。、|](?!\d)|\.\s|\.$|\s{2,}"
    r"|(?<=\d)\s(?=[A-Za-zδρ]\w*[_\[({]?\d{0,3}[\])}]?\s?=)|(?:\s(?:and|so|but|which|because|with|where|since|when)\b)|[和而且,]?所以"
)
_OPENED = re.compile(r"\s?[(（][^()（）]*$")  # what is set in between, and goes on behind
_ENDS = re.compile(rf"^\s*[*`$(]*\s*({SIGNED})(?![\d.]*\s*[·*×/+(^-]\s*[\d(.])(?![A-Za-z0-9_])")
_RESULT = re.compile(rf"(?:=|≈|→)\s*[*`$(]*\s*({SIGNED})(?![A-Za-z0-9_])[*`$)\s]*$")
_PREFIX = re.compile(
    r"^\s*(?:[-*•>]\s+|\d+[.)]\s+|#+\s*)?[*`$(\[]*\s*"
    r"(?:(?:t|i|k|step|token|pos(?:ition)?|idx|index|sample|response|第|位置|时刻|步骤|回答|样本)\s*[=#:]?\s*)?(?P<t>\d{1,4})\s*"
    r"(?:步|个)?(?:\s*(?:token|回答|样本))?\s*[\])*`$]*\s*(?:\([^()]*\)|[\"'「][^\"'」]*[\"'」])?\s*[:：,，|\-—]?\s*",
    re.IGNORECASE,
)
_PAIR = re.compile(
    rf"(?P<label>[^=:：,，;；|\d\s](?:\([^()\n]{{0,30}}(?:\([^()\n]{{0,30}}\)[^()\n]{{0,30}}){{0,3}}\)|[^=:：,，;；|\n]){{0,40}}?)\s*(?:=|:|：|≈)\s*"
    rf"(?:(?P<working>[\d.][\d.\s+\-*/·×()]{{2,80}}?)\s*[=≈]\s*)?(?P<x>{SIGNED})(?![A-Za-z0-9_]|\.\d|\s*[-+*/·×]\s*[\d.(])"
)


_OF_ONE = re.compile(r"(?!k_?\{?[123])(?:[A-Za-zδρÂ]|log ?π)[_\[({]{1,2}\d{1,4}[\])}]?")


@dataclass(frozen=True)
class _Step:
    name: str
    place: int
    cell: Cell
    start: int
    end: int


def steps(text: str) -> tuple[list[Series], str]:
    """The series that stand number by number, and the text without them."""
    told, text = _by_line(text)
    found = list(islice(_indexed(text), MOST))
    names = dict.fromkeys(one.name for one in found)
    series = []
    for name in names:
        own = {one.place: one for one in reversed([x for x in found if x.name == name])}
        order = sorted(own)
        series.append(Series(name, tuple(own[t].cell for t in order), indices=tuple(order)))
    for one in found:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return [*told, *series], text


# ---------------------------------------------------------------- A_3 = …


def _indexed(text: str) -> Iterator[_Step]:
    for several in _MANY.finditer(text):
        yield from _of_several(several)
    text = _MANY.sub(lambda several: " " * len(several[0]), text)
    position = 0
    while found := _INDEXED.search(text, position):
        place = next(x for x in (found["a"], found["b"], found["c"], found["d"]) if x is not None)
        named = meanings(found["name"])
        stop = _stop(found["rest"])
        rest = found["rest"][:stop]
        end = found.start("rest") + stop
        alone = named and named[0] in _NAMES and not _OPERAND.search(text, max(0, found.start() - 4), found.start())
        cell = _result(rest, found.start("rest")) if alone else None
        if cell is None:
            position = found.start("rest")
            continue
        yield _Step(found["name"].strip(), int(place), cell, found.start(), end)
        position = max(end, found.start("rest") + 1)


def _of_several(said: re.Match[str]) -> Iterator[_Step]:
    """A_4,5,6 = 0.5, 0.4, 0.3"""
    places, cells = re.findall(r"\d+", said["places"]), [number(x) for x in re.finditer(SIGNED, said["cells"])]
    if len(places) == len(cells) and (meanings(said["name"]) or ("",))[0] in _NAMES:
        for t, one in zip(places, cells, strict=True):
            yield _Step(said["name"], int(t), one._replace(place=one.place + said.start("cells")), *said.span())


def _stop(rest: str) -> int:
    """Where what is said of one number ends: at a comma, or where the next name begins."""
    stop = _STOPS.search(rest)
    end = stop.start() if stop else len(rest)
    opened = _OPENED.search(rest, 0, end)
    return opened.start() if opened else end


def _result(rest: str, start: int) -> Cell | None:
    """The number that a line comes to, and what its own working adds up to."""
    if (last := _RESULT.search(rest)) is not None:
        made, working = adds_up_to(rest[: last.start()])
        found = number(last, 1)
        return found._replace(place=found.place + start, made=made, working=working)
    if (only := _ENDS.match(rest)) is not None:
        found = number(only, 1)
        return found._replace(place=found.place + start)
    return None


# ---------------------------------------------------------------- a line for each token


def _by_line(text: str) -> tuple[list[Series], str]:
    """Lines that give the same names each its number: a series for each name."""
    lines = text.split("\n")
    start, read = 0, []
    for i, line in enumerate(lines):
        if len(line) > LONGEST:
            start += len(line) + 1
            continue
        prefix = _PREFIX.match(line)
        body = prefix.end() if prefix else 0
        pairs = list(_PAIR.finditer(line, body)) or list(_PAIR.finditer(line))
        if len(pairs) > 1 or (prefix and pairs):
            read.append((i, start, int(prefix["t"]) if prefix else None, pairs))
        start += len(line) + 1
    best: dict[tuple[str, ...], list[tuple[int, int, int | None, list[re.Match[str]]]]] = {}
    for entry in read:
        best.setdefault(tuple(_name(p["label"]) for p in entry[3]), []).append(entry)
    names, rows = max(best.items(), key=lambda item: len(item[1]), default=((), []))
    if len(rows) < 2 or sum(bool(meanings(name)) for name in names) < 1 or any(_OF_ONE.fullmatch(n) for n in names):
        return [], text
    indices = [row[2] for row in rows]
    if all(x is not None for x in indices) and indices == sorted(indices, reverse=True):  # type: ignore[type-var]
        rows = rows[::-1]
    series = []
    for k, name in enumerate(names):
        cells = []
        for _, begins, _, pairs in rows:
            one = number(pairs[k], "x")
            made, working = adds_up_to(pairs[k]["working"] or "")
            cells.append(one._replace(place=one.place + begins, made=made, working=working))
        series.append(Series(name, tuple(cells)))
    taken = {row[0] for row in rows}
    return series, "\n".join(" " * len(line) if i in taken else line for i, line in enumerate(lines))


def _name(label: str) -> str:
    return label.strip().strip("\"'*`$([ ").strip()
