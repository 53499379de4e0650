"""A question for an unknown, solved: the question with what was found put in, and all that is to be said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.facts import Facts
from engine.scenario import LISTS
from engine.solving import Rates, Solved, solve, solve_rates
from engine.spans import Span
from prompts.read import Question

Solution = Solved | Rates


def solved(question: Question) -> tuple[Question, Solution | None]:
    """The question goes on with the number that was found, where there is one; nothing where nothing is sought."""
    found = question.sought
    if found is None or question.error is not None:
        return question, None
    if len(found.unknowns) > 1:
        decimals = max(goal.decimals for goal in found.goals)
        rates = solve_rates(question.scenario, found.stated, decimals)
        return _with(question, rates, ("gamma", "lam"), rates.found is not None), rates
    one = solve(question.scenario, found.unknowns[0], found.goals)
    return _with(question, one, (one.unknown.name,), one.value is not None), one


def _with(question: Question, solution: Solution, sought: Sequence[str], found: bool) -> Question:
    """On the numbers that were found; a parameter for which there is none, or no single one, is nobody's."""
    own = solution.put
    origin = {name: question.origin.get(name, "example") for name in own.given()}
    origin = {name: whose for name, whose in origin.items() if name not in sought or (name in LISTS and not found)}
    return replace(question, scenario=own, origin={**origin, **dict.fromkeys(sought if found else (), "solved")})


def noted(solution: Solution, facts: Facts) -> Facts:
    """The computation's facts, with the solutions and where they may lie."""
    found = _numbers(solution)
    return replace(
        facts,
        numbers={**facts.numbers, **found},
        exact={**facts.exact, **found},
        checks=(*facts.checks, *(replace(one, what=f"solved: {one.what}") for one in solution.checks)),
    )


def _numbers(solution: Solution) -> Mapping[str, Any]:
    if isinstance(solution, Rates):
        if not solution.corners:
            return {"solutions": [], "interval": {}}
        interval = {"gamma": [*map(float, solution.gamma)], "lam": [*map(float, solution.lam)]}
        return {"solutions": [list(solution.found)] if solution.found else [], "interval": interval}
    points = [float(span.inside) for span in solution.exact if span.single]
    return {
        "solutions": points,
        "interval": [_ends(span) for span in solution.rounded],
        "polynomial": [[float(c) for c in reversed(p.all_coeffs())] for p in solution.polynomials],
    }


def _ends(span: Span) -> list[float | None]:
    return [None if end is None else float(end.value) for end in (span.low, span.high)]
