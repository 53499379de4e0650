"""An error in words: what is wrong, where, and what to do, in the answer's language."""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.notation import show
from engine.scenario import Scenario
from prompts.tell.learner_text import quoted
from prompts.tell.words import word

LONGEST_NAME = 60
OF_RESPONSES = "group_rewards"  # one number a response, where all other lists have one a token


def describe(error: EngineError, language: str) -> str:
    details = {name: _plain(x) for name, x in error.details.items()}
    details["place"] = _place(error)
    details.setdefault("known", ", ".join(sorted(Scenario.model_fields)))
    of_group = error.code == "missing" and error.details.get("field") == OF_RESPONSES
    return word(language, "errors", "missing_scores" if of_group else error.code).format_map(details)


def _place(error: EngineError) -> str:
    """rewards[3]: the field and the 0-based position."""
    position = "".join(f"[{i}]" for i in error.details.get("position", ()))
    return _plain(error.details.get("field", "")) + position


def _plain(x: Any) -> str:
    if isinstance(x, int | float):
        return show(x).text
    if isinstance(x, str) and x in Scenario.model_fields:  # our own names need no guard
        return str(x)
    return quoted(str(x)[:LONGEST_NAME]) if not isinstance(x, tuple) else ", ".join(map(str, x))
