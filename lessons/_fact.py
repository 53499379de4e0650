"""A fact is a true sentence, with a check that runs and a reason in words around what the check found.

facts.toml, one table for each:
    [includes_own_reward]
    says.zh = "…"      says.en = "…"         the sentence: true as it stands, complete (prompts/tell/says.py)
    because.zh = "…"   because.en = "…"      why, in words around what the check found
    sources = ["gae"]                        where it speaks of projects: topics of _sources.toml that it rests on
    claim = "…"        found.sum = "…"       what is affirmed, and the numbers of its reason, as data (_statement.py)
[given]                                      terms that several facts of the file name: good = "{r = [0, 1], …}"

asked.toml, what the reading learns from:
    [includes_own_reward]
    asked    = ["why does V_t count r_t?", …]                    open questions that the fact answers
    affirmed = ["V(t) contains r(t)", "V_t 包含 r_t 吗", …]      ways to state what the check is of
    denied   = ["r_t is not part of V_t", "V_t 不含 r_t", …]     ways to state its opposite

lesson.py: FACTS = {"includes_own_reward": check}, check(scenario) -> Judged: the verdict on what is affirmed, of the
facts that claim nothing as data
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from engine.scenario import Scenario

Verdict: TypeAlias = Literal["true", "false", "depends"]
_WORDS = {"says", "because", "sources"}
_OPPOSITE: Mapping[Verdict, Verdict] = {"true": "false", "false": "true", "depends": "depends"}


@dataclass(frozen=True)
class Judged:
    """The verdict on the affirmed form, and the numbers that it rests on (for the words of `because`)."""

    verdict: Verdict
    found: Mapping[str, Any] = field(default_factory=dict)


Check: TypeAlias = Callable[[Scenario], Judged]


@dataclass(frozen=True)
class Fact:
    id: str
    says: Mapping[str, str]  # by language; empty where a computation is told on the spot
    because: Mapping[str, str]
    check: Check
    sources: tuple[str, ...] = ()
    claimed: bool = False  # as data, by a statement

    def judge(self, scenario: Scenario, *, denied: bool) -> Judged:
        """The verdict on what was said: on the opposite of what is checked, the opposite."""
        judged = self.check(scenario)
        return Judged(opposite(judged.verdict), judged.found) if denied else judged


def opposite(verdict: Verdict) -> Verdict:
    return _OPPOSITE[verdict]


def holds(statement: bool) -> Verdict:
    return "true" if statement else "false"


def tables(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The tables of a lesson's facts, and the terms that they share."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return found, found.pop("given", {})


def read(path: Path, checks: Mapping[str, Check], languages: tuple[str, ...]) -> dict[str, Fact]:
    """The facts of a lesson. Each has words, and either a claim or a check in `checks`; else ValueError."""
    from lessons import _statement

    found, shared = tables(path)
    claimed = {id for id, table in found.items() if "claim" in table}
    if set(found) != claimed | set(checks) or claimed & set(checks):
        odd = (set(found) ^ (claimed | set(checks))) | (claimed & set(checks))
        raise ValueError(f"{path}: words without a check, checks without words, or two checks: {sorted(odd)}")
    for id, table in found.items():
        words = [table.get("says", {}), table.get("because", {})]
        keys = _WORDS | (_statement.KEYS if id in claimed else set())
        if not set(table) <= keys or any(set(one) != set(languages) for one in words):
            raise ValueError(f"{path}: {id} needs says and because, each in {'/'.join(languages)}, not {sorted(table)}")
    every = {**checks, **_statement.checks(path, {id: found[id] for id in claimed}, shared)}
    return {
        id: Fact(id, table["says"], table["because"], every[id], tuple(table.get("sources", ())), id in claimed)
        for id, table in found.items()
    }
