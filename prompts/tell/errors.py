"""An error in words: what is wrong, where, and what to do, in the answer's language."""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.notation import show
from engine.scenario import PARAMETERS, Scenario
from prompts.tell.learner_text import quoted
from prompts.tell.words import word

LONGEST_NAME = 60
# What is missing, where it is no list with one number for every token.
_MISSING = {"group_rewards": "missing_scores", "lams": "missing_lams", **dict.fromkeys(PARAMETERS, "missing_number")}


def describe(error: EngineError, language: str) -> str:
    details = {name: _plain(x) for name, x in error.details.items()}
    details["place"] = _place(error)
    details.setdefault("known", ", ".join(sorted(Scenario.model_fields)))
    missing = _MISSING.get(error.details.get("field", "")) if error.code == "missing" else None
    return word(language, "errors", missing or error.code).format_map(details)


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
