"""What an answer opens with: what was judged, then the facts that answer each thing asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.model import Said
from prompts.read import Question
from prompts.read.asking import mood
from prompts.read.nearest import Near
from prompts.read.understanding import told
from prompts.tell import worded
from prompts.tell.forms import SECTIONS_ALONE
from prompts.tell.opening import Ruling, Sentence, Spoken, Told, Verdict

TELLING = (
    "plain",
    "full",
    "why",
    "rigorous",
    "example",
    *SECTIONS_ALONE,
)  # forms of a page that opens with an answer in words


SPEAKING = (*TELLING, "simple", "numbers")


def spoken(question: Question, said: Sequence[Said], by: str) -> Spoken | None:
    """The opening in a model's words, where the page has one in words."""
    if not said or question.lesson == OUT_OF_SCOPE or question.form not in SPEAKING:
        return None
    facts = list(dict.fromkeys(near for one in said for near in one.facts))
    results = list(dict.fromkeys(result for one in said for result in one.results))
    marks = [*facts, *results]
    sentences = tuple(Sentence(one.text, tuple(map(marks.index, one.marks))) for one in said)
    told = tuple(_told(near, question) for near in facts)
    return Spoken(sentences, told, tuple(one.text for one in results), by)


def opening(question: Question, verdict: Verdict | None, said: Spoken | None = None) -> tuple[Told, ...]:
    """What is told first: what was judged, then the facts that answer each thing asked."""
    ruled = _ruled(question, verdict) if verdict is not None else ()
    if question.worded is not None and question.worded.asks:
        return (worded.asked(question.worded, question.lesson),)
    if said is not None:
        return (*ruled, *said.facts)
    if question.quantity is not None or question.trial is not None or question.form not in TELLING:
        return ruled
    if question.lesson == OUT_OF_SCOPE:
        near = next((found for point in question.points if (found := told(point, outside=True))), ())
        aside = [_told(one, question) for one in near]
        return (replace(aside[0], outside=question.outside or "perhaps", near=tuple(aside[1:])),) if aside else ()
    seen = {one.fact.id for one in ruled}
    facts = []
    for point in question.points:
        some = [_told(near, question) for near in told(point)]
        if some and some[0].fact.id not in seen:
            first, *leading = [one for one in some[: max(1, point.leads)] if one.fact.id not in seen]
            others = tuple(one for one in some[max(1, point.leads) :] if one.fact.id not in seen)
            beside = not question.brief and (point.leads == 0 or (point.wishes and point.opens is None))
            facts += [replace(first, near=others, asked=point.asked, aside=beside), *leading]
            seen |= {one.fact.id for one in (first, *leading)}
    return (*ruled, *facts)


def _told(found: Near, question: Question) -> Told:
    """A fact, checked on the learner's numbers where its check can run on them."""
    lesson = lessons()[found.lesson]
    fact = lesson.facts[found.id]
    try:
        judged = fact.judge(question.scenario, denied=False)
    except EngineError:
        judged = fact.judge(RUNNING, denied=False)
    return Told(fact, judged, lesson.id, leads_to={} if lesson.id == question.lesson else lesson.question)


def _ruled(question: Question, verdict: Verdict) -> tuple[Told, ...]:
    ruling = None
    if question.judged:
        ruling = Ruling(question.judged, verdict.judged.verdict, mood(question.judged) == "confirms")
    lesson = question.assertion.lesson if question.assertion is not None else question.lesson
    return (Told(verdict.fact, verdict.judged, lesson, ruling=ruling, here=verdict.here),)


def points(question: Question) -> tuple[Mapping[str, Any], ...]:
    return tuple(
        {
            "asked": point.asked,
            "facts": [near.fact for near in told(point)],
            "near": [near.fact for near in point.facts],
        }
        for point in question.points
    )
