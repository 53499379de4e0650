"""Messages that ask for a page of its own: an exercise, an unknown to be solved for, an exhibit of the museum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.example import RUNNING
from engine.scenario import PARAMETERS, Scenario
from engine.solving import QUANTITY
from lessons._museum import Exhibit
from prompts.read.exhibits import place, wants_list
from prompts.read.numbers import read_numbers
from prompts.read.owned import completed, own_scenario
from prompts.read.practising import Practised
from prompts.read.question import Question
from prompts.read.sought import Sought, sought
from prompts.read.turn import Turn, first
from prompts.tell.forms import EXHIBIT, SOLVED

GIVEN = ("prompt", "tokens", "scores", "logp", "ref_logp", "kl_values", "rewards", "values", "mask", *PARAMETERS)
LESSONS = {  # the unknown → the lesson that it belongs to
    "lam": "why_lambda",
    "gamma": "why_gamma",
    "beta": "kl_reward",
    "values": "advantage_inputs",
    "rewards": "credit_assignment",
    "scores": "credit_assignment",
}


LIST_OF_ALL = "token_pipeline"  # the lesson that the list of exhibits is told in


def own_page(message: str, standing: Mapping[str, Any], turn: Turn, language: str) -> Question | None:
    """The question, where a message asks for such a page; the numbers that stand before it are given as well."""
    if turn.practice is not None:
        return to_practise(turn, turn.practice, language)
    exhibit = place(message)
    if exhibit is not None or wants_list(message):
        return to_show(exhibit, turn, language)
    unknown = sought(message)
    return None if unknown is None else to_solve(unknown, turn, language, standing)


def to_practise(turn: Turn, practice: Practised, language: str) -> Question:
    """An exercise, or what is said of an answer to it: its numbers are its own."""
    return Question(
        lesson=turn.lesson,
        alternatives=turn.alternatives,
        language=language,
        form=turn.form or "plain",
        scenario=practice.exercise.scenario,
        origin=dict.fromkeys(practice.exercise.scenario.given(), "drawn"),
        practice=practice,
    )


def to_show(found: Exhibit | None, turn: Turn, language: str) -> Question:
    """An exhibit on its own numbers, or the list of all."""
    lesson = found.lesson if found is not None else LIST_OF_ALL
    own = found.scenario if found is not None else RUNNING
    drawn = found is not None and found.own_numbers
    return Question(
        lesson=lesson,
        alternatives=first(lesson, turn.alternatives),
        language=language,
        form=EXHIBIT,
        scenario=own,
        origin=dict.fromkeys(own.given(), "drawn" if drawn else "example"),
        quantity=found.quantity if found is not None else None,
        exhibit=found.id if found is not None else "",
    )


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
