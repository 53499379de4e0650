"""Pages: a section of a lesson, a proof, and the tutor's whole answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from engine import proofs
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Facts
from engine.proofs.proof import Cases, Induction, Theorem
from lessons._lesson import lessons
from prompts.functions.answered import Answered, ProofRead, SectionRead
from prompts.functions.asked import Ask, ReadProof, ReadSection
from prompts.functions.given import as_json, bounded, link, own, source, unknown
from prompts.read.owned import looked_at
from prompts.tell.forms import FULL
from prompts.tell.learner_text import typed
from prompts.tell.page import Telling, compose
from prompts.tell.proofs import conditions, statement, steps
from prompts.tell.proofs import proof as told_proof
from prompts.tutor import Request, answer

MOST_NAMED = 12  # facts of a lesson that its section names
_ON_TOP = {"answer": "plain", "simple": "simple"}  # what no section is, and the form of a page that is just that
_LEFT_OUT = ("alternatives", "points", "error", "seconds", "id", "listened")


def section(asked: ReadSection) -> SectionRead:
    lang = asked.lang or "en"
    if asked.lesson not in lessons():
        raise unknown("lesson", asked.lesson, lessons())
    lesson = lessons()[asked.lesson]
    given, origin = own(asked)
    given = looked_at(lesson, given, origin)
    shown = lesson.show(given)
    whole = compose(lesson, Telling(lang, FULL, given, origin, shown))
    there = {one.id: one.text for one in whole.sections}
    if asked.section in _ON_TOP:
        told = compose(lesson, Telling(lang, _ON_TOP[asked.section], given, origin, shown)).first
    elif asked.section in there:
        told = there[asked.section]
    else:
        raise unknown("section", asked.section, (*_ON_TOP, *there))
    return {
        "lesson": lesson.id,
        "title": lesson.title[lang],
        "section": asked.section,
        "markdown": told,
        "numbers": _of_the_response(shown.facts),
        "theorems": [theorem.name for theorem in shown.proofs.values()],
        "facts": [f"{lesson.id}/{id}" for id in list(lesson.facts)[:MOST_NAMED]],
        "source": source(lesson.show),
        "link": link(lesson.question[lang], lang),
    }


def _of_the_response(facts: Facts | None) -> dict[str, Any]:
    """Without worlds, grids and counterexamples, which a lesson fixes by itself."""
    return {name: as_json(x) for name, x in (facts.exact if facts else {}).items() if not isinstance(x, Mapping)}


def proof(asked: ReadProof) -> ProofRead:
    lang = asked.lang or "en"
    if asked.theorem not in proofs.theorem_names():
        raise unknown("theorem", asked.theorem, proofs.theorem_names())
    theorem = proofs.theorem(asked.theorem)
    return {
        "theorem": theorem.name,
        "statement": statement(theorem),
        "conditions": conditions(theorem.conditions),
        "by": _shape(theorem),
        "steps": [
            {"statement": one["statement"], "reason": one["reason"], "checked": True} for one in steps(theorem, lang)
        ],
        "markdown": str(told_proof(theorem, lang)),
        "source": source(proofs.maker(theorem.name)),
        "link": _page_of(theorem.name, lang),
    }


def _shape(theorem: Theorem) -> Literal["induction", "cases", "chain"]:
    if isinstance(theorem.proof, Induction):
        return "induction"
    return "cases" if isinstance(theorem.proof, Cases) else "chain"


def _page_of(theorem: str, lang: str) -> str | None:
    """The lesson that shows a theorem."""
    lesson = _showing().get(theorem)
    return None if lesson is None else link(lessons()[lesson].question[lang], lang)


@cache
def _showing() -> Mapping[str, str]:
    """theorem → the first lesson that shows it."""
    found: dict[str, str] = {}
    for lesson in lessons().values():
        for theorem in lesson.show(RUNNING).proofs.values():
            found.setdefault(theorem.name, lesson.id)
    return found


def ask(asked: Ask) -> Answered:
    """The tutor's answer, as the `ask` contract has it."""
    bounded(asked.scenario)
    request = Request((*asked.earlier, asked.message), asked.lang, asked.scenario, asked.style, alone=True)
    found = answer(request)
    if found.error is not None:
        raise EngineError(found.error["code"], told=typed(found.error["message"]))
    told: dict[str, Any] = {name: x for name, x in json.loads(found.json()).items() if name not in _LEFT_OUT}
    told |= {"source": source(answer), "link": link(asked.message, found.lang)}
    return told  # type: ignore[return-value]
