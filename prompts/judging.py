"""Verdicts: on a statement that was read and is run, on numbers computed again, on a fact that was surely said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.audits import Audited
from engine.errors import EngineError
from engine.scenario import PARAMETERS
from lessons._fact import holds
from lessons._lesson import Audit, Shown, lessons
from prompts.read import Question
from prompts.tell import relations
from prompts.tell import worded as figures_in_words
from prompts.tell.here import here
from prompts.tell.opening import Verdict

_MONTE_CARLO = {"advantages": "mc_advantages", "returns": "mc_returns"}  # what the words mean in a request for these


def judged(question: Question) -> Verdict | None:
    """What the check of what was claimed finds on the learner's numbers; nothing where it cannot run."""
    if question.worded is not None:
        return None if question.worded.asks else figures_in_words.verdict(question.worded)
    if question.claims and lessons()[question.lesson].audit is None:
        by_numbers = _judged_by_numbers(question)
        if by_numbers is not None or question.own_numbers:
            return by_numbers
    if question.relation is not None:
        fact = relations.fact(question.relation, question.own_rates)
        denied = question.relation.denied
    elif question.assertion is not None:
        fact = lessons()[question.assertion.lesson].facts[question.assertion.proposition]
        denied = question.assertion.denied
    else:
        return None
    try:
        found = Verdict(fact, fact.judge(question.scenario, denied=denied), denied)
        return here(question, found)
    except EngineError:
        return None


def _judged_by_numbers(question: Question) -> Verdict | None:
    """What is stated in numbers is true when every one of them is right at the digits shown."""
    found = checked_numbers(question)
    if found is None or (found.wrong or found.checked)[0].correct is None:  # of a token that is not there
        return None
    fact = relations.numbers(found)
    return Verdict(fact, fact.judge(question.scenario, denied=False), False)


def checked_numbers(question: Question) -> Audited | None:
    """The numbers that a message states, if all of them can be checked."""
    audit = next(lesson.audit for lesson in lessons().values() if lesson.audit is not None)
    if question.quantity == "mc":
        named = tuple(replace(claim, name=_MONTE_CARLO.get(claim.name, claim.name)) for claim in question.claims)
        question = replace(question, claims=named)
    found = audited(audit, question).audited
    return found if found is not None and found.checked and not found.unchecked else None


def audited(audit: Audit, question: Question) -> Shown:
    """Stated numbers are checked on the learner's own lists; the running example's have no part in it."""
    borrowed = [name for name, whose in question.origin.items() if whose == "example"]
    own = question.scenario.merged({name: None for name in borrowed if name not in PARAMETERS})
    solved = frozenset(name for name, whose in question.origin.items() if whose == "solved")
    return audit(own, question.claims, question.quantity, free=frozenset(borrowed) | solved)


def verdict_on_numbers(shown: Shown, *, denied: bool) -> str | None:
    """Stated results are a claim: true when every one is right at the digits shown, or wrong where that is said."""
    if shown.audited is None or shown.audited.planted or not shown.audited.checked:
        return None
    return holds(denied == bool(shown.audited.wrong))


def mistakes(audited: Audited | None) -> tuple[Mapping[str, Any], ...]:
    """The stated numbers that are wrong, in the order of the text."""
    return tuple(
        {
            "where": number.where,
            "stated": number.stated,
            "correct": None if number.correct is None else float(number.correct),
            "cause": number.cause,
        }
        for number in (audited.wrong if audited is not None and not audited.planted else ())
    )
