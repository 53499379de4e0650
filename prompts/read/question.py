"""A message, understood: what is asked, in which language and form, about which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.audits import Claim
from engine.drawn import RATES
from engine.errors import EngineError
from engine.models.trial import Trial
from engine.scenario import LISTS, Scenario
from prompts.read.claim import Assertion
from prompts.read.figures.worded import Worded
from prompts.read.practising import Practised
from prompts.read.relation import Stated
from prompts.read.sought import Sought
from prompts.read.understanding import Point


@dataclass(frozen=True)
class Question:
    lesson: str
    alternatives: tuple[tuple[str, float], ...]  # lessons with scores, best first, the chosen one among them
    language: str
    form: str
    scenario: Scenario  # complete: what the learner gave, and the running example's for the rest
    origin: Mapping[str, str]  # part of the scenario → learner, earlier, drawn or example
    quantity: str | None = None
    wanted: tuple[str, ...] = ()  # facts that were asked for alone
    notes: tuple[str, ...] = ()  # what was done to the learner's numbers: keys of words
    sure: bool = True  # whether the lesson is
    claims: tuple[Claim, ...] = ()  # numbers that the message states as results
    denied: bool = False  # and says that they are wrong
    pasted: str = ""  # the text in which these numbers have their places
    said: str = ""  # the message
    points: tuple[Point, ...] = ()  # what is asked, one by one, and the facts that answer it
    outside: str = ""  # what it is about instead of the subject, where a model heard that: tool, run, other, talk
    judged: str | None = None  # the sentence that a verdict may be given on, as it stands in the message
    assertion: Assertion | None = None  # what it states in words, or asks to be confirmed
    trial: Trial | None = None  # what it asks to be run on the language model
    relation: Stated | None = None  # what it states of quantities, read as a whole
    in_general: bool = False  # what is claimed is claimed of all numbers: always, in general
    worded: Worded | None = None  # figures that it states in words and that it decides itself
    carried: bool = False  # nobody asked for these numbers: they are there since an earlier turn
    sought: Sought | None = None  # what it asks to be solved for
    exhibit: str | None = None  # of the museum: the id of the one that it asks for, empty for the list
    practice: Practised | None = None  # how a practice stands after the message
    brief: bool = False  # in a sentence or two
    without: tuple[str, ...] = ()  # blocks of the page that are left out
    leads: tuple[str, ...] = ()  # what comes next: lessons, or ways on that words are kept for
    wished: bool = True  # something is to be done with numbers, if there are any
    error: EngineError | None = None

    @property
    def claims_something(self) -> bool:
        return self.relation is not None or self.assertion is not None or self.worded is not None

    @property
    def own_numbers(self) -> bool:
        return any(whose != "example" for whose in self.origin.values())

    @property
    def own_rates(self) -> Mapping[str, Any]:
        """γ and λ, where the learner set both, with lists to go with them."""
        own = {name for name, whose in self.origin.items() if whose != "example"}
        given = self.scenario.given()
        return {name: given[name] for name in RATES} if own >= {*RATES} and own & {*LISTS} else {}

    def on(self, scenario: Scenario) -> Question:
        """The same question about the running example: a number in a statement need not be one to compute with."""
        plain = "plain" if self.form == "numbers" else self.form
        origin = dict.fromkeys(scenario.given(), "example")
        return replace(self, scenario=scenario, origin=origin, quantity=None, form=plain)

    def without_numbers(self, scenario: Scenario) -> Question:
        """The same question about the running example, and said so: it needs numbers that the learner has not given."""
        return replace(self.on(scenario), notes=(*self.notes, "not_on_yours"), carried=False)
