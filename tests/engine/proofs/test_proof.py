"""A proof cannot be made unless each of its steps follows: every way to cheat raises."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from engine.proofs.language import MC_STEP, TD_ERROR, G, T, V, delta, gamma, k, r, t
from engine.proofs.moves import Move, arrange, cancel, hypothesis, reindex, split_first, unfold, use
from engine.proofs.normal import equal
from engine.proofs.proof import HYPOTHESIS, Induction, Statement, Theorem
from engine.proofs.steps import Chain, ProofError, Step, chain
from engine.proofs.telescoping import telescoping, written_out

ONE = sympy.Integer(1)


def test_a_wrong_step_raises():
    sign_lost = Move("cancel", lambda line: line.subs(V(t), -V(t)))
    with pytest.raises(ProofError, match="differ by"):
        chain(r(t) - V(t), [sign_lost], r(t) + V(t))


def test_a_step_that_changes_nothing_raises():
    with pytest.raises(ProofError, match="changes nothing"):
        chain(r(t) + V(t), [cancel()], r(t) + V(t))


def test_a_chain_that_does_not_arrive_raises():
    with pytest.raises(ProofError, match="ends at"):
        chain(delta(t), [unfold(TD_ERROR)], r(t) - V(t))


def test_a_chain_with_a_gap_raises():
    step = Step(delta(t), TD_ERROR.formula(t), unfold(TD_ERROR))
    with pytest.raises(ProofError, match="starts from"):
        Chain(V(t), TD_ERROR.formula(t), (step,))


def test_the_conclusion_cannot_be_smuggled_in():
    statement = telescoping().statement
    with pytest.raises(ProofError, match="differ by"):
        chain(statement.left, [arrange(statement.right)], statement.right)


def test_an_equation_that_was_not_given_raises():
    proof = chain(V(T), [use((V(T), sympy.Integer(0)), "value_after_the_end")], sympy.Integer(0))
    with pytest.raises(ProofError, match="not all of which is given"):
        Theorem("free_lunch", Statement(V(T), sympy.Integer(0)), proof, ())


def test_a_definition_that_was_not_given_raises():
    proof = chain(delta(t), [unfold(TD_ERROR)], TD_ERROR.formula(t))
    with pytest.raises(ProofError, match="definition"):
        Theorem("delta", Statement(delta(t), TD_ERROR.formula(t)), proof, ())


def test_a_proof_of_something_else_raises():
    other = telescoping()
    with pytest.raises(ProofError, match="the proof shows"):
        replace(other, statement=Statement(other.statement.left, G(t), over=t))


def test_the_hypothesis_is_the_statement_at_the_neighbour_only():
    statement = telescoping().statement
    at_itself = Move(HYPOTHESIS, lambda line: line.subs(*statement.equation), equations=(statement.equation,))
    circular = chain(statement.left, [at_itself], statement.right)
    base = telescoping().proof.base_chain
    with pytest.raises(ProofError, match="hypothesis"):
        Induction(statement, base=T, known=t + 1, shown=t, base_chain=base, step_chain=circular)


def test_an_induction_by_two_raises():
    proof = telescoping().proof
    with pytest.raises(ProofError, match="not a step of one"):
        replace(proof, known=t + 2)


def test_a_base_that_shows_something_else_raises():
    proof = telescoping().proof
    with pytest.raises(ProofError, match="base shows"):
        replace(proof, base=T - 1)


def test_a_hypothesis_outside_an_induction_raises():
    statement = telescoping().statement
    proof = chain(statement.at(t + 1)[0], [hypothesis(statement, t + 1)], statement.at(t + 1)[1])
    with pytest.raises(ProofError, match="only an induction"):
        Theorem("alone", Statement(*statement.at(t + 1)), proof, ())


def test_telescoping_is_proved_through_the_formulas_that_run():
    theorem = telescoping()
    assert isinstance(theorem.proof, Induction)
    assert {d.source.__name__ for d in theorem.definitions} == {"td_error", "mc_step"}
    assert [s.move.reason for s in theorem.proof.step_chain.steps][:3] == ["split_first", "reindex", "hypothesis"]
    assert theorem.definitions == (TD_ERROR, MC_STEP)


@pytest.mark.parametrize("length", [1, 2, 6, 8])
def test_telescoping_written_out(length):
    right = written_out(length).statement.right
    assert right.coeff(V(0)) == -1
    assert not right.has(*(V(i) for i in range(1, length + 1)))


NEWS = gamma**k * delta(t + k)


def _sum(low, high, term=NEWS):
    return sympy.Sum(term, (k, low, high))


SUMS = [
    (_sum(0, T), _sum(0, T - 1) + gamma**T * delta(t + T), True),
    (_sum(0, T), delta(t) + gamma * _sum(0, T - 1, gamma**k * delta(t + k + 1)), True),
    (_sum(0, 2), delta(t) + gamma * delta(t + 1) + gamma**2 * delta(t + 2), True),
    (_sum(1, 0), sympy.Integer(0), True),
    (_sum(0, T, 3 * r(k) + V(k)), 3 * _sum(0, T, r(k)) + _sum(0, T, V(k)), True),
    (_sum(0, T), _sum(0, T - 1), False),
    (_sum(0, T), gamma * _sum(0, T), False),
    (_sum(0, T, r(k)), _sum(1, T + 1, r(k)), False),
    (_sum(0, T, ONE * gamma), (T + 1) * gamma, True),
]


@pytest.mark.parametrize(("a", "b", "same"), SUMS, ids=range(len(SUMS)))
def test_sums_of_symbolic_length_are_compared(a, b, same):
    assert equal(a, b) is same


def test_moves_on_sums():
    line = split_first().apply(_sum(0, T - t - 1))
    assert line == delta(t) + _sum(1, T - t - 1)
    assert reindex(1).apply(line) == delta(t) + gamma * _sum(0, T - t - 2, gamma**k * delta(t + k + 1))
