"""A proposition is something learners claim or ask about, with a check that runs.

propositions.toml, one table for each:
    [includes_own_reward]
    affirmed = ["V(t) contains r(t)", "V_t 包含 r_t 吗", …]      ways to say or ask it, both languages
    denied   = ["r_t is not part of V_t", "V_t 不含 r_t", …]     ways to say or ask the opposite
    because.zh = "…"   because.en = "…"                          why, in words around what the check found

lesson.py: PROPOSITIONS = {"includes_own_reward": check}, check(scenario) -> Judged
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from engine.scenario import Scenario

Verdict: TypeAlias = Literal["true", "false", "depends"]
_CHINESE, _ASKED = (
    re.compile(r"[\u3400-\u9fff]"),
    re.compile(
        r"[?？]|[吗么吧]$|\bright\W*$|^(?:is|are|do|does|can|so|surely|i|i'm|isn't|aren't|doesn't|don't)\b|我|难道",
        re.I,
    ),
)
_OPPOSITE: Mapping[Verdict, Verdict] = {"true": "false", "false": "true", "depends": "depends"}


@dataclass(frozen=True)
class Judged:
    """The verdict on the affirmed form, and the numbers that it rests on (for the words of `because`)."""

    verdict: Verdict
    found: Mapping[str, Any] = field(default_factory=dict)


Check: TypeAlias = Callable[[Scenario], Judged]


@dataclass(frozen=True)
class Proposition:
    id: str
    affirmed: tuple[str, ...]
    denied: tuple[str, ...]
    because: Mapping[str, str]
    check: Check

    def judge(self, scenario: Scenario, *, denied: bool) -> Judged:
        """The verdict on what was said: on the opposite of the proposition, the opposite."""
        judged = self.check(scenario)
        return Judged(opposite(judged.verdict), judged.found) if denied else judged

    def stated(self, language: str, *, denied: bool) -> str:
        """One of the ways to say it, or its opposite: a statement where there is one."""
        texts = [
            t for t in (self.denied if denied else self.affirmed) if bool(_CHINESE.search(t)) == (language == "zh")
        ]
        return next(filter(_states, texts), texts[0])


def _states(text: str) -> bool:
    """Whether it is no question."""
    return _ASKED.search(text) is None


def opposite(verdict: Verdict) -> Verdict:
    return _OPPOSITE[verdict]


def holds(statement: bool) -> Verdict:
    return "true" if statement else "false"


def read(path: Path, checks: Mapping[str, Check], languages: tuple[str, ...]) -> dict[str, Proposition]:
    """The propositions of a lesson; words without a check or a check without words raise ValueError."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    if set(tables) != set(checks):
        raise ValueError(f"{path}: words and checks differ in {sorted(set(tables) ^ set(checks))}")
    found = {}
    for id, table in tables.items():
        if set(table) != {"affirmed", "denied", "because"} or set(table["because"]) != set(languages):
            raise ValueError(f"{path}: {id} needs affirmed, denied and because.{'/'.join(languages)}")
        if not table["affirmed"] or not table["denied"]:
            raise ValueError(f"{path}: {id} needs phrasings of both polarities")
        found[id] = Proposition(id, tuple(table["affirmed"]), tuple(table["denied"]), table["because"], checks[id])
    return found
