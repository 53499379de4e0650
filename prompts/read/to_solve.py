"""A message that asks for an unknown, as a question: the numbers beside it are given, what is to hold is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.scenario import PARAMETERS, Scenario
from engine.solving import QUANTITY
from prompts.read.numbers import read_numbers
from prompts.read.owned import completed, own_scenario
from prompts.read.question import Question
from prompts.read.sought import Sought
from prompts.read.turn import Turn, first
from prompts.tell.forms import SOLVED

GIVEN = ("prompt", "tokens", "scores", "logp", "ref_logp", "kl_values", "rewards", "values", "mask", *PARAMETERS)
LESSONS = {  # the unknown → the lesson that it belongs to
    "lam": "why_lambda",
    "gamma": "why_gamma",
    "beta": "kl_reward",
    "values": "advantage_inputs",
    "rewards": "credit_assignment",
    "scores": "credit_assignment",
}


def to_solve(found: Sought, turn: Turn, language: str, standing: Mapping[str, Any]) -> Question:
    """On the numbers of the message, those that stood before it, and the running example's for the rest."""
    typed = {name: x for name, x in read_numbers(found.rest).params.items() if name in GIVEN}
    before = {name: x for name, x in standing.items() if name in GIVEN and name not in typed}
    if any(isinstance(x, list | tuple) for x in typed.values()):  # other numbers than those before
        before = {name: x for name, x in before.items() if name in PARAMETERS}
    own, error = own_scenario({**before, **typed})
    complete, origin = completed(Scenario() if error else own)
    lesson = LESSONS[found.unknowns[0].name] if len(found.unknowns) == 1 else LESSONS["lam"]
    asked = Question(
        lesson=lesson,
        alternatives=first(lesson, turn.alternatives),
        language=language,
        form=SOLVED,
        scenario=complete,
        origin={name: "earlier" if name in before else whose for name, whose in origin.items()},
        quantity=QUANTITY,
        sought=found,
        error=error,
    )
    return asked if error is None else replace(asked, form="plain")
