"""A message, heard by a model and checked: the Question that it comes to, and an opening in its words.

First it says what it hears and what it would answer, which nobody sees: facts are looked up by that, and sums and
quantities that it asks for are computed. Then it answers with these before it, and with nothing else.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from prompts.model.asking import Model, Talk
from prompts.model.calls import Result, results
from prompts.model.candidates import AGAIN, REPLY, Turns, again, shown, turns
from prompts.model.connection import NoReplyError
from prompts.model.entrance import passes
from prompts.model.reply import Answered, Form, Heard, fields
from prompts.model.speak import Said, opening
from prompts.model.standing import unread
from prompts.model.understood import SUBJECT, Check, given, understood
from prompts.read import Question
from prompts.read.asking import mood
from prompts.tell.forms import WAYS_IN

_LOG = logging.getLogger(__name__)
OPEN = ("asks", "wishes")  # moods of a sentence that nothing is claimed in
_F = TypeVar("_F", bound=Form)


@dataclass(frozen=True)
class Listened:
    """What a model made of a message. `report` says by whom, at what cost, and what of it was dropped."""

    question: Question
    said: tuple[Said, ...] = ()
    report: Mapping[str, Any] | None = None

    @property
    def by(self) -> str:
        return str(self.report["model"]) if self.report is not None else ""


def listened(model: Model, question: Question, messages: Sequence[str], stop: threading.Event) -> Listened:
    """The question as the model heard it; as the built-in reading has it, where the model says nothing that can be read
    or where nothing is left to be heard."""
    if _settled(question, messages[-1]):
        return Listened(question)
    talk, check = Talk(model, stop), Check(question, messages[-1])
    try:
        _let_in(model, Talk(model, stop))
        heard = _replied(talk, check, turns(question, messages), Heard, REPLY)
        answered = _answered(talk, check, heard, messages)
    except NoReplyError as trouble:
        _LOG.info("%s was not heard: %s", model.name, trouble.why)
        return Listened(question, report=_report(model, talk, check, trouble.why))
    question, proposed = understood(check, heard, answered)
    said, proposed = opening(check, answered.opening, proposed, talk)
    if proposed is not None and mood(proposed.sentence) in OPEN:
        check.drop("judged.sentence", "an open question")
    elif proposed is not None:
        question = replace(question, assertion=proposed.assertion, judged=proposed.sentence)
    return Listened(question, said, _report(model, talk, check))


def _let_in(model: Model, talk: Talk) -> None:
    if model.fit is None:
        model.fit = passes(talk)
        if not model.fit:
            _LOG.warning("%s does not tell a fact from its opposite: the tutor listens by itself", model.name)
    if not model.fit:
        raise NoReplyError("unfit")


def _answered(talk: Talk, check: Check, heard: Heard, messages: Sequence[str]) -> Answered:
    """What it answers, once it has what was computed for it and the facts nearest to what it has in mind."""
    question = check.question
    check.facts = (*_found_out(check, heard), *shown(question, messages, heard.answer))
    if heard.about != SUBJECT:
        return fields({}, Answered)[0]
    sent, count = again(question, messages, [check.says(one) for one in check.facts], talk.left)
    check.facts = check.facts[:count]
    return _replied(talk, check, sent, Answered, AGAIN)


def _found_out(check: Check, heard: Heard) -> list[Result]:
    check.given = given(check, heard.numbers or ())
    question = check.question
    read = {name: x for name, x in question.scenario.given().items() if question.origin.get(name) == "learner"}
    found, nothing = results(heard.calls, {**read, **check.given}, check.message)
    for name in nothing:
        check.drop("calls", name)
    return found


def _replied(talk: Talk, check: Check, sent: Turns, form: type[_F], longest: int) -> _F:
    found, malformed = fields(talk.ask(sent, form, longest), form)
    for name in malformed:
        check.drop(name, "form")
    return found


def _settled(question: Question, message: str) -> bool:
    """Whether numbers, a move in the conversation or the page that was asked for say it all."""
    moves = question.form in WAYS_IN or question.brief or question.without
    numbers = question.claims or question.worded is not None or question.error is not None
    read = question.quantity is not None or (question.sure and not question.points)
    own = [x for name, x in question.scenario.given().items() if question.origin.get(name) != "example"]
    return bool(moves or numbers or question.trial is not None or (read and not unread(own, message)))


def _report(model: Model, talk: Talk, check: Check, failed: str | None = None) -> dict[str, Any]:
    return {
        "model": model.name,
        "failed": failed,
        "tokens": talk.tokens,
        "calls": talk.calls,
        "sentences": check.sentences,
        "dropped": [{"field": field, "why": why} for field, why in check.dropped],
    }
