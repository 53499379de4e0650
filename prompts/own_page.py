"""Pages that stand in the place of a lesson's first screen: an unknown that is solved for, an exhibit, their list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.facts import Facts
from engine.scenario import LISTS
from engine.solving import Rates, Solved, solve, solve_rates
from engine.spans import Span
from lessons._lesson import Shown
from lessons._museum import Exhibit, exhibits
from prompts.read import Question
from prompts.tell import exhibits as museum
from prompts.tell import solved as solving
from prompts.tell.ground import Grounded, release
from prompts.tell.values import Values

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


def page(question: Question, shown: Shown, solution: Solution | None) -> tuple[Shown, Grounded | None]:
    """What is shown, with what the page adds to it, and the page; none where the lesson's own is told."""
    if question.exhibit == "":
        return shown, museum.listed(_values(question, shown))
    facts = shown.facts
    if question.exhibit is not None and facts is not None:
        exhibit = next(one for one in exhibits() if one.id == question.exhibit)
        shown = replace(shown, facts=_replayed(exhibit, facts))
        return shown, museum.told(exhibit, _values(question, shown))
    if solution is None or facts is None:
        return shown, None
    shown = replace(shown, facts=_noted(solution, facts))
    return shown, solving.told(solution, release(_values(question, shown).here()), question.language)


def _values(question: Question, shown: Shown) -> Values:
    return Values(question.language, question.scenario, borne(question), shown)


def borne(question: Question) -> Mapping[str, str]:
    """Whose the numbers are that were there before anything was found."""
    return {name: whose for name, whose in question.origin.items() if question.sought is None or whose != "solved"}


def _replayed(exhibit: Exhibit, facts: Facts) -> Facts:
    """The computation as it is; the other reading and its distance stand beside it."""
    told = {
        "fact": exhibit.fact,
        "settled": exhibit.right.numbers[exhibit.fact],
        "disputed": exhibit.wrong.numbers[exhibit.fact],
        "apart": len(exhibit.apart),
        "far": max((abs(float(x)) for x in exhibit.apart.values()), default=0.0),
    }
    whole = exhibit.right.beside(facts)
    checks = (*exhibit.right.checks, *(replace(one, what=f"disputed: {one.what}") for one in exhibit.wrong.checks))
    return replace(
        whole,
        numbers={**whole.numbers, "exhibit": told},
        exact={**whole.exact, "exhibit": told},
        checks=(*checks, *(one for one in whole.checks if one not in exhibit.right.checks)),
    )


def _noted(solution: Solution, facts: Facts) -> Facts:
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
