"""What is stated of δ, A, R or G of one response whose rewards and values the message has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import formulas
from engine.notation import show
from engine.statistics import total
from prompts.read.worded.basis import Basis
from prompts.read.worded.figure import Figure, figures, without
from prompts.read.worded.finding import Finding, one, row, tex
from prompts.read.worded.naming import QUANTITIES, WHOLE, Named, named
from prompts.read.worded.place import Place, how, places, spans

LONGEST_SHOWN = 8  # numbers
LESSONS = {
    "deltas": "why_not_delta",
    "advantages": "mc_vs_gae",
    "returns": "returns_identity",
    "mc_returns": "mc_vs_gae",
    "mc_advantages": "mc_vs_gae",
    "excess": "telescoping",
    "weighted_deltas": "telescoping",
}
_SIGNS = {
    "nonzero": r"\b(?:non-?zero|not zero|isn't zero)\b|[不非](?:为|是|等于)? ?(?:零|0(?!\.))|≠ ?0",
    "negative": (
        r"\bnegative\b|< ?0(?!\.\d)|\b(?:below|less than|smaller than) (?:0(?!\.)|zero\b)|小于 ?(?:0(?!\.)|零)"
        r"|(?:是|为|全|都)?负(?:的|数|值)?"
    ),
    "positive": (
        r"\bpositive\b|> ?0(?!\.\d)|\b(?:above|greater than|larger than|bigger than) (?:0(?!\.)|zero\b)"
        r"|大于 ?(?:0(?!\.)|零)"
        r"|(?:是|为|全|都)?正(?:的|数|值|好(?!是))(?!好)|(?:是|为)正"
    ),
    "zero": r"\b(?:zero|vanish(?:es)?)\b|(?<!清)(?<!置)(?:是|为|等于|都)?零",
}
SIGN = re.compile("|".join(f"(?P<{n}>{w})" for n, w in _SIGNS.items()), re.IGNORECASE)
TESTS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "nonzero": (lambda x: x != 0, r"\neq 0"),
    "negative": (lambda x: x < 0, "< 0"),
    "positive": (lambda x: x > 0, "> 0"),
    "zero": (lambda x: x == 0, "= 0"),
}
THAN = re.compile(
    r"\b(?:larger|bigger|greater|higher|more|above|exceeds?|beats?)\b|>|大于|高于|超过|比[^,，。]{0,20}(?:大|高|多)",
    re.IGNORECASE,
)
UNDER = re.compile(r"\b(?:smaller|less|lower|below|under)\b|<|小于|低于|比[^,，。]{0,20}(?:小|低|少)", re.IGNORECASE)
SAME = re.compile(
    r"\bequals?\b|\bsame\b|\bidentical\b|=|等于|相等|一样|相同|就是|\bis (?:just |exactly )?(?:its|the|their)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Said:
    """One statement, apart: of which tokens, what of them, and which figures."""

    of: Named
    fact: Sequence[Any]
    at: tuple[int, ...]  # () all tokens
    kinds: frozenset[str]  # sum, mean, largest …
    signs: tuple[re.Match[str], ...]
    stated: Sequence[Figure]
    body: str
    shift: int  # where the subscripts count from

    @property
    def letter(self) -> str:
        return self.of.letter

    @property
    def where(self) -> str:
        alone = len(self.at) == 1 and self.of.name not in WHOLE
        return f"{self.letter}_{{{self.at[0]}}}" if alone else self.letter

    @property
    def chosen(self) -> list[Any]:
        return [self.fact[t] for t in self.at] if self.at else list(self.fact)


def clause_read(spoken: Basis, body: str, target: Named, shift: int) -> list[Finding] | None:
    """One statement on one quantity."""
    fact = spoken.of(target.name)
    among = named(body)
    body = without(body, [(x.start, x.end) for x in among])
    said, several = places(body), how(body)
    rest = without(body, [*spans(said), *((a, b) for _, a, b in several)])
    signs = tuple(SIGN.finditer(rest))
    rest = without(rest, [x.span() for x in signs])
    stated = figures(rest)
    at = _chosen(target, said, len(fact or ()), shift)
    if re.search(r"\d", without(rest, [(x.start, x.end) for x in stated])) or any(x.times or x.both for x in stated):
        return None
    if fact is not None and at is None and not stated and not signs:
        return _between(target, fact, [_at(place, len(fact), shift) for place in said], body)
    if fact is None or at is None:
        return None
    one_said = _Said(target, fact, at, frozenset(kind for kind, _, _ in several), signs, stated, body, shift)
    others = [x for x in among if x.name != target.name or (x.index and x.index != target.index)]
    if others and not stated and not signs:
        return _beside(spoken, one_said, others)
    if len(others) == 1 and len(stated) == 1 and others[0].name == target.name:
        return _apart(one_said, others[0])
    if any(x.name == target.name or stated or x.name in QUANTITIES for x in others):
        return None
    return _signed(one_said) if signs else _told(one_said)


def _chosen(target: Named, said: Sequence[Place], length: int, shift: int) -> tuple[int, ...] | None:
    """The tokens that are meant: () all of them; None where that cannot be said."""
    meant = [target.place] if target.place is not None else said
    ats = {_at(place, length, shift) for place in meant}
    if len(ats) > 1 or any(not at or min(at) < 0 or max(at) >= length for at in ats):
        return None
    return ats.pop() if ats else ()


def _at(place: Place, length: int, shift: int) -> tuple[int, ...]:
    return tuple(t - shift for t in place.among(length + shift)) if place.written else place.among(length)


def _told(said: _Said) -> list[Finding] | None:
    """Figures, or the largest and where it stands."""
    if "sum" in said.kinds and said.stated:
        return one(rf"\sum_t {said.letter}_t", total(said.chosen), said.stated, _sum(said.chosen))
    if "mean" in said.kinds and said.stated:
        mean = formulas.mean(total(said.chosen), len(said.chosen))
        return one(rf"\frac{{1}}{{{len(said.chosen)}}}\sum_t {said.letter}_t", mean, said.stated)
    if said.kinds & {"largest", "smallest"}:
        return _extreme(said)
    if not said.stated or "only" in said.kinds:
        return None
    if len(said.chosen) == 1:
        return one(said.where, said.chosen[0], said.stated)
    if len(said.stated) == len(said.chosen):
        return row(said.letter, said.chosen, said.stated)
    if len(said.stated) > 1:
        return None
    figure = said.stated[0]
    return [Finding(said.letter, tex(figure), said.chosen, all(map(figure.agrees, said.chosen)))]


def _extreme(said: _Said) -> list[Finding] | None:
    side, best = ("max", max(said.fact)) if "largest" in said.kinds else ("min", min(said.fact))
    name = rf"\{side}_t {said.letter}_t"
    listed = r",\ ".join(show(x).latex for x in said.fact)
    working = rf"\{side}({listed})" if len(said.fact) <= LONGEST_SHOWN else ""
    if said.stated and not said.at:
        return one(name, best, said.stated, working)
    if len(said.at) != 1 or said.stated:
        return None
    there = said.chosen[0]
    return [Finding(name, f"{said.where} = {show(there).latex}", best, there == best, working)]


def _signed(said: _Said) -> list[Finding] | None:
    """Positive, negative, zero: of one, of all, of these only."""
    if len({x.lastgroup for x in said.signs}) > 1 or said.stated or said.kinds & {"largest", "smallest"}:
        return None
    test, shown = TESTS[said.signs[0].lastgroup or ""]
    if said.kinds & {"sum", "mean"}:
        x = total(said.chosen)
        return [Finding(rf"\sum_t {said.letter}_t", shown, x, test(x), _sum(said.chosen))]
    if "only" in said.kinds:
        which = {t for t, x in enumerate(said.fact) if test(x)}
        tokens = rf"{shown}\ (t = {', '.join(map(str, said.at))})"
        return [Finding(f"{said.letter}_t", tokens, list(said.fact), which == {*said.at})] if said.at else None
    correct = said.chosen[0] if len(said.chosen) == 1 else said.chosen
    return [Finding(said.where, shown, correct, all(map(test, said.chosen)))]


def _beside(spoken: Basis, said: _Said, others: Sequence[Named]) -> list[Finding] | None:
    """The last return equals its reward: two quantities of a token, without a figure."""
    other = others[0]
    there = spoken.of(other.name)
    at = said.at if other.place is None else _at(other.place, len(said.fact), said.shift)
    if there is None or len(others) > 1 or len(said.at) != 1 or len(at) != 1 or not 0 <= at[0] < len(there):
        return None
    x, y = said.chosen[0], there[at[0]]
    relations = {">": (THAN, x > y), "<": (UNDER, x < y), "=": (SAME, x == y)}
    for relation, (words, holds) in relations.items():
        if words.search(said.body):
            shown = f"{relation}\\ {other.at(at[0])} = {show(y).latex}"
            return [Finding(said.where, shown, x, holds)]
    return None


def _between(of: Named, fact: Sequence[Any], ats: Sequence[tuple[int, ...]], body: str) -> list[Finding] | None:
    """The first advantage is larger than the last."""
    more, less = THAN.search(body), UNDER.search(body)
    if len(ats) != 2 or any(len(at) != 1 or not 0 <= at[0] < len(fact) for at in ats) or bool(more) == bool(less):
        return None
    (first,), (second,) = ats
    x, y = fact[first], fact[second]
    shown = f"{'>' if more else '<'}\\ {of.at(second)} = {show(y).latex}"
    return [Finding(f"{of.at(first)}", shown, x, x > y if more else x < y)]


def _apart(said: _Said, other: Named) -> list[Finding] | None:
    """A_0 is 1 larger than A_1."""
    at = () if other.place is None else _at(other.place, len(said.fact), said.shift)
    more, less = THAN.search(said.body), UNDER.search(said.body)
    if len(said.at) != 1 or len(at) != 1 or not 0 <= at[0] < len(said.fact) or bool(more) == bool(less):
        return None
    x, y = said.chosen[0], said.fact[at[0]]
    there = f"{other.at(at[0])}"
    if more:
        return one(f"{said.where} - {there}", x - y, [replace(said.stated[0], relation="")])
    return one(f"{there} - {said.where}", y - x, [replace(said.stated[0], relation="")])


def _sum(xs: Sequence[Any]) -> str:
    if len(xs) > LONGEST_SHOWN:
        return ""
    return " + ".join(show(x).latex if x >= 0 else f"({show(x).latex})" for x in xs)
