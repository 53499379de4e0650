"""A message and what came before it become one Question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import consistency
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import LISTS, PARAMETERS, Scenario, scenario
from lessons._lesson import OUT_OF_SCOPE
from prompts.read.form import form
from prompts.read.language import language
from prompts.read.lesson import rank
from prompts.read.question import Question

__all__ = ["Question", "read"]

LONGEST_WISH = 40  # characters of a message that has no subject of its own
STYLES = ("plain", "simple", "rigorous")


def read(
    messages: Sequence[str],
    *,
    chosen_language: str | None = None,
    given: Mapping[str, Any] | None = None,
    style: str = "plain",
) -> Question:
    """The last message, understood in the light of the ones before."""
    message = messages[-1]
    alternatives = _subject(messages)
    own, error = _own(given or {})
    complete, origin = completed(own)
    return Question(
        lesson=alternatives[0][0],
        alternatives=alternatives,
        language=chosen_language or language(message),
        form=style if style != "plain" else form(message) or "plain",
        scenario=complete,
        origin=origin,
        error=error,
    )


def _subject(messages: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """What is asked about: a message that only says in which form it wants the answer goes on with the last subject."""
    alternatives = rank(messages[-1])
    goes_on = alternatives[0][0] == OUT_OF_SCOPE or form(messages[-1]) is not None
    if len(messages) > 1 and goes_on and len(messages[-1]) <= LONGEST_WISH:
        return _subject(messages[:-1])
    return alternatives


def _own(given: Mapping[str, Any]) -> tuple[Scenario, EngineError | None]:
    """The learner's scenario, or an empty one and what is wrong with it: a wrong scenario is still an answer."""
    try:
        own = scenario(given)
        consistency.check(own)
        return own, None
    except EngineError as error:
        return Scenario(), error


def completed(own: Scenario) -> tuple[Scenario, Mapping[str, str]]:
    """The learner's parts, and the running example's for the rest; beside lists of the learner's, parameters only."""
    parts = own.given()
    has_lists = any(name in parts for name in (*LISTS, "tokens"))
    borrowed = {
        name: x for name, x in RUNNING.given().items() if name not in parts and (name in PARAMETERS or not has_lists)
    }
    origin = {**dict.fromkeys(parts, "learner"), **dict.fromkeys(borrowed, "example")}
    return own.merged(borrowed), origin
