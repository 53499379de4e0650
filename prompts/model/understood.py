"""What a model has heard, field by field: what stands in the message and is known here goes into the Question.

Whatever does not is dropped, and named. What the tutor reads and computes by itself is never overruled by it: numbers
that were read, statements that were settled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import LISTS, Scenario
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.model.calls import Result
from prompts.model.candidates import LIKELY, NAMES, POINTS, WISHED
from prompts.model.reply import Answered, Given, Heard, Judged, Point, Says, Wish
from prompts.model.standing import accounted, figures, standing
from prompts.read import Question, completed
from prompts.read.asking import mood
from prompts.read.claim import Assertion
from prompts.read.nearest import Near
from prompts.read.owned import own_scenario
from prompts.read.turn import first
from prompts.read.understanding import TELL, understand
from prompts.read.understanding import Point as Asked

FACTS = 3  # that answer one thing
BESIDE = 2  # beside what is declined
SUBJECT, TALK = "subject", "talk"  # what a message is about that is not declined, and what lies near to nothing


@dataclass
class Check:
    """A message, what a model was shown beside it, and what of its reply was dropped: the field, and why."""

    question: Question
    message: str
    facts: Sequence[Near | Result] = ()
    dropped: list[tuple[str, str]] = field(default_factory=list)
    given: Mapping[str, Any] = field(default_factory=dict)  # numbers of the learner by name
    sentences: int = 0  # that were proposed for an opening

    def drop(self, field: str, why: str) -> None:
        self.dropped.append((field, why))

    def shown(self, number: int) -> Near | Result | None:
        return self.facts[number - 1] if 0 < number <= len(self.facts) else None

    def fact(self, number: int) -> Near | None:
        found = self.shown(number)
        return found if isinstance(found, Near) else None

    def says(self, one: Near | Result) -> str:
        if isinstance(one, Result):
            return one.text
        return lessons()[one.lesson].facts[one.id].says[self.question.language]


@dataclass(frozen=True)
class Proposed:
    """A verdict that a model proposes: it stands once a second look agrees (speak.py)."""

    sentence: str  # as it stands in the message
    fact: Near
    says: Says
    assertion: Assertion


def understood(check: Check, heard: Heard, answered: Answered) -> tuple[Question, Proposed | None]:
    """The question as it was heard, and the verdict that is proposed."""
    question = check.question
    points = _points(check, answered.points) if heard.about == SUBJECT else _beside(check, heard)
    lesson = _lesson(check, heard, points)
    if lesson is not None:
        question = replace(question, lesson=lesson, alternatives=first(lesson, question.alternatives), sure=True)
    if points:
        question = replace(question, points=points)
    question = _with_numbers(check, question, heard)
    question = _in_form(check, question, heard.form)
    if question.lesson == OUT_OF_SCOPE and heard.about != SUBJECT:
        question = replace(question, outside=heard.about)
    if question.relation is not None or question.quantity is not None or question.lesson == OUT_OF_SCOPE:
        return question, None
    return replace(question, assertion=None, judged=None), _proposed(check, question, answered.judged)


def _points(check: Check, given: Sequence[Point]) -> tuple[Asked, ...]:
    found = []
    for one in given[:POINTS]:
        asked = standing(one.asked, check.message)
        if asked is None:
            check.drop("points.asked", "not in the message")
            continue
        near = [check.fact(number) for number in one.facts[:FACTS]]
        for _ in [number for number in one.facts[:FACTS] if check.shown(number) is None]:
            check.drop("points.facts", "no such fact")
        known = [fact for fact in dict.fromkeys(near) if fact is not None]
        found.append(Asked(asked, mood(asked), _in_order(known)))
    return tuple(found)


def _beside(check: Check, heard: Heard) -> tuple[Asked, ...]:
    """What stands beside a message that is declined: the facts nearest to what the model would say of the subject."""
    near = [one for one in check.facts if isinstance(one, Near)][:BESIDE]
    if heard.about == TALK or not near:
        return ()
    return (Asked(check.message, mood(check.message), _in_order(near) if heard.answer else tuple(near)),)


def _in_order(facts: Sequence[Near]) -> tuple[Near, ...]:
    """As a model put them: each a little farther than the one before, all near enough to be told."""
    return tuple(replace(near, score=1.0 - i / 100, likeness=max(near.likeness, TELL)) for i, near in enumerate(facts))


def _lesson(check: Check, heard: Heard, points: Sequence[Asked]) -> str | None:
    """A lesson that is there, and for which a fact that answers speaks too, or the built-in reading."""
    answers = [near.lesson for point in points for near in point.facts]
    if heard.about != SUBJECT:
        return OUT_OF_SCOPE
    if heard.lesson not in lessons() or heard.lesson == OUT_OF_SCOPE:
        if heard.lesson:
            check.drop("lesson", "no such lesson")
    else:
        seen = [id for id, _ in (*check.question.alternatives, *understand(check.message).lessons[:LIKELY])]
        if heard.lesson in (*answers, *seen):
            return heard.lesson
        check.drop("lesson", "nothing speaks for it")
    return answers[0] if answers and check.question.lesson == OUT_OF_SCOPE else None


# ---------------------------------------------------------------- numbers, form


def _with_numbers(check: Check, question: Question, heard: Heard) -> Question:
    """Numbers as they stand in the message, if they make sense together and are more than the tutor has read."""
    read = {name: x for name, x in question.scenario.given().items() if question.origin.get(name) == "learner"}
    if heard.numbers == [] and question.quantity is None and any(name in LISTS and name != "lams" for name in read):
        return question.on(RUNNING)  # what was taken for data is none
    if accounted(check.given.values(), check.message) <= accounted(read.values(), check.message):
        if heard.quantity and not question.own_numbers:
            check.drop("quantity", "no numbers")
        return question
    own, error = own_scenario(check.given)
    if error is not None:
        check.drop("numbers", error.code)
        return question
    complete, origin = completed(own)
    question = replace(question, scenario=complete, origin=origin)
    if heard.quantity is None or not _computes(heard.quantity, complete):
        if heard.quantity is not None:
            check.drop("quantity", "cannot be computed")
        return question
    return replace(question, quantity=heard.quantity, form="numbers")


def given(check: Check, numbers: Sequence[Given]) -> dict[str, Any]:
    """The learner's numbers by name, as they follow one another in the message."""
    found: dict[str, Any] = {}
    for one in numbers:
        series = figures(one.value, check.message)
        if one.name not in NAMES:
            check.drop("numbers.name", "no such name")
        elif series is None:
            check.drop("numbers.value", "not in the message")
        elif one.name not in LISTS and len(series) != 1:
            check.drop("numbers.value", "several numbers for one")
        else:
            found[one.name] = series if one.name in LISTS else series[0]
    return found


def _computes(quantity: str, scenario: Scenario) -> bool:
    if quantity not in quantities.QUANTITIES:
        return False
    try:
        quantities.facts(quantity, scenario)
    except EngineError:
        return False
    return True


def _in_form(check: Check, question: Question, wish: Wish | None) -> Question:
    if wish is None or question.quantity is not None:
        return question
    if wish.name not in WISHED:
        check.drop("form", "no such form")
    elif standing(wish.words, check.message) is None:
        check.drop("form", "not in the message")
    elif question.form == "plain":
        return replace(question, form=wish.name)
    return question


# ---------------------------------------------------------------- verdicts


def _proposed(check: Check, question: Question, judged: Judged | None) -> Proposed | None:
    """A verdict on a sentence of the message, by a fact whose own check decides."""
    if judged is None:
        return None
    sentence, near = standing(judged.sentence, check.message), check.fact(judged.fact)
    if sentence is None or near is None:
        check.drop("judged.sentence" if sentence is None else "judged.fact", "not there")
        return None
    denied = _denied(question, near, judged.says)
    if denied is None:
        check.drop("judged.fact", "not settled")
        return None
    return Proposed(sentence, near, judged.says, Assertion(near.lesson, near.id, denied, score=1.0, margin=1.0))


def _denied(question: Question, near: Near, says: Says) -> bool | None:
    """Which side of a fact a sentence takes that says what its true form says, or the opposite; None: neither is sure.

    The check is of what is affirmed; the true form is that or its opposite, as the check finds. What depends is told
    with its condition and not judged: whether the learner meant the condition, no model knows.
    """
    try:
        found = lessons()[near.lesson].facts[near.id].judge(question.scenario, denied=False).verdict
    except EngineError:
        return None
    return None if "depends" in (found, says) else (found == "true") == (says == "opposite")
