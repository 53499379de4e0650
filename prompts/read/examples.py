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
BRIEF = "brief"  # hardly more than a term
_BRIEF = Path(__file__).with_name("brief.toml")
FRAMES_EACH = 3  # of a term


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
    for example in brief(frozenset(known)):
        found.setdefault((example.text, example.lesson), example)
    return tuple(sorted(found.values()))


def brief(known: frozenset[str]) -> tuple[Example, ...]:
    """Every term in some of the frames of its language; frames are given out in turn, alike in scope and out of it."""
    table = tomllib.loads(_BRIEF.read_text(encoding="utf-8"))
    found = []
    for lesson, terms in table["terms"].items():
        for language, own in terms.items() if lesson in known else ():
            frames = table["frames"][language]
            turns = (k * FRAMES_EACH + i for k in range(len(own)) for i in range(FRAMES_EACH))
            found += [
                Example(frames[turn % len(frames)].format(own[turn // FRAMES_EACH]), lesson, language, BRIEF)
                for turn in turns
            ]
            found += [Example(term, lesson, language, BRIEF) for term in own]
    return tuple(dict.fromkeys(found))


def fingerprint(examples: Iterable[Example], *sources: Path) -> str:
    """What fitted weights depend on, in one line: the same for the same messages in any order and any layout."""
    digest = hashlib.sha256(json.dumps(sorted(examples), ensure_ascii=False).encode("utf-8", "surrogatepass"))
    for source in sources:
        digest.update(source.read_text(encoding="utf-8").encode())
    return digest.hexdigest()
