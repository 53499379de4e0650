"""Every theorem is proved; and what it says, and takes for granted, holds on random numbers run through the engine."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from inspect import getmodule, signature
from random import Random

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import proofs
from engine.proofs.language import Definition
from engine.proofs.latex import latex
from engine.proofs.proof import Cases, Induction, Theorem
from engine.proofs.refutation import HOLDS
from engine.readings.symbols import constant
from tests.engine.proofs.evaluation import TOLERANCE, World, agree, value
from tests.engine.proofs.worlds import BY_MODULE, BY_NAME, response

NAMES = proofs.theorem_names()
TRIES = 400


def _family(name: str) -> str:
    return getmodule(proofs._listed("THEOREMS")[name].__wrapped__).__name__.rpartition(".")[2]


def _overrides(theorem: Theorem) -> dict[str, Fraction]:
    """The parameters that the theorem fixes."""
    fixed = {left.name: Fraction(int(right)) for left, right in theorem.boundary if left.is_Symbol and right.is_number}
    return {**fixed, **({"lam": Fraction(0)} if theorem.name == "gae_lambda_zero_is_td_error" else {})}


def _given(theorem: Theorem, world: World) -> bool:
    """Whether the conditions hold; clearly so, where numbers are rounded or a difference quotient looks around."""
    margin = TOLERANCE if world.irrational else 0
    return all(
        value(c.expression, world) > margin or (value(c.expression, world) == 0 and not c.strict)
        for c in theorem.conditions
    )


def _world(name: str, seed: int) -> World:
    theorem, rng = proofs.theorem(name), Random(seed)
    make = BY_NAME.get(name, BY_MODULE[_family(name)])
    worlds = (make(rng, _overrides(theorem)) for _ in range(TRIES))
    found = next((world for world in worlds if _means_something(world) and _given(theorem, world)), None)
    assume(found is not None)
    return found


def _means_something(world: World) -> bool:
    return world.symbols.get("variance", 1) > 0


@pytest.mark.parametrize("name", NAMES)
def test_theorem_is_proved(name: str) -> None:
    theorem = proofs.theorem(name)
    assert theorem.name == name
    assert list(theorem.steps())


@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 10**6))
@settings(derandomize=True, deadline=None, max_examples=10)
def test_statement_holds_on_numbers(name: str, seed: int) -> None:
    statement, world = proofs.theorem(name).statement, _world(name, seed)
    left, right = value(statement.left, world), value(statement.right, world)
    if statement.relation == "=":
        assert agree(left, right)
    else:
        slack = TOLERANCE if statement.relation in ("<=", ">=") and world.irrational else 0
        sign = 1 if ">" in statement.relation else -1
        assert HOLDS[statement.relation](left + sign * slack, right)


@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 10**6))
@settings(derandomize=True, deadline=None, max_examples=4)
def test_what_is_given_is_so_in_the_engine(name: str, seed: int) -> None:
    theorem, world = proofs.theorem(name), _world(name, seed)
    for left, right in theorem.boundary:
        assert agree(value(left, world), value(right, world)), (left, right)
    for definition in theorem.definitions:
        for place in _places(definition, world):
            left, right = definition.at(*map(sympy.Integer, place))
            assert agree(value(left, world), value(right, world)), (left, right)


def _places(definition: Definition, world: World) -> list[tuple[int, ...]]:
    """The indices inside the response, or the vocabulary, at which a definition speaks."""
    count = len(signature(definition.formula).parameters)
    if "T" not in world.symbols:
        return [(i,) for i in range(int(world.symbols["N"]))]
    length, t = int(world.symbols["T"]), int(world.symbols["t"])
    if definition.name == "n_step_advantages":
        return [(n,) for n in range(1, length - t + 1)]
    if count == 2:
        return [(i, end) for end in range(length + 1) for i in range(end)]
    return [(i,) for i in range(length)]


@pytest.mark.parametrize("name", proofs.counterexample_names())
def test_claim_fails_on_its_counterexample(name: str) -> None:
    found = proofs.counterexample(name)
    assert found.name == name
    assert not HOLDS[found.claim.relation](found.left, found.right)


def test_a_false_statement_does_not_hold_on_numbers() -> None:
    """The check by numbers can fail: λ-returns are not Monte-Carlo returns."""
    world = response(Random(1), {})
    t = proofs.theorem("advantage_plus_value_is_lambda_return").statement
    wrong = t.right.replace(t.right.func, proofs.theorem("gae_lambda_one_is_monte_carlo").statement.right.args[0].func)
    assert not agree(value(t.left, world), value(wrong, world))


def test_names_are_taken_once_and_cached() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert proofs.theorem(NAMES[0]) is proofs.theorem(NAMES[0])
    with pytest.raises(KeyError):
        proofs.theorem("no_such_theorem")


def test_a_name_that_two_modules_list_is_an_error(monkeypatch) -> None:
    proofs._listed.cache_clear()
    monkeypatch.setitem(vars(import_module("engine.proofs.returns"))["THEOREMS"], "telescoping", lambda: None)
    with pytest.raises(ValueError, match="two THEOREMS are called telescoping"):
        proofs._listed("THEOREMS")
    monkeypatch.undo()
    proofs._listed.cache_clear()


def test_a_constant_is_printed_as_what_no_derivative_passes() -> None:
    assert latex(constant(sympy.Symbol("values"))) == r"\operatorname{sg}\left(V\right)"


def _chains(proof):
    if isinstance(proof, Induction):
        statement = proof.statement
        return [(proof.base_chain, statement.at(proof.base)), (proof.step_chain, statement.at(proof.shown))]
    parts = [case.chain for case in proof.cases] if isinstance(proof, Cases) else [proof]
    return [(part, (proof.start, proof.goal)) for part in parts]


@pytest.mark.parametrize("name", NAMES)
def test_a_proof_goes_from_one_side_to_the_other_as_they_are_written_in_the_statement(name):
    for part, sides in _chains(proofs.theorem(name).proof):
        written = [latex(side) for side in sides]
        shown = [latex(part.start), latex(part.steps[-1].after)]
        assert shown in (written, written[::-1])


@pytest.mark.parametrize("name", NAMES)
def test_a_factor_goes_in_front_only_where_there_is_one(name):
    for step in proofs.theorem(name).steps():
        if step.move.reason.startswith("reindex"):
            bare = any(isinstance(term, sympy.Sum) for term in sympy.Add.make_args(step.after))
            assert bare == (step.move.reason == "reindex_without_factor")


@pytest.mark.parametrize("name", NAMES)
def test_formulas_have_no_words_of_one_language(name):
    for step in proofs.theorem(name).steps():
        assert r"\text{" not in latex(step.after)
