"""How people ask: what the reading learns from, as data beside each lesson.

asked.toml       for each fact: open questions that it answers, ways to state what is checked, ways to deny that
messages.jsonl   whole messages as people write them, with the lessons and the facts that answer them
questions.toml   questions after the lesson itself
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lessons._fact import tables

LESSONS = Path(__file__).parents[2] / "lessons"


@dataclass(frozen=True)
class AskedFor:
    """A fact, as it is told and asked for."""

    says: tuple[str, str]
    asked: tuple[str, ...]
    affirmed: tuple[str, ...]
    denied: tuple[str, ...]


@dataclass(frozen=True)
class Message:
    text: str
    lessons: tuple[str, ...]  # the best first
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Known:
    facts: dict[str, AskedFor]  # lesson/id
    messages: tuple[Message, ...]


@cache
def known() -> Known:
    facts: dict[str, AskedFor] = {}
    messages: list[Message] = []
    for folder in sorted(path.parent for path in LESSONS.glob("[!_]*/facts.toml")):
        told, _ = tables(folder / "facts.toml")
        asked = tomllib.loads((folder / "asked.toml").read_text(encoding="utf-8"))
        for id, words in told.items():
            one = asked[id]
            says = (words["says"]["zh"], words["says"]["en"])
            facts[f"{folder.name}/{id}"] = AskedFor(says, *(tuple(one[key]) for key in ("asked", "affirmed", "denied")))
        if (folder / "messages.jsonl").is_file():
            lines = (folder / "messages.jsonl").read_text(encoding="utf-8").splitlines()
            messages += [_message(line) for line in lines if line.strip()]
    return Known(facts, tuple(messages))


def _message(line: str) -> Message:
    read = json.loads(line)
    return Message(read["text"], tuple(read["lessons"]), tuple(read["facts"]))
