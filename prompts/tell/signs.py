"""A statement on signs, comparisons or changes: what was tried, and a token of each kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cases import RATES, Case
from engine.notation import SYMBOLS, show
from engine.signs import Along, Stands, Statement
from lessons._fact import Fact, Judged
from lessons._lesson import LANGUAGES
from prompts.read.signing import Signed
from prompts.tell.ground import Grounded
from prompts.tell.markdown import inline
from prompts.tell.words import word

_RELATIONS = {">": ">", "<": "<", ">=": r"\ge", "<=": r"\le", "=": "=", "!=": r"\ne"}
_ARROWS = {">": r"\uparrow", "<": r"\downarrow"}


def fact(stated: Signed) -> Fact:
    tried = stated.tried
    key = "sign_always" if tried.always else "sign_never" if tried.never else "sign_sometimes"
    found: dict[str, Any] = {
        "statement": inline(latex(stated.statement)),
        "seen": tried.seen,
        "held": tried.held,
        **(_place(stated.statement, *tried.good, "good") if tried.good else {}),
        **(_place(stated.statement, *tried.bad, "bad") if tried.bad else {}),
    }
    verdict = stated.verdict
    words = {language: word(language, "relations", key) for language in LANGUAGES}
    return Fact("signs", {}, words, lambda _: Judged(verdict, found))


def latex(statement: Statement) -> str:
    if isinstance(statement, Stands):
        return _standing(statement)
    if isinstance(statement, Along):
        of = statement.of.latex
        later = of.replace("_{t}", "_{t+1}") if "_{t}" in of else rf"{of}_{{t+1}}"
        return f"{later} {_RELATIONS[statement.relation]} {of}"
    cause = SYMBOLS.get(statement.cause, (rf"\mathrm{{{statement.cause}}}",))[0]
    up = _ARROWS[">" if statement.up else "<"]
    return rf"{cause}{up}\ \Rightarrow\ {statement.effect.latex}\,{_ARROWS[statement.relation]}"


def _standing(statement: Stands) -> str:
    left, right = statement.left.latex, statement.right.latex
    if statement.span is not None:
        return rf"|{left} - {right}| {'>' if statement.relation == '!=' else _RELATIONS['<=']} {statement.span.latex}"
    if statement.relation in _RELATIONS:
        return f"{left} {_RELATIONS[statement.relation]} {right}"
    sign = r"\operatorname{sign}"
    return rf"{sign}({left}) {'=' if statement.relation == 'same sign' else _RELATIONS['!=']} {sign}({right})"


def _place(statement: Statement, case: Case, t: int, name: str) -> Mapping[str, Any]:
    """A token, and the two numbers that are compared there."""
    left, right = statement.sides(case, t)
    given = {rate: case.given[rate] for rate in RATES}
    found = {"rates": _rates(case), "given": given, "token": inline(f"t = {t}"), "left": left, "right": right}
    return {f"{name}_{key}": x for key, x in found.items()}


def _rates(case: Case) -> Grounded:
    return inline(r",\ ".join(f"{SYMBOLS[name][0]} = {show(case.given[name]).latex}" for name in RATES))
