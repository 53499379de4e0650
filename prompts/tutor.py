"""The tutor: a conversation in, an answer out. Reads, computes, proves and tells; knows no interface."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import quantities
from engine.audits import Audited
from engine.errors import EngineError
from engine.example import RUNNING
from engine.models.observed import Observed
from engine.models.progress import Listener, nobody, until
from engine.proofs.latex import latex
from engine.scenario import PARAMETERS
from lessons._lesson import LANGUAGES, Audit, Lesson, Shown, lessons
from lessons._proposition import holds
from prompts.answer import Answer
from prompts.model import Writer, decided, told_again, writer
from prompts.read import STYLES, Question, read
from prompts.read.claim import CLEAR
from prompts.read.language import language
from prompts.tell import relations
from prompts.tell import worded as figures_in_words
from prompts.tell.errors import describe
from prompts.tell.here import here
from prompts.tell.page import ON_MODEL, Telling, Verdict, followups, pictures, render
from prompts.tell.words import word

_LOG = logging.getLogger(__name__)
LIKELIEST = 3  # lessons that are offered where the right one is not sure
NOT_GIVEN = ("missing", "one_value_has_no_sample_variance")  # numbers in a claim need not be ones to compute with
NOTHING_SHOWN = Shown()
NOT_NOW = ("busy", "stopped")  # of a run: nothing is missing, and nothing is shown in its place
NOT_HERE = ("no_model", "missing_package", "unsupported_model", "disk_full", "cache_unwritable")
LONGEST_MESSAGE = 20_000  # characters


@dataclass(frozen=True)
class Request:
    """One conversation: the learner's turns, and what was set beside them."""

    messages: tuple[str, ...]
    lang: str | None = None
    scenario: Mapping[str, Any] | None = None
    style: str = "plain"
    id: Any = None
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)  # set: nobody waits
    listener: Listener = field(default=nobody, compare=False, repr=False)  # hears how far a run on the model is


def answer(request: Request) -> Answer:
    """The answer to the last of the learner's turns."""
    started = time.perf_counter()
    try:
        _check(request)
        found = _answered(request, writer())
    except EngineError as error:
        found = refusal(error, _language(request))
    except Exception:  # noqa: BLE001  the one net: a fault of ours is an honest answer, not a broken conversation
        _LOG.exception("no answer to %r", request)
        found = refusal(EngineError("internal"), _language(request))
    return found.labelled(request.id, time.perf_counter() - started)


def _check(request: Request) -> None:
    """What is wrong with the request itself, before anything is read."""
    if not request.messages or not all(isinstance(message, str) for message in request.messages):
        raise EngineError("no_message")
    if len(request.messages[-1]) > LONGEST_MESSAGE:
        raise EngineError("too_much_text", length=len(request.messages[-1]), limit=LONGEST_MESSAGE)
    for name, value, known in (("lang", request.lang, (None, *LANGUAGES)), ("style", request.style, STYLES)):
        if value not in known:
            raise EngineError("bad_option", field=name, value=value, known=", ".join(filter(None, known)))


def _language(request: Request) -> str:
    if request.lang in LANGUAGES:
        return request.lang
    last = request.messages[-1] if request.messages else ""
    return (language(last) if isinstance(last, str) else None) or "en"


def _answered(request: Request, words_by: Writer | EngineError | None) -> Answer:
    """What was asked, computed and told; a writer decides where the reading was not sure, and may tell it again."""
    question = read(request.messages, chosen_language=request.lang, given=request.scenario, style=request.style)
    if question.trial is not None:
        return _told(question, until(request.stop, request.listener))
    if words_by is None:
        return _told(question)
    if not isinstance(words_by, EngineError):
        question = decided(words_by, question, request.messages[-1], request.stop)
    found = _told(question)
    return told_again(words_by, found, request.messages[-1], request.stop) if question.sure else found


def _told(question: Question, listener: Listener = nobody) -> Answer:
    lesson = lessons()[question.lesson]
    if question.error is not None:
        return _failed(lesson, question, question.error)
    try:
        shown = _shown(lesson, question)
    except EngineError as error:
        no_request = question.quantity is None or error.code in NOT_GIVEN
        if (question.claims_something or question.carried) and question.own_numbers and no_request:
            return _told(question.on(RUNNING) if question.claims_something else question.without_numbers(RUNNING))
        return _failed(lesson, question, error)
    found = None
    if question.trial is not None and shown.iteration is not None:
        found = shown.iteration(question.trial, listener)
        if isinstance(found, EngineError) and found.code not in (*NOT_NOW, *NOT_HERE):
            return _failed(lesson, question, found)  # what was asked for cannot be run
        shown = replace(shown, run=found)
    verdict = judged(question)
    telling = Telling(
        question.language,
        question.form,
        question.scenario,
        question.origin,
        shown,
        wanted=question.wanted,
        notes=question.notes,
        without=("numbers",) if isinstance(found, Observed) or (found and found.code in NOT_NOW) else (),
        verdict=verdict,
        instead=() if question.sure else _may_be_meant(question),
    )
    return Answer(
        **_understood(question),
        verdict=verdict.judged.verdict if verdict else _verdict_on_numbers(shown, denied=question.denied),
        markdown=render(lesson, telling),
        params=_params(question, shown),
        facts=_facts(shown, found),
        proof=_proof(shown, question.language),
        checks=_checks(shown, found),
        mistakes=_mistakes(_checked_numbers(question) if question.claims and lesson.audit is None else shown.audited),
        followups=telling.instead or tuple(followups(lesson, question.language)),
        figures=pictures(lesson, telling),
    )


def judged(question: Question) -> Verdict | None:
    """What the check of what was claimed finds on the learner's numbers; nothing where it cannot run."""
    if question.worded is not None:
        stated = question.worded
        proposition = figures_in_words.proposition(stated)
        return Verdict(proposition, proposition.judge(question.scenario, denied=stated.denied), stated.denied, True)
    if question.claims and lessons()[question.lesson].audit is None:
        by_numbers = _judged_by_numbers(question)
        if by_numbers is not None or question.own_numbers:
            return by_numbers
    computed = relations.proposition(question.relation, question.own_rates) if question.relation is not None else None
    if question.relation is not None and computed is not None:
        proposition, denied, sure = computed, question.relation.denied, True
    elif question.assertion is not None:
        proposition = lessons()[question.assertion.lesson].propositions[question.assertion.proposition]
        denied, sure = question.assertion.denied, question.assertion.score >= CLEAR
    else:
        return None
    try:
        found = Verdict(proposition, proposition.judge(question.scenario, denied=denied), denied, sure)
        return here(question, found)
    except EngineError:
        return None


_MONTE_CARLO = {"advantages": "mc_advantages", "returns": "mc_returns"}  # what the words mean in a request for these


def _judged_by_numbers(question: Question) -> Verdict | None:
    """What is stated in numbers is true when every one of them is right at the digits shown."""
    found = _checked_numbers(question)
    first = (found.wrong or found.checked)[0] if found is not None else None
    if first is None or first.correct is None:  # of a token that is not there: nothing to set beside it
        return None
    proposition = relations.numbers(first)
    return Verdict(proposition, proposition.judge(question.scenario, denied=False), False, True)


def _checked_numbers(question: Question) -> Audited | None:
    """The numbers that a message states, if all of them can be checked."""
    audit = next(lesson.audit for lesson in lessons().values() if lesson.audit is not None)
    if question.quantity == "mc":
        named = tuple(replace(claim, name=_MONTE_CARLO.get(claim.name, claim.name)) for claim in question.claims)
        question = replace(question, claims=named)
    found = _audited(audit, question).audited
    return found if found is not None and found.checked and not found.unchecked else None


def _shown(lesson: Lesson, question: Question) -> Shown:
    """What the lesson shows, with every fact of the computation that was asked for."""
    asked = quantities.facts(question.quantity, question.scenario) if question.quantity else None
    shown = lesson.show(question.scenario) if lesson.audit is None else _audited(lesson.audit, question)
    if asked is None:
        return shown
    return replace(shown, facts=asked.beside(shown.facts) if shown.facts else asked)


def _audited(audit: Audit, question: Question) -> Shown:
    """Stated numbers are checked on the learner's own lists; the running example's have no part in it."""
    borrowed = [name for name, whose in question.origin.items() if whose == "example"]
    own = question.scenario.merged({name: None for name in borrowed if name not in PARAMETERS})
    return audit(own, question.claims, question.quantity, free=frozenset(borrowed))


def _verdict_on_numbers(shown: Shown, *, denied: bool) -> str | None:
    """Stated results are a claim: true when every one is right at the digits shown, or wrong where that is said."""
    if shown.audited is None or shown.audited.planted or not shown.audited.checked:
        return None
    return holds(denied == bool(shown.audited.wrong))


def _mistakes(audited: Audited | None) -> tuple[Mapping[str, Any], ...]:
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


def _may_be_meant(question: Question) -> tuple[str, ...]:
    """The questions of the likeliest lessons, the chosen one among them."""
    return tuple(lessons()[id].question[question.language] for id, _ in question.alternatives[:LIKELIEST])


def _understood(question: Question) -> dict[str, Any]:
    return {
        "lesson": question.lesson,
        "alternatives": tuple({"lesson": lesson, "score": score} for lesson, score in question.alternatives),
        "lang": question.language,
        "form": "example" if question.form == ON_MODEL else question.form,
        "quantity": question.quantity,
    }


def _params(question: Question, shown: Shown = NOTHING_SHOWN) -> dict[str, Any]:
    """What the learner gave, what was computed with, and whose each part is."""
    used = shown.facts.used if shown.facts else frozenset[str]()
    names = [name for name, whose in question.origin.items() if name in used or whose != "example"]
    given = question.scenario.given()
    run = {}
    if question.trial is not None:  # its lists are the model's
        names, run = [name for name in names if name in PARAMETERS], {"run": question.trial.given()}
    return {**{name: given[name] for name in names}, **run, "from": {name: question.origin[name] for name in names}}


def _proof(shown: Shown, lang: str) -> tuple[Mapping[str, Any], ...]:
    return tuple(
        {
            "statement": f"{latex(step.before)} = {latex(step.after)}",
            "reason": word(lang, "reasons", step.move.reason),
            "checked": True,
        }
        for theorem in shown.proofs.values()
        for step in theorem.steps()
    )


def _facts(shown: Shown, found: Observed | EngineError | None) -> dict[str, Any]:
    """Everything computed for the answer; what the language model put out stands under `model`."""
    own = dict(shown.facts.numbers) if shown.facts else {}
    return {**own, "model": found.numbers} if isinstance(found, Observed) else own


def _checks(shown: Shown, found: Observed | EngineError | None) -> tuple[Mapping[str, Any], ...]:
    own = shown.facts.checks if shown.facts else ()
    made = found.checks if isinstance(found, Observed) else ()
    return tuple({"what": check.what, "residual": check.residual, "ok": check.ok} for check in (*own, *made))


def _failed(lesson: Lesson, question: Question, error: EngineError) -> Answer:
    """An answer that could not be computed: what is wrong and what to do, and no page that pretends."""
    message = describe(error, question.language)
    return Answer(
        **_understood(question),
        markdown=message + "\n",
        params=_params(question),
        error={"code": error.code, "message": message},
        followups=tuple(followups(lesson, question.language)),
    )


def refusal(error: EngineError, lang: str) -> Answer:
    message = describe(error, lang)
    return Answer(
        lesson="out_of_scope",
        alternatives=(),
        lang=lang,
        form="plain",
        markdown=message + "\n",
        error={"code": error.code, "message": message},
    )
