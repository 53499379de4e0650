"""The tutor: a conversation in, an answer out. Reads, computes, proves and tells; knows no interface."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.models.observed import Observed
from engine.models.progress import Listener, Progress, nobody, until
from engine.scenario import PARAMETERS
from lessons._lesson import LANGUAGES, OUT_OF_SCOPE, Lesson, Shown, lessons
from prompts.answer import Answer
from prompts.facts_told import opening, points, spoken
from prompts.judging import audited, checked_numbers, judged, mistakes, verdict_on_numbers
from prompts.model import Listened, connected, listened
from prompts.of_their_text import of_their_text
from prompts.own_page import borne, solved
from prompts.own_page import page as own_page
from prompts.pictures.told import at_once, pasted
from prompts.practised import answered as practised
from prompts.read import STYLES, Question, looked_at, read
from prompts.read.characters import unmangled
from prompts.read.language import language
from prompts.read.turns import follow
from prompts.tell.errors import describe
from prompts.tell.forms import TOLD_AS
from prompts.tell.leading import followups, leading, onward
from prompts.tell.opening import Told
from prompts.tell.page import Page, Telling, compose
from prompts.tell.practice import on_page
from prompts.tell.proofs import steps
from prompts.tell.reviewing import numbers
from prompts.tell.sections import QUIZ
from prompts.tell.solved import proof as proof_of
from prompts.tell.texts import texts
from prompts.tell.theirs import Theirs
from prompts.theirs import of_a_project
from prompts.trust import facts

_LOG = logging.getLogger(__name__)
LIKELIEST = 3  # lessons that are offered where the right one is not sure
NOT_GIVEN = ("missing", "one_value_has_no_sample_variance")  # numbers in a claim need not be ones to compute with
NOTHING_SHOWN = Shown()
OURS = {"drawn": "example"}  # whose numbers are, for whoever asks: drawn at random, they are ours
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
    alone: bool = False  # without the model that listens, if there is one
    overruled: tuple[str, ...] = ()  # whose numbers those of the scenario replace: earlier, learner


def answer(request: Request) -> Answer:
    """The answer to the last of the learner's turns."""
    started = time.perf_counter()
    try:
        _check(request)
        found = _answered(request)
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
    last = request.messages[-1] if request.messages else None
    heard = language(unmangled(last)) if isinstance(last, str) else None
    return request.lang if request.lang in LANGUAGES else heard or "en"


def _answered(request: Request) -> Answer:
    """What was asked, computed and told: as the built-in reading has it, or as a model heard it that may listen."""
    if (found := at_once(request.messages, _language(request))) is not None:
        return found
    messages = pasted(request.messages)
    question = read(
        messages,
        chosen_language=request.lang,
        given=request.scenario,
        style=request.style,
        overruled=request.overruled,
    )
    if question.practice is not None:
        return practised(question, question.practice)
    if question.trial is not None or question.sought is not None or question.exhibit is not None:
        return _answer(Listened(question), until(request.stop, request.listener))
    before = (*messages, *(told for told, *_ in follow(messages).talk.shown)) if messages[1:] else messages
    question, theirs = of_a_project(question, messages[-1])
    model = None if request.alone or theirs is not None else connected()
    if model is None or isinstance(model, EngineError):
        return _answer(Listened(question), before=before, theirs=theirs)
    request.listener(Progress("listen", 0, 1))
    heard = listened(model, question, messages, request.stop)
    return replace(_answer(heard, before=before), listened=heard.report)


def _answer(
    heard: Listened, listener: Listener = nobody, before: Sequence[str] = (), theirs: Theirs | None = None
) -> Answer:
    lesson = lessons()[heard.question.lesson]
    question = heard.question
    if question.exhibit is None:  # both of its readings are worked on its own numbers
        question = replace(question, scenario=looked_at(lesson, question.scenario, question.origin))
    if question.error is not None:
        return _failed(lesson, question, question.error)
    try:
        question, solution = solved(question)
        shown = _shown(lesson, question)
    except EngineError as error:
        if question.sought is not None:
            return _failed(lesson, question, error)
        no_request = question.quantity is None or error.code in NOT_GIVEN
        talked_of = question.claims_something or not question.wished
        if question.own_numbers and (not question.wished or (no_request and (talked_of or question.carried))):
            ours = question.on(RUNNING) if talked_of else question.without_numbers(RUNNING)
            return _answer(replace(heard, question=ours), before=before)
        return _failed(lesson, question, error)
    shown, own = own_page(question, shown, solution)
    found = None
    if question.trial is not None and shown.iteration is not None:
        found = shown.iteration(question.trial, listener)
        if isinstance(found, EngineError) and found.code not in (*NOT_NOW, *NOT_HERE):
            return _failed(lesson, question, found)  # what was asked for cannot be run
        shown = replace(shown, run=found)
    verdict = judged(question)
    said = spoken(question, heard.said, heard.by)
    told = opening(question, verdict, said)
    telling = Telling(
        question.language,
        question.form,
        question.scenario,
        borne(question),
        shown,
        wanted=question.wanted if question.quantity is not None else (),
        notes=question.notes,
        without=_left_out(question, found, told),
        told=told,
        spoken=said,
        instead=() if question.sure else _may_be_meant(question),
        brief=question.brief,
        theirs=theirs,
        of_their_text=of_their_text(question, shown.audited),
        own_page=own,
    )
    page = compose(lesson, telling)
    next_questions = leading(question.leads, lesson, question.language) or _onward(lesson, question, told, before)
    return Answer(
        **_understood(question),
        verdict=verdict.judged.verdict if verdict else verdict_on_numbers(shown, denied=question.denied),
        judged=question.judged if verdict else None,
        points=points(question),
        markdown=page.markdown,
        params=_params(question, shown),
        facts={**_facts(shown, found, told), **_practised(lesson, page)},
        proof=(
            *(proof_of(solution, question.language) if solution else ()),
            *(step for theorem in shown.proofs.values() for step in steps(theorem, question.language)),
        ),
        checks=_checks(shown, found),
        mistakes=mistakes(checked_numbers(question) if question.claims and lesson.audit is None else shown.audited),
        followups=telling.instead or next_questions,
        sections=tuple(section.id for section in page.sections),
        figures=page.pictures,
        closed=page.closed,
        end=page.ends,
    )


def _onward(lesson: Lesson, question: Question, told: Sequence[Told], before: Sequence[str]) -> tuple[str, ...]:
    if lesson.id == OUT_OF_SCOPE:
        near = [one.leads_to[question.language] for first in told for one in (first, *first.near) if one.leads_to]
        return tuple(dict.fromkeys([*near, *followups(lesson, question.language)]))[:LIKELIEST]
    own = question.own_numbers
    return onward(lesson, question.language, told=told, form=question.form, own=own, before=before)


def _left_out(question: Question, found: Observed | EngineError | None, told: Sequence[Told]) -> tuple[str, ...]:
    """Blocks of the page that have no place on it."""
    if isinstance(found, Observed) or (found is not None and found.code in NOT_NOW):
        return ("numbers",)
    return ("answer",) if told and told[0].outside else question.without


def _shown(lesson: Lesson, question: Question) -> Shown:
    """What the lesson shows, with every fact of the computation that was asked for."""
    asked = quantities.facts(question.quantity, question.scenario) if question.quantity else None
    shown = lesson.show(question.scenario) if lesson.audit is None else audited(lesson.audit, question)
    if asked is None:
        return shown
    return replace(shown, facts=asked.beside(shown.facts) if shown.facts else asked)


def _may_be_meant(question: Question) -> tuple[str, ...]:
    """The questions of the likeliest lessons, the chosen one among them."""
    return tuple(lessons()[id].question[question.language] for id, _ in question.alternatives[:LIKELIEST])


def _understood(question: Question) -> dict[str, Any]:
    return {
        "lesson": question.lesson,
        "alternatives": tuple({"lesson": lesson, "score": score} for lesson, score in question.alternatives),
        "lang": question.language,
        "form": TOLD_AS.get(question.form, question.form),
        "quantity": question.quantity,
    }


def _params(question: Question, shown: Shown = NOTHING_SHOWN) -> dict[str, Any]:
    """What the learner gave, what was computed with, and whose each part is."""
    used = shown.facts.used if shown.facts else frozenset[str]()
    names = [name for name, whose in question.origin.items() if name in used or whose != "example"]
    given = _as_told(question)
    run = {}
    if question.trial is not None:  # its lists are the model's
        names, run = [name for name in names if name in PARAMETERS], {"run": question.trial.given()}
    return {
        **{name: given[name] for name in names},
        **run,
        "from": {name: OURS.get(question.origin[name], question.origin[name]) for name in names},
    }


def _as_told(question: Question) -> dict[str, Any]:
    """The parts of the scenario, its words as the page has them."""
    given = question.scenario.given()
    told = texts(question.scenario, question.origin, question.language)
    return {**given, **{name: x for name, x in vars(told).items() if name in given}}


def _facts(shown: Shown, found: Observed | EngineError | None, told: Sequence[Told]) -> dict[str, Any]:
    """Everything computed for the answer; what the language model put out stands under `model`."""
    own = facts(shown, told)
    return {**own, "model": found.numbers} if isinstance(found, Observed) else own


def _practised(lesson: Lesson, page: Page) -> Mapping[str, Any]:
    """The numbers of the exercise that the page prints, if it does."""
    printed = lesson.practice is not None and any(one.id == QUIZ and one not in page.closed for one in page.sections)
    return {"practice": numbers(on_page(lesson.id))} if printed else {}


def _checks(shown: Shown, found: Observed | EngineError | None) -> tuple[Mapping[str, Any], ...]:
    made = (*(shown.facts.checks if shown.facts else ()), *(found.checks if isinstance(found, Observed) else ()))
    return tuple({"what": check.what, "residual": check.residual, "ok": check.ok} for check in made)


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
