"""Σ γ^k δ_{t+k} = G_t − V_t + γ^{T−t} V_T: for every T by induction, and written out for a given T."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas, sequences
from engine.proofs.language import MC_STEP, TD_ERROR, G, Quantity, T, V, delta, gamma, k, r, t
from engine.proofs.moves import (
    by,
    cancel,
    empty_sum,
    fold,
    hypothesis,
    recall,
    reindex,
    split_first,
    unfold,
    use,
    write_out,
)
from engine.proofs.programs import gae
from engine.proofs.proof import Induction, Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain


def discounted(terms: Quantity, first: sympy.Expr, count: sympy.Expr) -> sympy.Expr:
    """Σ_{k < count} γ^k terms(first + k)."""
    return sympy.Sum(gamma**k * terms(first + k), (k, 0, count - 1))


@cache
def telescoping() -> Theorem:
    """For every T and every t ≤ T, by induction from the end of the response backwards."""
    statement = Statement(discounted(delta, t, T - t), G(t) - V(t) + gamma ** (T - t) * V(T), over=t)
    nothing_left = (G(T), sympy.Integer(0))
    left, right = statement.at(T)
    base = chain(left, [empty_sum(), recall(nothing_left, "nothing_left")], right)
    step = chain(
        statement.left,
        [
            split_first(),
            reindex(1),
            hypothesis(statement, t + 1),
            unfold(TD_ERROR),
            cancel("values_cancel"),
            fold(MC_STEP, t),
        ],
        statement.right,
    )
    induction = Induction(statement, base=T, known=t + 1, shown=t, base_chain=base, step_chain=step)
    return Theorem("telescoping", statement, induction, (TD_ERROR, MC_STEP), (nothing_left,))


@cache
def excess() -> Theorem:
    """The sum of a whole response's news is its excess: V after the last token is 0."""
    known = telescoping()
    after_the_end = (V(T), sympy.Integer(0))
    statement = Statement(known.statement.left, G(t) - V(t), over=t)
    moves = [by(known, "telescoping"), use(after_the_end, "value_after_the_end")]
    proof = chain(statement.left, moves, statement.right)
    return Theorem("excess", statement, proof, known.definitions, (*known.boundary, after_the_end))


@cache
def written_out(length: int) -> Theorem:
    """The same sum from token 0 on for one given length, every term in sight."""
    after_the_end = (V(length), sympy.Integer(0))
    left = discounted(delta, sympy.Integer(0), sympy.Integer(length))
    right = sympy.Add(*(gamma**i * r(i) for i in range(length))) - V(0)
    cancelling = [cancel("values_cancel")] if length > 1 else []
    moves = [write_out(), unfold(TD_ERROR), *cancelling, use(after_the_end, "value_after_the_end")]
    proof = chain(left, moves, right)
    return Theorem(f"telescoping_{length}", Statement(left, right), proof, (TD_ERROR,), (after_the_end,))


@cache
def sum_of_advantages_is_initial_advantage() -> Counterexample:
    """The claim that Σ A_t, like Σ γ^t δ_t, is G_0 − V_0."""
    claim = Claim(
        "sum_of_advantages_is_initial_advantage",
        left=lambda **given: sum(gae(**given)),
        right=lambda rewards, values, gamma, **_: formulas.advantage(
            sequences.mc_returns(rewards, gamma)[0], values[0]
        ),
    )
    return refute(claim, rewards=(0, 1), values=(0.5, 0.6), gamma=1, lam=0.5)


@cache
def undiscounted_deltas_telescope() -> Counterexample:
    """The claim that Σ δ_t, without γ^t, is G_0 − V_0 for γ < 1 too."""
    claim = Claim(
        "undiscounted_deltas_telescope",
        left=lambda rewards, values, gamma: sum(sequences.deltas(rewards, values, gamma)),
        right=lambda rewards, values, gamma: formulas.advantage(sequences.mc_returns(rewards, gamma)[0], values[0]),
    )
    return refute(claim, rewards=(0, 1), values=(0.5, 0.6), gamma=0.5)


THEOREMS = {"telescoping": telescoping, "excess": excess}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (sum_of_advantages_is_initial_advantage, undiscounted_deltas_telescope)
}
