"""A stated equation as a proposition made on the spot: checked by the engine, shown on the numbers of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from engine import equalities, quantities
from engine.equalities import RATES, Equality, Response
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.notation import SYMBOLS, show
from engine.scenario import Scenario
from lessons._lesson import LANGUAGES
from lessons._proposition import Check, Judged, Proposition, Verdict, holds
from prompts.read.equation import Stated
from prompts.tell.ground import Grounded
from prompts.tell.markdown import inline
from prompts.tell.words import word

LONGEST = 24  # tokens of a response that is shown
_OTHER_RATES: tuple[Mapping[str, Fraction], ...] = (
    {},
    {"lam": Fraction(1, 2)},
    {"gamma": Fraction(9, 10), "lam": Fraction(1, 2)},
)


def proposition(stated: Stated) -> Proposition:
    found = equalities.settle(stated.equality)
    key = "always" if found.always else "where" if found.where else "never"
    because = {language: word(language, "equations", key) for language in LANGUAGES}
    return Proposition("equation", (), (), because, _check(stated, found))


def _check(stated: Stated, found: equalities.Found) -> Check:
    """Where it holds for some γ and λ only, the words decide: said of all, of some, or of neither."""
    partly: Verdict = "false" if stated.every else "true" if stated.some else "depends"
    verdict = partly if found.where else holds(found.always)

    def check(scenario: Scenario) -> Judged:
        witness, t = _witness(stated.equality, scenario, differing=not found.always)
        left, right = stated.equality.sides(witness, t)
        shown = {
            "equation": inline(stated.equality.latex),
            "where": Grounded(" / ".join(map(_setting, found.where))),
            "rates": _setting(witness.rates),
            "token": inline(f"t = {t}"),
            "left": left,
            "right": right,
            "responses": equalities.RESPONSES,
        }
        return Judged(verdict, shown)

    return check


def _witness(equality: Equality, scenario: Scenario, *, differing: bool) -> tuple[Response, int]:
    """A response and a token where the two sides differ, or where they can be seen to agree: the learner's first."""
    for response in _examples(equality, scenario):
        for t in range(response.length):
            try:
                left, right = equality.sides(response, t)
            except equalities.OutsideError:
                continue
            if (left != right) == differing:
                return response, t
    raise AssertionError(f"no response shows {equality.latex}")


def _examples(equality: Equality, scenario: Scenario) -> Iterator[Response]:
    """The learner's numbers, then the running example's, each also with other γ and λ; then random ones."""
    for base in filter(_shows, (scenario, RUNNING)):
        exact = exact_facts(quantities.gae, base)
        own = {name: Fraction(str(getattr(base, name))) for name in RATES}
        for rates in _OTHER_RATES:
            yield equalities.response(exact["rewards"], exact["values"], {**own, **rates, **dict(equality.rates)})
    yield from equalities.random_responses(equality.rates)


def _shows(base: Scenario) -> bool:
    """Whether it is one short response without a mask that has rewards and values."""
    own = base.given()
    whole = "values" in own and ("rewards" in own or {"scores", "kl_values"} <= set(own))
    return whole and not base.batched and base.mask is None and base.length <= LONGEST


def _setting(rates: Mapping[str, Fraction]) -> Grounded:
    return inline(r",\ ".join(f"{SYMBOLS[name][0]} = {show(x).latex}" for name, x in rates.items()))
