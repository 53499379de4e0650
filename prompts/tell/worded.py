"""Figures that a message states in words, as a verdict: what each is, beside what it was said to be."""

from __future__ import annotations

from typing import Any

from engine.notation import show
from engine.scenario import Scenario
from lessons._fact import Fact, Judged, holds
from lessons._lesson import LANGUAGES
from prompts.read.figures.worded import Finding, Worded
from prompts.tell.ground import Grounded
from prompts.tell.markdown import inline
from prompts.tell.opening import Told, Verdict
from prompts.tell.words import word

LONGEST_LIST = 8  # numbers


def verdict(stated: Worded) -> Verdict:
    found = fact(stated)
    return Verdict(found, found.judge(Scenario(), denied=stated.denied), stated.denied)


def asked(stated: Worded, lesson: str) -> Told:
    """What was asked of a token's numbers, with its working."""
    found = fact(stated)
    return Told(found, found.judge(Scenario(), denied=False), lesson)


def fact(stated: Worded) -> Fact:
    right = "worded_asked" if stated.asks else "worded_right"
    key = right if all(one.holds for one in stated.findings) else "worded_wrong"
    each = [{"computed": _computed(one), "stated": _stated(one), "value": one.correct} for one in _told(stated)]
    found = {"each": each}
    judged = Judged(holds(all(one.holds for one in stated.findings)), found)
    return Fact("worded", {}, {lang: word(lang, "relations", key) for lang in LANGUAGES}, lambda _: judged)


def _told(stated: Worded) -> tuple[Finding, ...]:
    """The wrong ones, or all where none is; what is computed is said once."""
    wrong = tuple(one for one in stated.findings if not one.holds)
    return wrong or tuple({one.of: one for one in stated.findings}.values())


def _computed(one: Finding) -> Grounded:
    return inline(f"{one.of} {_sign(one.correct)} {_shown(one.correct)}")


def _stated(one: Finding) -> Grounded:
    return inline(one.stated)


def _sign(x: Any) -> str:
    if isinstance(x, str):
        return "="
    numbers = x if isinstance(x, list) else [x]
    return "=" if all(show(number).exact for number in numbers) else r"\approx"


def _shown(x: Any) -> str:
    if isinstance(x, str):
        return x
    if not isinstance(x, list):
        return show(x).latex
    shown = [show(number).latex for number in x[:LONGEST_LIST]]
    return r",\ ".join([*shown, r"\ldots"] if len(x) > LONGEST_LIST else shown)
