"""What a claim is tried on: the learner's own response where its reason can be told of any, else the running example.

Such a reason says <<tried_on(found.learners)>> for whose it is, and its check computes on the response at hand.
"""

from __future__ import annotations

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._at_hand import held
from lessons._fact import Check, Judged
from lessons._first import first_response, numbers

FEWEST = 4  # tokens of a response that shows what becomes of the first, the last, and some between
TOLD_OF_ANY = "found.learners"  # in a reason


def tried(check: Check) -> Check:
    """The check on the learner's response, where that has what it reads and shows the same as the running example."""

    def judged(given: Scenario) -> Judged:
        own, example = numbers(given), check(RUNNING)
        found = _on(own, check) if own.length >= FEWEST and own != first_response(RUNNING) else None
        if found is None or found.verdict != example.verdict or found.found == example.found:
            return Judged(example.verdict, {**example.found, "learners": False})
        return Judged(found.verdict, {**found.found, "learners": True})

    return judged


def _on(own: Scenario, check: Check) -> Judged | None:
    """None where the response lacks a list that the check reads."""
    with held(own):
        try:
            return check(own)
        except EngineError:
            return None
