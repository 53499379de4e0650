"""How people ask: the example messages of the lessons, from which the routing is learnt."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

LESSONS = Path(__file__).parents[2] / "lessons"
REGISTERS = ("textbook", "colloquial", "terse", "typos", "code", "claim")
NEAR = "near"  # a message filed with the lesson that it only looks like


class Example(NamedTuple):
    text: str
    lesson: str
    language: str
    register: str


def questions(root: Path = LESSONS) -> tuple[Example, ...]:
    """Every example message below a folder of lessons, each once, with the lesson that it belongs to.

    A near miss of a lesson that is not there teaches nothing.
    """
    found: dict[tuple[str, str], Example] = {}
    known = {file.parent.name for file in root.glob("[!_]*/questions.toml")}
    for file in sorted(root.glob("[!_]*/questions.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        own = [Example(e["text"], file.parent.name, e["lang"], e["register"]) for e in table["question"]]
        near = [Example(e["text"], e["lesson"], e["lang"], NEAR) for e in table.get("near", ()) if e["lesson"] in known]
        for example in (*own, *near):
            found.setdefault((example.text, example.lesson), example)
    return tuple(sorted(found.values()))


def fingerprint(examples: Iterable[Example], *sources: Path) -> str:
    """What fitted weights depend on, in one line: the same for the same messages in any order and any layout."""
    digest = hashlib.sha256(json.dumps(sorted(examples), ensure_ascii=False).encode("utf-8", "surrogatepass"))
    for source in sources:
        digest.update(source.read_text(encoding="utf-8").encode())
    return digest.hexdigest()
