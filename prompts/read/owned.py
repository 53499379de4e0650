"""Whose numbers: what the learner gave, checked, and the running example's for the rest."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from engine import consistency
from engine.errors import EngineError
from engine.example import RUNNING, beside_the_wrong_one
from engine.scenario import LISTS, PARAMETERS, PER_TOKEN, Scenario, scenario
from lessons._lesson import Lesson
from prompts.read.turn import Turn


def own_scenario(given: Any) -> tuple[Scenario, EngineError | None]:
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
    has_lists = any(name in parts for name in (*LISTS, "tokens") if name != "lams")
    borrowed = {
        name: x for name, x in RUNNING.given().items() if name not in parts and (name in PARAMETERS or not has_lists)
    }
    origin = {**dict.fromkeys(parts, "learner"), **dict.fromkeys(borrowed, "example")}
    return own.merged(borrowed), origin


def looked_at(lesson: Lesson, complete: Scenario, origin: Mapping[str, str]) -> Scenario:
    """Both of the running example's responses, where a lesson speaks of a batch and no response is the learner's."""
    told_of = {origin[name] for name in ("prompt", "tokens", *PER_TOKEN) if name in origin}
    return beside_the_wrong_one(complete) if lesson.together and told_of == {"example"} else complete


def whose(turn: Turn, origin: Mapping[str, str], beside: Collection[str] = ()) -> Mapping[str, str]:
    """Whose each part is; what was drawn for the learner stays so. `beside`: what is set beside the messages."""
    told_of = {name: "learner" if w == "example" and name in beside else w for name, w in turn.origin.items()}
    now = {name: told_of.get(name, "learner") if name in turn.given else w for name, w in origin.items()}
    drawn = {name for name, x in turn.talk.drawn.items() if turn.given.get(name) == x}
    return {name: "drawn" if w == "earlier" and name in drawn else w for name, w in now.items()}
