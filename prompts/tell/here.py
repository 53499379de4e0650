"""A verdict that depends on the numbers, taken on the learner's: here it is so, or not so; in general it depends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from engine import drawn, equalities, quantities
from engine.drawn import RATES, Where
from engine.equalities import Equality
from engine.errors import EngineError
from engine.facts import exact_facts
from engine.notation import SYMBOLS, show
from engine.scenario import LISTS, Scenario
from lessons import _here
from lessons._fact import holds
from prompts.read.question import Question
from prompts.tell.ground import Grounded
from prompts.tell.markdown import inline
from prompts.tell.opening import Here, Verdict

_BACKWARDS = frozenset(["rewards", "scores"])


def here(question: Question, verdict: Verdict) -> Verdict:
    """The verdict on the learner's numbers, where they decide what depends in general."""
    if verdict.judged.verdict != "depends" or question.in_general:
        return verdict
    own = {name for name, whose in question.origin.items() if whose != "example"}
    lists = bool(own & {*LISTS} - {"lams"})
    if not lists and not own & {*RATES}:
        return verdict
    try:
        so = _holds(question, lists=lists, rates=own & {*RATES})
    except EngineError:
        return verdict
    if so is None:
        return verdict
    by_rates = not lists or ("values" in own and bool(own & _BACKWARDS))
    told = Here(lists, _rates(question.scenario) if by_rates else None)
    said = holds(so is not verdict.denied)
    return replace(verdict, judged=replace(verdict.judged, verdict=said), here=told)


def _holds(question: Question, *, lists: bool, rates: set[str]) -> bool | None:
    """Whether the proposition, or the equation that was stated, holds."""
    own = question.scenario
    stated = question.relation.relation if question.relation is not None else None
    if stated is not None:
        return _on_response(stated, own) if lists else _at_rates(stated, own, rates)
    if question.assertion is None:
        return None
    at = question.assertion.lesson, question.assertion.proposition
    if lists:
        return _here.on_response(*at, own)
    return _here.at_rates(*at, own.gamma, own.lam) if own.gamma is not None and own.lam is not None else None


def _on_response(equality: Equality, own: Scenario) -> bool | None:
    given = own.given()
    made_up = equality.quantities & drawn.POLICY or equality.where.meant
    if own.batched or own.mask is not None or "values" not in given or made_up:
        return None
    exact = exact_facts(quantities.gae, own)
    rates = {name: Fraction(str(getattr(own, name))) for name in RATES}
    response = drawn.response(exact["rewards"], exact["values"], {**rates, **dict(equality.where.rates)})
    return all(equalities.same(*equality.sides(response, t)) for t in equality.where.tokens(response.length))


def _at_rates(equality: Equality, own: Scenario, rates: set[str]) -> bool:
    known = {name: Fraction(str(getattr(own, name))) for name in rates}
    where: Where = replace(equality.where, rates=tuple({**known, **dict(equality.where.rates)}.items()))
    return equality.holds(where)


def _rates(own: Scenario) -> Grounded:
    rates: Mapping[str, float] = {name: getattr(own, name) for name in RATES}
    return inline(r",\ ".join(f"{SYMBOLS[name][0]} = {show(x).latex}" for name, x in rates.items()))
