"""What a lesson says first: of a subject what it is, why, which, what if, whether; or of a thing that is seen.

lessons/*/openings.toml, a table for each subject:
    names = […], also = […]          how it is called; what must be named with it, where one name is not enough
    beside = […]                     words that say no more about it
    what, why, which, if, is = […]   the facts that open the answer; to `what`, without them, the lesson's own words do
or for each symptom:
    seen = […], tells = […]          how it shows, and the facts: what it can mean, what settles it
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from prompts.read.asked import LESSONS
from prompts.read.asking import sentences
from prompts.read.normalise import normalise

WHAT, SEEN = "what", "seen"
PLACE = " _ "  # where a name stood
BRIEF, LITTLE = 120, 64  # characters of a message that says hardly more than what is seen, or nothing else
_READ = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8"))
_SCRIPTS = re.compile(r"(?<=[a-z0-9])(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])(?=[a-z0-9])")  # where they meet
_WORD = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class Opening:
    """What a lesson says first of a subject, to a kind of question."""

    lesson: str
    kind: str
    facts: tuple[str, ...] = ()  # lesson/id; without them the lesson's own words come first
    leads: bool = True  # whether they stand before what is nearest


@dataclass(frozen=True)
class _Kind:
    name: str
    forms: re.Pattern[str]
    beside: re.Pattern[str]


@dataclass(frozen=True)
class _Subject:
    lesson: str
    names: tuple[re.Pattern[str], ...]  # all are there
    beside: re.Pattern[str]
    openings: Mapping[str, tuple[str, ...]]


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE)


_SMALL = _any(_READ.pop("small"))
_KINDS = tuple(_Kind(name, _any(words["forms"]), _any(words["beside"])) for name, words in _READ.items())
KINDS = tuple(kind.name for kind in _KINDS)


def opening(sentence: str, message: str) -> Opening | None:
    """What opens the answer to a sentence: what it asks of a subject, or else what its message says is seen."""
    return asked(sentence) or seen(message)


@lru_cache(maxsize=64)
def asked(sentence: str) -> Opening | None:
    """The opening of the subject that a sentence asks for, if it asks for no more."""
    found = [pair for subject in _subjects() for said in _spelt(sentence) for pair in _asked(subject, said)]
    return max(found, key=lambda pair: pair[0])[1] if found else None


@lru_cache(maxsize=64)
def seen(message: str) -> Opening | None:
    """The opening for the first thing that a message says is seen; where it says much more, that does not lead."""
    said = [text for sentence in sentences(message) for text in _spelt(sentence)]
    found = next((one for text in said for shows, one in _symptoms() if shows.search(text)), None)
    return found and replace(found, leads=len(message) <= BRIEF)


def _spelt(sentence: str) -> tuple[str, ...]:
    """As it is typed and with a space between scripts, without which a word has no end: GAE是什么."""
    said = normalise(sentence).lower()
    return tuple(dict.fromkeys((said, _SCRIPTS.sub(" ", said))))


def lesson(message: str) -> str | None:
    """The lesson that a message asks for by what opens it, where it says nothing else."""
    if len(message) > LITTLE:
        return None
    found = {one.lesson for text in sentences(message) if (one := asked(text))}
    shows = seen(message)
    return found.pop() if len(found) == 1 else shows.lesson if shows and not found else None


def _asked(subject: _Subject, said: str) -> list[tuple[int, Opening]]:
    """In which kind a sentence asks for nothing but the subject; the more of it is its name, the surer."""
    left, weight = said, 0
    for name in subject.names:
        if not name.search(left):
            return []
        weight += sum(len(found.group()) for found in name.finditer(left))
        left = name.sub(PLACE, left)
    left = subject.beside.sub(" ", left)
    found = [one.name for one in _KINDS if one.forms.search(left) and not _says(one, left)]
    return [
        (weight, Opening(subject.lesson, name, subject.openings.get(name, ())))
        for name in found[:1]
        if name == WHAT or name in subject.openings
    ]


def _says(asks: _Kind, left: str) -> bool:
    """Whether words are left over."""
    for words in (asks.forms, asks.beside, _SMALL):
        left = words.sub(" ", left)
    return _WORD.search(left) is not None


def tables() -> Iterable[tuple[str, Mapping[str, Any]]]:
    for file in sorted(LESSONS.glob("[!_]*/openings.toml")):
        for table in tomllib.loads(file.read_text(encoding="utf-8")).values():
            yield file.parent.name, table


def full(lesson: str, ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(id if "/" in id else f"{lesson}/{id}" for id in ids)


@cache
def _subjects() -> tuple[_Subject, ...]:
    return tuple(
        _Subject(
            lesson,
            tuple(_any(table[key]) for key in ("names", "also") if key in table),
            _any(table.get("beside", ())),
            {name: full(lesson, table[name]) for name in KINDS if name in table},
        )
        for lesson, table in tables()
        if "names" in table
    )


@cache
def _symptoms() -> tuple[tuple[re.Pattern[str], Opening], ...]:
    return tuple(
        (_any(table[SEEN]), Opening(lesson, SEEN, full(lesson, table["tells"])))
        for lesson, table in tables()
        if SEEN in table
    )
