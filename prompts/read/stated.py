"""Claims with the digits that they show, in the order of the text: found again in the message as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.audits import Claim, audit, decimals
from engine.scenario import Scenario
from prompts.read.characters import clean
from prompts.read.statement import Statement

WIDEST_TABLE = 12  # numbers between one cell of a column and the next
_LITERAL = re.compile(r"(?:\d++(?:\.\d*+)?+|\.\d++)")
_PLACE = re.compile(r"(?P<name>\w+)\[(?P<index>\d+)\]")
_SUPPOSED = re.compile(
    r"(?:如果|要是|假如|假设|若|倘若)(?:是)?(?:我|有人|别人|同学|答案|他|她)[^,，。]{0,8}?(?:写|说|算|填|答|给|得)"
    r"|\b(?:if|suppose|imagine|say)\b[^,.;?]{0,16}\b(?:I|someone|somebody|he|she|they)(?:'d| had| have)?"
    r" (?:written|wrote|write|said|say|says|claims?|claimed|got|had|put)\b",
    re.IGNORECASE,
)
_OF_ONE_STEP = re.compile(r"\w+\[t(\+1)?\]")
STEP = "deltas[t]"


@dataclass(frozen=True)
class _Literal:
    """A numeral of the message, without its sign."""

    value: float
    decimals: int


def claims(claimed: Mapping[str, Any], given: Mapping[str, Any], message: str) -> tuple[Claim, ...]:
    """What was claimed, in the order in which the text says it."""
    literals = [_literal(found.group()) for found in _LITERAL.finditer(clean(message))]
    used: set[int] = set()
    for numbers in given.values():
        used |= set(_places(_flat(numbers), literals, used))
    found = []
    for name, stated in claimed.items():
        if _OF_ONE_STEP.fullmatch(name) and name != STEP:
            continue
        places = tuple(_places(_flat(stated), literals, used))
        used |= set(places)
        shown = max((literals[i].decimals for i in places), default=0) or decimals(stated)
        found.append(_claim(name, stated, shown, places))
    return tuple(sorted(found, key=lambda claim: min(claim.places, default=len(literals))))


def one_step(claimed: Mapping[str, Any]) -> dict[str, list[float]]:
    """The lists behind one stated TD error: r and V of a token, and the next V."""
    if not {STEP, "rewards[t]", "values[t]", "values[t+1]"} <= set(claimed):
        return {}
    return {"rewards": [claimed["rewards[t]"], 0.0], "values": [claimed["values[t]"], claimed["values[t+1]"]]}


def at_one_lambda(own: Scenario, claimed: Mapping[str, Any], stated: Sequence[Claim]) -> Scenario:
    """Of the λ that are spoken of the one that is meant of what is stated: at which the fewest numbers are wrong."""
    if "sweep" in claimed or own.lams is None or own.lam is not None:
        return own
    ways = [own.merged({"lam": lam, "lams": None}) for lam in own.lams]
    return min(ways, key=lambda way: len(audit(way, stated).wrong))


def as_exactly(stated: Statement, message: str, earlier: Iterable[Mapping[str, Any]]) -> Statement:
    """A supposed list to the digits of the one that was stated before: and if I had written [0.7, 0.6] instead?"""
    if not _SUPPOSED.search(clean(message)):
        return stated
    before = list(earlier)
    shown = {
        claim.name: max((decimals(told[claim.name]) for told in before if claim.name in told), default=0)
        for claim in stated.claims
        if isinstance(claim.stated, list)
    }
    sharper = (replace(claim, decimals=max(claim.decimals, shown.get(claim.name, 0))) for claim in stated.claims)
    return replace(stated, claims=tuple(sharper))


def _claim(name: str, stated: Any, shown: int, places: tuple[int, ...]) -> Claim:
    place = _PLACE.fullmatch(name)
    if name == STEP:
        return Claim("deltas", stated, shown, 0, places)
    if place:
        return Claim(place["name"], stated, shown, int(place["index"]), places)
    return Claim(name, stated, shown, None, places)


def _literal(text: str) -> _Literal:
    return _Literal(float(text), len(text.partition(".")[2]))


def _flat(stated: Any) -> list[float]:
    return [abs(x) for x in _numbers(stated)]


def _numbers(stated: Any) -> Iterator[float]:
    if isinstance(stated, Mapping):
        stated = list(stated.values())
    if isinstance(stated, Sequence) and not isinstance(stated, str):
        for part in stated:
            yield from _numbers(part)
    elif isinstance(stated, int | float):
        yield float(stated)


def _places(values: Sequence[float], literals: Sequence[_Literal], used: set[int]) -> list[int]:
    """Where the numbers stand: one after the other, or one below the other in a table; none if nowhere."""
    for stride in range(1, WIDEST_TABLE + 1 if len(values) > 1 else 2):
        for start in range(len(literals) - stride * (len(values) - 1)):
            places = range(start, start + stride * len(values), stride)
            here = all(literals[i].value == x for i, x in zip(places, values, strict=True))
            if values and here and not used & set(places):
                return list(places)
    return []
