"""Theorems and counterexamples on a page: every line with its reason in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sympy

from engine.notation import Symbol, show
from engine.proofs.language import Condition, Relation, T
from engine.proofs.latex import is_small, latex
from engine.proofs.proof import HYPOTHESIS, Cases, Induction, Statement, Theorem
from engine.proofs.refutation import Counterexample
from engine.proofs.steps import Chain
from prompts.tell.ground import Grounded
from prompts.tell.markdown import display, inline
from prompts.tell.rows import WIDEST, width
from prompts.tell.words import word

RELATIONS: dict[Relation, str] = {"=": "=", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}


def statement(theorem: Theorem) -> str:
    return relation(theorem.statement)


def relation(statement: Statement) -> str:
    left, right = statement.equation
    return f"{latex(left)} {RELATIONS[statement.relation]} {latex(right)}"


def steps(theorem: Theorem, language: str) -> Iterator[Mapping[str, Any]]:
    """Every line with the one it was made of, and the reason; each was checked when the theorem was made."""
    for step in theorem.steps():
        line = f"{latex(step.before)} {RELATIONS[step.move.relation]} {latex(step.after)}"
        yield {"statement": line, "reason": word(language, "reasons", step.move.reason), "checked": True}


def conditions(given: Sequence[Condition]) -> str:
    """What has to hold, as LaTeX; empty if nothing has to."""
    return r",\ ".join(map(_condition, given))


def _condition(given: Condition) -> str:
    """As a teacher writes it: ρ ≥ 1 + ε for ρ − ε − 1 ≥ 0, A < 0 for −A > 0."""
    terms = sympy.Add.make_args(given.expression)
    about = [x for x in terms if not (x.is_number or is_small(x))] or list(terms)
    subject = min(about, key=lambda x: x.could_extract_minus_sign())
    turned = subject.could_extract_minus_sign()
    left, right = (-subject, given.expression - subject) if turned else (subject, subject - given.expression)
    relation: Relation = ("<" if turned else ">") if given.strict else ("<=" if turned else ">=")
    return f"{latex(left)} {RELATIONS[relation]} {latex(right)}"


def proof(theorem: Theorem, language: str) -> Grounded:
    """The steps of a theorem, by the shape of its proof."""
    body = theorem.proof
    if isinstance(body, Induction):
        return _induction(body, language)
    if isinstance(body, Cases):
        return _cases(body, language)
    return _chain(body, language)


def _induction(body: Induction, language: str) -> Grounded:
    """Backwards from the end of the response or from where one stops, or from the first value upwards."""
    rising = "_rising" if body.shown - body.known == 1 else ""
    shape = rising or ("" if T in body.base.free_symbols else "_stopped")
    parts = [
        _sentence(language, f"induction_base{shape}", at=f"{body.statement.over} = {latex(body.base)}"),
        _chain(body.base_chain, language),
        _sentence(language, "induction_step", at=latex(body.known), to=latex(body.shown)),
        _chain(body.step_chain, language, {HYPOTHESIS: f"{HYPOTHESIS}{rising}"}),
        _sentence(language, f"induction_end{shape}", over=str(body.statement.over)),
    ]
    return Grounded("\n\n".join(parts))


def _cases(body: Cases, language: str) -> Grounded:
    parts = []
    for case in body.cases:
        parts.append(_sentence(language, "case", at=conditions(case.conditions)))
        parts.append(_chain(case.chain, language))
    return Grounded("\n\n".join([*parts, _sentence(language, "cases_end")]))


def _chain(chain: Chain, language: str, said: Mapping[str, str] = MappingProxyType({})) -> Grounded:
    """A chain line by line; `said` has the words for reasons that are said in another way here."""
    lines: list[str] = [display([latex(chain.start)])]
    for number, step in enumerate(chain.steps, start=1):
        reason = word(language, "reasons", said.get(step.move.reason, step.move.reason))
        line = display([f"{RELATIONS[step.move.relation]} {latex(step.after)}"])
        lines.append(f"{number}. {reason}\n\n   {line}")
    return Grounded("\n\n".join(lines))


def _sentence(language: str, key: str, **inside: str) -> str:
    return word(language, "labels", key).format(**{name: inline(formula) for name, formula in inside.items()})


def counterexample(found: Counterexample) -> Grounded:
    """The numbers on which a claim fails, and its two sides there."""
    given = [
        f"{Symbol(name).latex} = {show(x).latex if isinstance(x, int | float) else _row(x)}" for name, x in found.inputs
    ]
    sides = rf"{show(found.left).latex} \ne {show(found.right).latex}"
    if found.claim.relation != "=":
        sides = rf"{show(found.left).latex} \not{RELATIONS[found.claim.relation]} {show(found.right).latex}"
    numbers = r",\quad ".join(given)
    stated = display([numbers] if width(numbers) <= WIDEST else given)
    return Grounded(f"{stated}\n\n{display([sides])}")


def _row(numbers: Sequence[float]) -> str:
    return rf"\left[{', '.join(show(x).latex for x in numbers)}\right]"
