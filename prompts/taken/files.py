"""The files that a visitor takes away, each with its name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from engine.example import RUNNING
from lessons._lesson import LANGUAGES
from prompts.answer import Answer
from prompts.beside import parts
from prompts.read.conversation import Turn, turns
from prompts.taken.dialogue import Exchange, dialogue, exchanges
from prompts.taken.notebook import notebook
from prompts.tutor import Request, answer

FARTHEST = 14 * 60  # minutes that a clock is ahead of or behind the world's
File = dict[str, str]  # name, text


def clock(minutes_ahead: Any) -> datetime:
    """Now, on the visitor's clock; on the world's where that is not known."""
    known = isinstance(minutes_ahead, int | float) and abs(minutes_ahead) <= FARTHEST
    return datetime.now(timezone(timedelta(minutes=minutes_ahead if known else 0)))


def as_dialogue(conversation: Sequence[Turn], when: datetime, language: str) -> File:
    return _file(when, "md", dialogue(conversation, when, language))


def as_notebook(conversation: Sequence[Turn], when: datetime, language: str) -> File:
    said = list(exchanges(conversation))
    return _file(when, "ipynb", notebook([(one, _again(said[: i + 1])) for i, one in enumerate(said)], language))


def as_numbers(scenario: Any, when: datetime) -> File:
    """The scenario as `ask --scenario` takes it."""
    given = parts(scenario) or RUNNING.given()
    return _file(when, "json", json.dumps(given, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def on_take(kind: str, history: Any, scenario: Any, language: Any, minutes: Any) -> str:
    """A file that was asked for with a button, as JSON."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    when, conversation = clock(minutes), turns(history)
    if kind == "scenario":
        return as_json(as_numbers(scenario, when))
    return as_json((as_notebook if kind == "notebook" else as_dialogue)(conversation, when, known))


def as_json(file: File) -> str:
    return json.dumps(file, ensure_ascii=False)


def _again(said: Sequence[Exchange]) -> Answer:
    """The answer to the last of them; nothing is run on a language model."""
    asked = Request(tuple(one.question for one in said), alone=True)
    asked.stop.set()
    return answer(asked)


def _file(when: datetime, kind: str, text: str) -> File:
    return {"name": f"telescope_{when:%Y%m%d_%H%M%S}.{kind}", "text": text}
