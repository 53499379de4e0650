"""Which lesson a message wants, where the reading was not sure: one of its candidates, as a language model sees it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import replace

from engine.errors import EngineError
from lessons._lesson import lessons
from prompts.model.prompt import prompt
from prompts.model.writer import Writer
from prompts.read import Question

_LOG = logging.getLogger(__name__)
CANDIDATES = 5
LONGEST = 24  # tokens: a name
LONGEST_MESSAGE = 1000  # characters that are sent
_AROUND = " \t\n`*\"'“”‘’.。:：-"


def decided(writer: Writer, question: Question, message: str, stop: threading.Event) -> Question:
    """The question with the writer's choice in front; as it was where that was sure or the writer chose none of it."""
    candidates = [lesson for lesson, _ in question.alternatives[:CANDIDATES]]
    settled = question.sure or question.quantity is not None or question.error is not None
    if settled or len(candidates) < 2:
        return question
    told = _told(candidates, question.language)
    asked = prompt("choose", question.language, message=message[:LONGEST_MESSAGE], candidates=told)
    try:
        choice = chosen(writer.write(asked, LONGEST, stop).text, candidates)
    except EngineError as absent:
        _LOG.warning("%s chose no lesson: %s", writer.name, absent)
        return question
    return question if choice is None else _in_front(question, choice)


def chosen(reply: str, candidates: Sequence[str]) -> str | None:
    """The candidate that a reply names and nothing else; None for any other reply."""
    name = reply.strip(_AROUND)
    return name if name in candidates else None


def _told(candidates: Sequence[str], language: str) -> list[dict[str, str]]:
    known = [lessons()[id] for id in candidates]
    return [{"id": x.id, "title": x.title[language], "question": x.question[language]} for x in known]


def _in_front(question: Question, choice: str) -> Question:
    best = question.alternatives[0][1]
    others = tuple((lesson, score) for lesson, score in question.alternatives if lesson != choice)
    return replace(question, lesson=choice, alternatives=((choice, best), *others), sure=True)
