"""What of the engine a statement calls by its name: a mistake, a counterexample, how a computation's fact moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from engine.facts import exact_facts
from engine.quantities import QUANTITIES
from engine.statements import names
from engine.statements.given import EMPTY, Given, Value


def _mistake(here: Given, name: str) -> Value:
    """What a wrong program gives."""
    from engine import mistakes

    return mistakes.run(name, here.scenario).exact


def _slopes(here: Given, computation: str, fact: str, of: str) -> Value:
    """How a fact's every token moves with the list's own token."""
    from engine.slopes import own_slopes

    program = own_slopes(QUANTITIES[computation], names.full(fact), names.full(of))
    return exact_facts(program, here.scenario)["slopes"]


def _total_slope(here: Given, computation: str, fact: str, of: str) -> Value:
    """How the sum of a fact moves when all of the list moves together."""
    from engine.slopes import total_slopes

    program = total_slopes(QUANTITIES[computation], (names.full(fact),), names.full(of))
    return exact_facts(program, here.scenario)[names.full(fact)]


def _counterexample(_here: Given, name: str) -> Given:
    """The situation in which a claim is refuted."""
    from engine.proofs import counterexample

    inputs = dict(counterexample(name).inputs)
    exact = {key: [_exact(y) for y in x] if isinstance(x, Sequence) else _exact(x) for key, x in inputs.items()}
    return EMPTY.with_parts(exact)


def _exact(x: float) -> Fraction:
    return Fraction(repr(x))


BY_NAME: Mapping[str, Callable[..., Value]] = {
    "mistake": _mistake,
    "counterexample": _counterexample,
    "slopes": _slopes,
    "total_slope": _total_slope,
}
