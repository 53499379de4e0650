"""A stated relation as a proposition made on the spot: checked by the engine, shown on the numbers of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import drawn, equalities, quantities
from engine.audits import Audited
from engine.drawn import RATES, Response, Where
from engine.equalities import Equality
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.notation import SYMBOLS, show
from engine.scenario import Scenario
from lessons._fact import Check, Fact, Judged, Verdict, holds
from lessons._lesson import LANGUAGES
from prompts.read.relation import Stated
from prompts.tell.ground import Grounded
from prompts.tell.markdown import checked, inline
from prompts.tell.words import word

LONGEST = 24  # tokens of a response that is shown
MOST_WRONG = 4  # stated numbers that are told
SUMS_UP: Mapping[str, Fraction] = {"gamma": Fraction(1), "lam": Fraction(0)}  # where everything is a δ
_OTHER_RATES: tuple[Mapping[str, Fraction], ...] = (
    {},
    {"lam": Fraction(1, 2)},
    {"gamma": Fraction(9, 10), "lam": Fraction(1, 2)},
)


def fact(stated: Stated, rates: Mapping[str, Any] | None = None) -> Fact:
    """`rates` are those of the learner's own numbers: what fails at these is not left open."""
    return _equation(stated, stated.relation, rates or {})


def numbers(audited: Audited) -> Fact:
    """Stated numbers beside the computed ones: each that is wrong, or one of those that are right."""
    wrong = [number for number in audited.wrong if number.correct is not None]
    told = wrong[:MOST_WRONG] or audited.checked[:1]
    each = [{"name": checked(x.where), "stated": Grounded(x.shown), "correct": x.correct} for x in told]
    key = "otherwise" if wrong else "computed"
    return Fact("numbers", {}, _because(key), lambda _: Judged(holds(not wrong), {"each": each}))


def _because(key: str) -> dict[str, str]:
    return {language: word(language, "relations", key) for language in LANGUAGES}


def _anywhere(equality: Equality) -> Where:
    return replace(equality.where, rates=())


def _equation(stated: Stated, equality: Equality, rates: Mapping[str, Any]) -> Fact:
    shown = replace(equality, where=_anywhere(equality)) if stated.only else equality
    found = equalities.settle(shown)
    key = "always" if found.always else "where" if found.where else "never"
    key += "_for_policies" if key != "where" and equality.quantities & drawn.POLICY else ""
    verdict = _only(equality, found) if stated.only else _verdict(stated, equality, found)
    verdict = "false" if verdict == "depends" and _fails_at(equality, rates) else verdict
    return Fact("relation", {}, _because(key), _check(shown, found, verdict))


def _only(equality: Equality, found: equalities.Found) -> Verdict:
    others = [setting for setting in found.where if not _mentions(equality, setting)]
    elsewhere = others != [dict(equality.where.rates)] if others else not equality.holds(equality.where)
    return holds(not found.always and not elsewhere)


def _fails_at(equality: Equality, rates: Mapping[str, Any]) -> bool:
    said = {**{name: Fraction(str(x)) for name, x in rates.items()}, **dict(equality.where.rates)}
    return bool(rates) and not equality.holds(replace(equality.where, rates=tuple(sorted(said.items()))))


def _verdict(stated: Stated, equality: Equality, found: equalities.Found) -> Verdict:
    """Where it holds at one setting only, the words decide: said of all, of some, or of neither.

    What was said of γ and λ was meant to be enough. A formula with λ in it is not meant for the λ where it is another.
    """
    if found.always or not found.where:
        return holds(found.always)
    if stated.every or stated.some:
        return holds(stated.some)
    if equality.where.inner:
        return "false"
    written = [setting for setting in found.where if not _mentions(equality, setting)]
    if _recurs(equality) or (written == [SUMS_UP] and not stated.asked):
        return "false"
    return "depends" if written and not equality.where.rates else "false"


def _recurs(equality: Equality) -> bool:
    """Whether it computes the advantage from the next one: such a formula is meant as it stands."""
    both = equality.left.quantities & equality.right.quantities
    return "advantages" in both and {"t", "t+1"} <= equality.left.places | equality.right.places


def _mentions(equality: Equality, setting: Mapping[str, Fraction]) -> bool:
    return any(SYMBOLS[name][0] in equality.latex for name in setting)


def _check(equality: Equality, found: equalities.Found, verdict: Verdict) -> Check:
    def check(scenario: Scenario) -> Judged:
        witness, t = _witness(equality, scenario, differing=not found.always)
        left, right = equality.sides(witness, t)
        shown = {
            "equation": inline(equality.latex),
            "where": Grounded(" / ".join(map(_setting, found.where))),
            "rates": _setting(witness.rates),
            "token": inline(f"t = {t}"),
            "left": left,
            "right": right,
            "responses": drawn.RESPONSES,
        }
        return Judged(verdict, shown)

    return check


def _witness(equality: Equality, scenario: Scenario, *, differing: bool) -> tuple[Response, int]:
    """A response and a token where the two sides differ, or where they can be seen to agree: the learner's first."""
    for response in _examples(equality, scenario):
        for t in equality.where.tokens(response.length):
            try:
                left, right = equality.sides(response, t)
            except drawn.OutsideError:
                continue
            if equalities.same(left, right) != differing:
                return response, t
    raise AssertionError(f"no response shows {equality.latex}")


def _examples(equality: Equality, scenario: Scenario) -> Iterator[Response]:
    """The learner's numbers, then the running example's, each also with other γ and λ; then random ones."""
    special = equality.where.zero or equality.where.single or equality.where.meant or equality.quantities & drawn.POLICY
    for base in () if special else filter(_shows, (scenario, RUNNING)):
        exact = exact_facts(quantities.gae, base)
        own = {name: Fraction(str(getattr(base, name))) for name in RATES}
        for rates in _OTHER_RATES:
            yield drawn.response(exact["rewards"], exact["values"], {**own, **rates, **dict(equality.where.rates)})
    yield from drawn.random_responses(equality.where)


def _shows(base: Scenario) -> bool:
    """Whether it is one short response without a mask that has rewards and values."""
    own = base.given()
    whole = "values" in own and ("rewards" in own or {"scores", "kl_values"} <= set(own))
    return whole and not base.batched and base.mask is None and base.length <= LONGEST


def _setting(rates: Mapping[str, Fraction]) -> Grounded:
    return inline(r",\ ".join(f"{SYMBOLS[name][0]} = {show(x).latex}" for name, x in rates.items()))
