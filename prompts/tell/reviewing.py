"""What a practice has come to: what to review, what can be said next, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.grading import LETTERS
from engine.mistakes import MISTAKES
from engine.scenario import Scenario
from lessons._lesson import lessons
from prompts.read.practising import HINTS, Done, Practised
from prompts.tell.ground import Grounded
from prompts.tell.words import word
from prompts.trust import met


def reviewed(done: Sequence[Done], language: str) -> Grounded:
    """How many were right at once, and for the others the lesson that tells what was missed."""
    right = str(sum(one.right for one in done))
    score = word(language, "practice", "score").format(right=right, count=str(len(done)))
    missed = dict.fromkeys((weak(one), one.cause) for one in done if not one.right)
    if not missed:
        return Grounded(f"{score}\n\n{word(language, 'practice', 'nothing_to_review')}")
    colon, unknown = word(language, "practice", "colon"), word(language, "practice", "not_known")
    lines = [
        f"- <strong>{lessons()[lesson].title[language]}</strong>{colon}"
        + (word(language, "causes", cause) if cause is not None else unknown)
        for lesson, cause in missed
    ]
    return Grounded("\n\n".join([score, word(language, "practice", "review"), "\n".join(lines)]))


def weak(done: Done) -> str:
    """The lesson to review: the one that the mistake is about, or the one that was practised."""
    return done.lesson if done.cause is None else MISTAKES[done.cause].lesson


def replies(practice: Practised, language: str) -> tuple[str, ...]:
    """What can be said next with one click."""

    def said(*keys: str) -> tuple[str, ...]:
        return tuple(word(language, "replies", key) for key in keys)

    if practice.over or practice.did == "reviewed":
        return said("next", "harder", "easier", *(("review",) if practice.done else ()))
    exercise = practice.exercise
    words = {"sign": ("positive", "negative"), "change": ("up", "down")}.get(exercise.kind, ())
    hint = ("hint",) if practice.hints < HINTS else ()
    return (*LETTERS[: len(exercise.options)], *said(*words, *hint, "show", "next"))


def numbers(practice: Practised) -> Mapping[str, Any]:
    """All numbers that can be told of it, under names."""
    exercise = practice.exercise
    if exercise.ask is None:
        return {"name": practice.name}
    right = [float(x) for x in exercise.right if x is not None] if exercise.kind == "list" else float(exercise.right)
    wrong = {id: _plain(x) for id, x in exercise.wrong.items()}
    found: dict[str, Any] = {"name": practice.name, "right": right, "wrong": wrong, "given": _lists(exercise.scenario)}
    found["working"] = list(dict.fromkeys(x for line in exercise.lines for x in met(line)))
    if exercise.moved is not None:
        found |= {"before": float(exercise.before), "moved": [exercise.moved.old, exercise.moved.new]}
        found["given_before"] = _lists(exercise.moved.before)
    return found


def _plain(x: Any) -> Any:
    return [None if y is None else float(y) for y in x] if isinstance(x, tuple) else float(x)


def _lists(own: Scenario) -> Mapping[str, Any]:
    return {name: list(x) if isinstance(x, tuple) else x for name, x in own.given().items()}
