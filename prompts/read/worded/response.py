"""The response that a sentence speaks of: its rewards and values, γ and λ, and what follows from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from prompts.read.worded.basis import Basis
from prompts.read.worded.figure import without
from prompts.read.worded.settings import Given

LONGEST = 64  # tokens
LONGEST_LEANING = 80  # characters of what is said of numbers that were there before
_IN_ANOTHER_CASE = re.compile(
    r"\b(?:if|when|would|could|changes?|affects?|instead|without|padding|eos)\b|如果|要是|假如|若|影响|改|换|变"
    r"|会不会|之后",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:(?:response|回答|回复|序列)?(?:长度|length)[^\d,]{0,6})?(?<![\d.])(\d{1,3})[ -]?(?:个|步|条)?"
    r"(?:response |reply )?(?:tokens?|steps?|词元|个|步|δ|A\b|优势|deltas?|advantages?|TD|td|returns?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Response:
    rewards: tuple[Fraction, ...]
    values: tuple[Fraction, ...] | None
    gamma: Fraction
    lam: Fraction | None

    def of(self, name: str) -> list[Any] | None:
        """The fact of that name for every token; None where it takes what is not there."""
        lists = {"rewards": self.rewards, "values": self.values}
        known = {name: row for name, row in lists.items() if row is not None}
        return Basis(known, self.gamma, self.lam if self.values is not None else None).of(name)


def response(own: Given, standing: Mapping[str, Any]) -> tuple[Response, str] | None:
    """The response that is spoken of, from the message or from before, and the words without its length."""
    lists = {**_flat(standing, own), **own.lists}
    rewards, values, body = lists.get("rewards"), lists.get("values"), own.body
    counted = [int(found[1]) for found in _COUNTED.finditer(body)]
    length = len(rewards or values or ()) or max(counted, default=0)
    if rewards is None and own.at_the_end is not None and 0 < length <= LONGEST:
        rewards = (*(Fraction(0) for _ in range(length - 1)), own.at_the_end)
    if values is None and own.everywhere is not None and 0 < length <= LONGEST:
        values = (own.everywhere,) * length
    if rewards is None or not 0 < len(rewards) <= LONGEST or (values is not None and len(values) != len(rewards)):
        return None
    told = [found.span() for found in _COUNTED.finditer(body) if int(found[1]) == len(rewards)]
    body = without(body, [(a, a + len(str(len(rewards)))) for a, _ in told])
    gamma, lam = (own.numbers.get(name, _rate(standing, name)) for name in ("gamma", "lam"))
    return Response(rewards, values, Fraction(1) if gamma is None else gamma, lam), body


def _flat(standing: Mapping[str, Any], own: Given) -> dict[str, tuple[Fraction, ...]]:
    alone = own.lists or own.unnamed or own.everywhere is not None or own.at_the_end is not None
    if alone or len(own.body) > LONGEST_LEANING or _IN_ANOTHER_CASE.search(own.body):
        return {}
    there = {name: standing.get(name) for name in ("rewards", "values")}
    return {
        name: tuple(Fraction(str(x)) for x in row)
        for name, row in there.items()
        if isinstance(row, list | tuple) and row and not any(isinstance(x, list | tuple) for x in row)
    }


def _rate(standing: Mapping[str, Any], name: str) -> Fraction | None:
    x = standing.get(name)
    return Fraction(str(x)) if isinstance(x, int | float) else None
