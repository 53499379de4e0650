"""The answer to a message of a practice."""

from __future__ import annotations

from typing import Any

from engine.example import RUNNING
from engine.facts import compute
from engine.quantities import QUANTITIES
from lessons._lesson import lessons
from prompts.answer import Answer
from prompts.read import Question
from prompts.read.practising import Practised
from prompts.tell.practice import told
from prompts.tell.reviewing import numbers, replies, weak
from prompts.tell.words import word

MOST = 3


def answered(question: Question, practice: Practised) -> Answer:
    exercise, language = practice.exercise, question.language
    found = compute(QUANTITIES[exercise.ask.quantity], exercise.scenario) if exercise.ask is not None else None
    graded = practice.graded if practice.did == "answered" else None
    given = exercise.scenario.given()
    params: dict[str, Any] = {**given, "from": {name: _whose(practice, name, x) for name, x in given.items()}}
    checks = found.checks if found is not None else ()
    return Answer(
        lesson=question.lesson,
        alternatives=tuple({"lesson": lesson, "score": score} for lesson, score in question.alternatives),
        lang=language,
        form=question.form,
        markdown=told(practice, language) + "\n",
        verdict=None if graded is None or not graded.final else "true" if graded.outcome == "right" else "false",
        params=params if given else {},
        facts={**(found.numbers if found is not None else {}), "practice": numbers(practice)},
        checks=tuple({"what": check.what, "residual": check.residual, "ok": check.ok} for check in checks),
        followups=_followups(practice, language),
        replies=replies(practice, language),
    )


def _whose(practice: Practised, name: str, x: Any) -> str:
    """The learner's, where the exercise is about numbers that were given; else it was dealt."""
    for theirs, whose in ((practice.own, "learner"), (practice.standing, "earlier")):
        if theirs is not None and x is not None and x == getattr(theirs, name) != getattr(RUNNING, name):
            return whose
    return "example"


def _followups(practice: Practised, language: str) -> tuple[str, ...]:
    """Another exercise; then what to review, or the lesson and where it leads."""
    missed = [weak(one) for one in reversed(practice.done) if not one.right]
    line = [*missed, practice.lesson, *lessons()[practice.lesson].next]
    questions = dict.fromkeys(lessons()[id].question[language] for id in line)
    return (word(language, "ways", "another"), *questions)[:MOST]
