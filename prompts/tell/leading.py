"""What comes next, as questions that can be clicked: out of the conversation, or lessons, an exercise, a way in."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from functools import cache

from lessons._lesson import OUT_OF_SCOPE, Lesson, lessons
from prompts.read.language import language as written_in
from prompts.tell.opening import Told, beside
from prompts.tell.sample import sample
from prompts.tell.words import word, words

ASKED = "asked"  # stands for questions about single facts of the lesson
MOST = 3
RUNS = ("ppo_loop", "reference_policy", "token_pipeline")  # what actor, critic, reference and reward put out


def onward(
    lesson: Lesson, language: str, *, told: Sequence[Told], form: str, own: bool, before: Collection[str]
) -> tuple[str, ...]:
    """What stands near the fact that was told, a run, the next lesson, one's own numbers, a story; nothing told before.

    `own`: whether the numbers are the learner's; `before`: the lessons and the messages of the conversation.
    """
    near = [question for one in beside(told) if (question := asked_for(one, language))]
    following = [lessons()[id].question[language] for id in lesson.next if id not in before]
    run = [word(language, "ways", "run")] if lesson.id in RUNS and form != "model" else []
    mine = [word(language, "ways", "own")] if lesson.quantities and not own else []
    story = [word(language, "followups", "simple")] if form != "simple" else []
    rest = [*near[:1], *run, *following[:1], *mine, *story, *following[1:], *near[1:]]
    return tuple(dict.fromkeys(question for question in rest if question not in before))[:MOST]


@cache
def _asked(lesson: str) -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((lessons()[lesson].folder / "asked.toml").read_text(encoding="utf-8"))


def asked_for(told: Told, language: str) -> str | None:
    """How people ask for a fact."""
    ways = _asked(told.lesson).get(told.fact.id, {"asked": []})["asked"] if told.lesson in lessons() else []
    return next((text for text in ways if written_in(text) == language), None)


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
def asked_of(id: str, language: str) -> tuple[str, ...]:
    """How people ask for single facts of a lesson, one question for each."""
    first = [next((x for x in one["asked"] if written_in(x) == language), None) for one in _asked(id).values()]
    return tuple(text for text in first if text)


def questions(id: str, language: str) -> tuple[str, ...]:
    """How people ask for the first facts of a lesson."""
    return asked_of(id, language)[:MOST]


def leads(questions: Sequence[str], language: str, heading: str = "next") -> str:
    """The end of a page: the questions that come next, or those that may have been meant."""
    if not questions:
        return ""
    return "\n".join([f"### {word(language, 'headings', heading)}", "", *(f"- {question}" for question in questions)])


def followups(lesson: Lesson, language: str) -> list[str]:
    """Three questions worth asking next: other lessons, then other ways to tell this one."""
    told_otherwise = words(language)["followups"] if lesson.id != OUT_OF_SCOPE else {}
    questions = [*(lessons()[name].question[language] for name in lesson.next), *told_otherwise.values()]
    return questions[:MOST]
