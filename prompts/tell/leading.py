"""What comes next, as questions that can be clicked: lessons, an exercise, a way in, what is unclear."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache

from lessons._lesson import Lesson, lessons
from prompts.read.language import language as written_in
from prompts.tell.sample import sample
from prompts.tell.words import word

ASKED = "asked"  # stands for questions about single facts of the lesson
MOST = 3


def leading(ways: Sequence[str], lesson: Lesson, language: str) -> tuple[str, ...]:
    found: list[str] = []
    for way in ways:
        if way == ASKED:
            found += questions(lesson.id, language)
        else:
            found.append(
                lessons()[way].question[language]
                if way in lessons()
                else word(language, "ways", way).format(sample=sample())
            )
    return tuple(found[:MOST])


@cache
def questions(id: str, language: str) -> tuple[str, ...]:
    """How people ask for single facts of a lesson, one question for each of the first facts."""
    asked = tomllib.loads((lessons()[id].folder / "asked.toml").read_text(encoding="utf-8"))
    first = [next((text for text in one["asked"] if written_in(text) == language), None) for one in asked.values()]
    return tuple(text for text in first if text)[:MOST]
