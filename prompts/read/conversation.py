"""A chat's history, in whatever shape it arrives, as the turns of a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from prompts.read.answering import answered
from prompts.read.moves import moves
from prompts.read.practising import Practised, last_named, named
from prompts.tell.learner_text import typed

LONGEST_HISTORY = 60  # turns; what lies further back is forgotten,
MOST_EXERCISES = 20  # but for the last exercises
ROLES = ("user", "assistant")

Turn = dict[str, Any]


def turns(history: Any) -> list[Turn]:
    """The last turns as role and text, whatever is neither left out; before them what was practised further back."""
    given = [turn for turn in history if isinstance(turn, dict)] if isinstance(history, list) else []
    told = [{"role": turn.get("role"), "content": _content(turn)} for turn in given]
    told = [turn for turn in told if turn["role"] in ROLES and turn["content"]]
    return [*_practised(told[:-LONGEST_HISTORY]), *told[-LONGEST_HISTORY:]]


def _practised(forgotten: list[Turn]) -> Iterator[Turn]:
    """The last exercises, each called by its name, with what was answered to it: the last may be open still, and what
    to review follows from all."""
    exercise: Practised | None = None
    called: list[list[Turn]] = []
    for turn in forgotten:
        found = _exercise(turn)
        if found is not None and (exercise is None or found.name != exercise.name):
            exercise = found
            called.append([{"role": "user", "content": found.name}])
        elif exercise is not None and turn["role"] == "user" and _goes_on(exercise, typed(turn["content"])):
            called[-1].append(turn)
    return chain.from_iterable(called[-MOST_EXERCISES:])


def _exercise(turn: Turn) -> Practised | None:
    """The exercise that the tutor tells, or that the learner calls."""
    name = last_named(turn["content"]) if turn["role"] == "assistant" else typed(turn["content"])
    return named(name, None) if name is not None else None


def _goes_on(exercise: Practised, message: str) -> bool:
    """Whether a message answers an exercise, or gives it up."""
    return answered(message, exercise.exercise, now=True) is not None or bool({"solution", "show"} & moves(message))


def _content(turn: Mapping[str, Any]) -> str:
    """Gradio's page sends a list of parts, a program may send one text."""
    content = turn.get("content")
    parts = [_text(part) for part in (content if isinstance(content, list) else [content])]
    return "\n\n".join(part for part in parts if part is not None)


def _text(part: Any) -> str | None:
    match part:
        case str(text) | {"text": str(text)}:
            return text
        case _:
            return None


def questions(conversation: list[Turn]) -> tuple[str, ...]:
    """What the learner typed, turn by turn."""
    return tuple(typed(turn["content"]) for turn in conversation if turn["role"] == "user")


def taken_back(conversation: list[Turn]) -> tuple[list[Turn], str | None]:
    """The conversation before the last question, and that question if there is one."""
    for i in reversed(range(len(conversation))):
        if conversation[i]["role"] == "user":
            return conversation[:i], typed(conversation[i]["content"])
    return [], None
