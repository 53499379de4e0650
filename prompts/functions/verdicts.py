"""Verdicts: on one statement, where a check settles it, and on stated numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from engine import audits, equalities
from engine.audits import Claim
from engine.computing import computed
from engine.errors import EngineError
from engine.scenario import PARAMETERS, Scenario, scenario
from lessons._lesson import Shown, lessons
from prompts import judging
from prompts.functions import facts
from prompts.functions.answered import Audited, Settled, StatedNumber
from prompts.functions.asked import AuditNumbers, Language, ReadFact, SettleStatement
from prompts.functions.facts import check_of, found, plainly
from prompts.functions.given import as_json, bounded, link, own, source, spoken
from prompts.read import Question, read
from prompts.read.asking import sentences
from prompts.read.characters import unmangled
from prompts.read.figures import figures
from prompts.read.nearest import nearest
from prompts.read.understanding import understand
from prompts.tell.errors import describe
from prompts.tell.learner_text import typed
from prompts.tell.opening import Verdict
from prompts.tell.templates import reason
from prompts.tell.values import Values
from prompts.tell.words import word

NEAREST = 5
# How far a fact's verdict is from another one. On held-out statements 2 of 143 were wrong; of the 92 above this, none.
CLEAR = 0.7
CHECK = {"en": "Check these numbers for me: are they right?", "zh": "帮我检查这些数字对不对："}


def settle(asked: SettleStatement) -> Settled:
    lang = spoken(asked, asked.statement)
    message = unmangled(asked.statement)
    bounded(asked.scenario)
    question = read((message,), chosen_language=lang, given=asked.scenario)
    if question.error is not None and asked.scenario:
        raise question.error
    settled = _word_for_word(message, lang) or _by_reading(question, lang)
    near = understand(message).points
    return {
        "statement": asked.statement,
        "judged": (question.judged or " ".join(sentences(message)) or message) if settled["by"] is not None else None,
        **settled,  # type: ignore[typeddict-item]
        "near": [found(one, lang) for one in (near[0].facts[:NEAREST] if near else ())],
        "link": link(asked.statement, lang),
    }


_UNKNOWN: Mapping[str, Any] = {
    "verdict": "unknown", "by": None, "holds": None, "reason": "", "witness": {}, "source": source(nearest),
}  # fmt: skip


def _word_for_word(message: str, lang: Language) -> Mapping[str, Any] | None:
    """A fact as it is told is true, whatever could be read in it."""
    id = _sentences().get(message.strip())
    if id is None:
        return None
    told = facts.read(ReadFact(id=id, lang=lang, scenario=None))
    return {
        "verdict": "true",
        "by": "fact",
        "holds": "in general",
        "reason": told["reason"],
        "witness": told["numbers"],
        "source": told["source"],
    }


@cache
def _sentences() -> Mapping[str, str]:
    """sentence → the fact that it tells."""
    return {
        plainly(says): f"{lesson.id}/{fact.id}"
        for lesson in lessons().values()
        for fact in lesson.facts.values()
        for says in fact.says.values()
    }


def _by_reading(question: Question, lang: str) -> Mapping[str, Any]:
    if question.error is not None:  # what is said cannot be computed with
        return {**_UNKNOWN, "reason": typed(describe(question.error, lang))}
    verdict = judging.judged(question)
    return _by_check(question, verdict, lang) if verdict is not None else _by_numbers(question) or _UNKNOWN


def _by_check(question: Question, verdict: Verdict, lang: str) -> Mapping[str, Any]:
    by, does = _settled_by(question, verdict)
    if by == "fact" and question.assertion is not None and question.assertion.margin <= CLEAR:
        return _UNKNOWN
    values = Values(lang, question.scenario, question.origin, Shown())
    why = reason(verdict.fact.because[lang], verdict.judged.found, values)
    says = plainly(verdict.fact.says[lang]) if verdict.fact.says else ""
    return {
        "verdict": verdict.judged.verdict,
        "by": by,
        "reason": f"{says} {why}".strip(),
        "witness": as_json(verdict.judged.found),
        "holds": "here" if verdict.here is not None or by in ("figures", "numbers") else "in general",
        "source": does,
    }


def _settled_by(question: Question, verdict: Verdict) -> tuple[str, str]:
    if question.worded is not None:
        return "figures", source(figures)
    if verdict.fact.id == "numbers":
        return "numbers", source(audits.audit)
    if question.relation is not None:
        return "relation", source(equalities.settle)
    assert question.assertion is not None, "a verdict is on something"
    return "fact", check_of(lessons()[question.assertion.lesson], question.assertion.proposition)


def _by_numbers(question: Question) -> Mapping[str, Any] | None:
    """Results that the statement gives with the numbers they follow from."""
    audit = lessons()[question.lesson].audit
    if audit is None or not question.claims:
        return None
    shown = judging.audited(audit, question)
    verdict = judging.verdict_on_numbers(shown, denied=question.denied)
    if verdict is None or shown.audited is None or shown.audited.unchecked:
        return None
    numbers = [one for one in shown.audited.checked if one.cause is not None] or list(shown.audited.checked)
    return {
        "verdict": verdict,
        "by": "numbers",
        "reason": "; ".join(f"{one.where}: {one.shown} / {as_json(one.correct)}" for one in numbers[:NEAREST]),
        "holds": "here",
        "witness": {one.where: {"stated": one.stated, "correct": as_json(one.correct)} for one in numbers},
        "source": source(audits.audit),
    }


# ---------------------------------------------------------------- stated numbers


class _Given(NamedTuple):
    scenario: Scenario
    claims: tuple[Claim, ...]
    free: frozenset[str]  # parameters that nobody stated
    unknown: tuple[str, ...] = ()
    quantity: str | None = None


def audit(asked: AuditNumbers) -> Audited:
    lang = spoken(asked, asked.text or "")
    given = _from_text(asked, lang) if asked.text and asked.text.strip() else _from_object(asked)
    told = audits.separated(given.scenario)
    claims = (*given.claims, *(claim for claim in told[1] if claim.name not in {one.name for one in given.claims}))
    if not claims:
        return _nothing(given.unknown, asked, lang)
    done = audits.audit(told[0], claims, given.quantity, free=given.free)
    right: dict[str, Any] = {}
    for one in done.facts:
        right = {**as_json(one.exact), **right}
    used = {name for one in done.facts for name in one.used}
    return {
        "verdict": "unknown" if not done.checked else "false" if done.wrong else "true",
        "checked": list(_checked(done.checked, lang)),
        "unchecked": [*done.unchecked, *given.unknown],
        "numbers": right,
        "assumed": {name: as_json(getattr(told[0], name)) for name in sorted(given.free & used & {*PARAMETERS})},
        "source": source(audits.audit),
        "link": _link(asked, lang),
    }


def _from_text(asked: AuditNumbers, lang: str) -> _Given:
    """What a text gives and states, beside what was set."""
    message = f"{CHECK[lang]}\n\n{unmangled(asked.text or '')}"
    bounded(asked.scenario)
    set_beside = {**(asked.scenario or {}), **_stated(asked)} or None
    question = read((message,), chosen_language=lang, given=set_beside)
    if question.error is not None:
        raise question.error
    borrowed = {name for name, whose in question.origin.items() if whose == "example"}
    lists = question.scenario.merged({name: None for name in borrowed if name not in PARAMETERS})
    return _Given(lists, question.claims, frozenset(borrowed), quantity=question.quantity)


def _from_object(asked: AuditNumbers) -> _Given:
    if not asked.scenario:
        raise EngineError("nothing_to_check", field="text")
    given, origin = own(asked)
    stated = _stated(asked)
    known = {name: x for name, x in stated.items() if computed(given, name) is not None}
    claims = tuple(Claim(name, x, audits.decimals(x)) for name, x in known.items())
    free = frozenset(name for name, whose in origin.items() if whose == "example")
    return _Given(given, claims, free, tuple(name for name in stated if name not in known))


def _stated(asked: AuditNumbers) -> dict[str, Any]:
    """Each a number or a list of them, as a scenario's lists are checked at the door."""
    found: dict[str, Any] = {}
    bounded(asked.stated)
    for name, x in (asked.stated or {}).items():
        try:
            lists = scenario({"group_rewards": x if isinstance(x, list) else [x]})
        except EngineError as error:
            raise EngineError(error.code, **{**error.details, "field": str(name)}) from None
        rows = lists.group_rewards or ()
        found[str(name)] = rows if isinstance(x, list) else rows[0]
    return found


def _checked(numbers: Sequence[audits.Checked], lang: str) -> Iterator[StatedNumber]:
    for one in numbers:
        yield {
            "where": one.where,
            "stated": one.stated,
            "correct": as_json(one.correct),
            "right": one.right,
            "cause": one.cause,
            "cause_in_words": None if one.cause is None else word(lang, "causes", one.cause),
        }


def _nothing(unknown: tuple[str, ...], asked: AuditNumbers, lang: str) -> Audited:
    return {
        "verdict": "unknown",
        "checked": [],
        "unchecked": list(unknown),
        "numbers": {},
        "assumed": {},
        "source": source(audits.audit),
        "link": _link(asked, lang),
    }


def _link(asked: AuditNumbers, lang: str) -> str | None:
    given = ", ".join(f"{name} = {x}" for name, x in {**(asked.scenario or {}), **(asked.stated or {})}.items())
    return link(f"{CHECK[lang]}\n\n{asked.text or ''}\n{given}".strip(), lang)
