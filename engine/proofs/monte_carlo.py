"""GAE at the two ends of λ and between them: G − V at 1, δ at 0, Σ (γλ)^k δ for every λ."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas, sequences
from engine.proofs.inductions import backwards
from engine.proofs.language import (
    GAE_STEP,
    MC_STEP,
    NO_ADVANTAGE_LEFT,
    NO_REWARD_LEFT,
    NO_VALUE_LEFT,
    TD_ERROR,
    A,
    Definition,
    Equation,
    G,
    Quantity,
    T,
    V,
    delta,
    gamma,
    k,
    lam,
    t,
)
from engine.proofs.moves import (
    cancel,
    empty_sum,
    fold,
    hypothesis,
    recall,
    reindex,
    split_first,
    unfold,
    unfold_at,
    use,
)
from engine.proofs.programs import gae
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain

LAMBDA_IS_ONE: Equation = (lam, sympy.Integer(1))
GAE_STEP_AT_LAMBDA_ZERO = Definition(
    A, lambda i: formulas.gae_step(delta(i), A(i + 1), gamma, sympy.Integer(0)), formulas.gae_step
)


def decayed(terms: Quantity, first: sympy.Expr, count: sympy.Expr) -> sympy.Expr:
    """Σ_{k < count} (γλ)^k terms(first + k)."""
    return sympy.Sum((gamma * lam) ** k * terms(first + k), (k, 0, count - 1))


@cache
def gae_lambda_one_is_monte_carlo() -> Theorem:
    """At λ = 1 the advantage is G_t − V_t, for every T."""
    statement = Statement(A(t), formulas.advantage(G(t), V(t)), over=t)
    proof = backwards(
        statement,
        base=[
            use(NO_ADVANTAGE_LEFT, "no_advantage_after_the_end"),
            recall(NO_REWARD_LEFT, "no_reward_after_the_end"),
            recall(NO_VALUE_LEFT, "no_value_after_the_end", times=sympy.Integer(-1)),
        ],
        step=[
            unfold_at(GAE_STEP, t),
            use(LAMBDA_IS_ONE, "lambda_is_one"),
            hypothesis(statement, t + 1),
            unfold(TD_ERROR),
            cancel("values_cancel"),
            fold(MC_STEP, t),
        ],
    )
    return Theorem(
        "gae_lambda_one_is_monte_carlo",
        statement,
        proof,
        (TD_ERROR, GAE_STEP, MC_STEP),
        (LAMBDA_IS_ONE, NO_ADVANTAGE_LEFT, NO_REWARD_LEFT, NO_VALUE_LEFT),
    )


@cache
def gae_lambda_zero_is_td_error() -> Theorem:
    """At λ = 0 the advantage is the token's own δ."""
    statement = Statement(A(t), delta(t), over=t)
    proof = chain(A(t), [unfold_at(GAE_STEP_AT_LAMBDA_ZERO, t, reason="recursion_at_lambda_zero")], delta(t))
    return Theorem("gae_lambda_zero_is_td_error", statement, proof, (GAE_STEP_AT_LAMBDA_ZERO,))


@cache
def gae_is_decayed_sum_of_deltas() -> Theorem:
    """Σ (γλ)^k δ_{t+k} is what the recursion adds up to, for every T."""
    statement = Statement(decayed(delta, t, T - t), A(t), over=t)
    proof = backwards(
        statement,
        base=[empty_sum(), recall(NO_ADVANTAGE_LEFT, "no_advantage_after_the_end")],
        step=[split_first(), reindex(1), hypothesis(statement, t + 1), fold(GAE_STEP, t)],
    )
    return Theorem("gae_is_decayed_sum_of_deltas", statement, proof, (GAE_STEP,), (NO_ADVANTAGE_LEFT,))


@cache
def gae_is_monte_carlo_at_any_lambda() -> Counterexample:
    """The claim A_0 = G_0 − V_0 whatever λ is."""
    claim = Claim(
        "gae_is_monte_carlo_at_any_lambda",
        left=lambda **given: gae(**given)[0],
        right=lambda rewards, values, gamma, **_: formulas.advantage(
            sequences.mc_returns(rewards, gamma)[0], values[0]
        ),
    )
    return refute(claim, rewards=(0, 1), values=(0.5, 0.6), gamma=1, lam=0.5)


THEOREMS = {
    "gae_lambda_one_is_monte_carlo": gae_lambda_one_is_monte_carlo,
    "gae_lambda_zero_is_td_error": gae_lambda_zero_is_td_error,
    "gae_is_decayed_sum_of_deltas": gae_is_decayed_sum_of_deltas,
}
COUNTEREXAMPLES = {"gae_is_monte_carlo_at_any_lambda": gae_is_monte_carlo_at_any_lambda}
