"""Which end has the bias and which the variance: statements that name both, read by who is said to have what."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")
_OF_STEPS = re.compile(r"(?<![a-z])n(?![a-z])", re.IGNORECASE)
_SIDES = {"far": 1, "near": -1}
_DIRECTIONS = {"up": 1, "down": -1}
_WHOLE = {  # what says an attribute and its direction at once
    "like_far": ("variance", 1),
    "like_near": ("variance", -1),
    "leans": ("bias", 1),
    "own_bias": ("bias", 1),
    "own_variance": ("variance", 1),
}


@dataclass(frozen=True)
class Tradeoff:
    """Whether what is said of bias and variance is as it is, or the other way round."""

    of_steps: bool
    right: bool

    @property
    def denied(self) -> bool:
        return not self.right

    @property
    def proposition(self) -> tuple[str, str]:
        if self.of_steps:
            return "gae_mixture", "more_steps_less_bias_more_variance"
        return "why_lambda", "larger_lambda_less_bias_more_variance"


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The pieces, and what may stand beside them."""
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))

    def spelt(pattern: str) -> str:
        return re.sub(r"«(\w+)»", lambda found: tables["stands_for"][found[1]], pattern)

    pieces = "|".join(f"(?P<{kind}>{spelt('|'.join(ways))})" for kind, ways in tables["pieces"].items())
    return re.compile(pieces, re.IGNORECASE), re.compile("|".join(tables["no_more"]["because"]), re.IGNORECASE)


def tradeoff(sentence: str) -> Tradeoff | None:
    """What a sentence says of both, if all of it is one way round."""
    pattern, no_more = _patterns()
    pieces = [(str(found.lastgroup), found.group()) for found in pattern.finditer(no_more.sub(" ", sentence))]
    said = _said([kind for kind, _ in pieces])
    if {attribute for _, attribute, _ in said} != {"bias", "variance"}:
        return None
    ways = {side * direction * (1 if attribute == "variance" else -1) for side, attribute, direction in said}
    of_steps = any(kind in _SIDES and _OF_STEPS.search(text) for kind, text in pieces)
    return Tradeoff(of_steps, ways == {1}) if ways in ({1}, {-1}) else None


def _said(kinds: list[str]) -> list[tuple[int, str, int]]:
    """Whose, what, and more or less: every attribute with the direction beside it and the side named before."""
    side, said = 0, []
    half: dict[str, str] = {}
    for kind in kinds:
        if kind == "beyond" or (kind in _SIDES and half):
            return []
        if kind in _SIDES:
            side = _SIDES[kind]
        elif kind in _WHOLE:
            said.append((side, *_WHOLE[kind]))
        else:
            name = "direction" if kind in _DIRECTIONS else "attribute"
            if name in half:
                return []
            half[name] = kind
            if len(half) == 2:
                said.append((side, half["attribute"], _DIRECTIONS[half["direction"]]))
                half = {}
    return [] if half else said
