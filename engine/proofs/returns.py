"""R = A + V: it is the λ-return, and the Monte-Carlo return only where λ = 1 or the later δ vanish."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas, sequences
from engine.proofs.inductions import backwards
from engine.proofs.language import (
    GAE_STEP,
    LAMBDA_RETURN_STEP,
    MC_STEP,
    NO_ADVANTAGE_LEFT,
    NO_RETURN_LEFT,
    NO_REWARD_LEFT,
    NO_VALUE_LEFT,
    TD_ERROR,
    A,
    Definition,
    G,
    R,
    T,
    V,
    delta,
    gamma,
    j,
    k,
    lam,
    r,
    t,
)
from engine.proofs.monte_carlo import LAMBDA_IS_ONE, gae_is_decayed_sum_of_deltas, gae_lambda_one_is_monte_carlo
from engine.proofs.moves import arrange, by, cancel, fold, hypothesis, recall, unfold, unfold_at, use
from engine.proofs.programs import gae
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain
from engine.proofs.telescoping import telescoping

AT_THE_END = (NO_ADVANTAGE_LEFT, NO_VALUE_LEFT, NO_RETURN_LEFT)


@cache
def advantage_plus_value_is_lambda_return() -> Theorem:
    """A_t + V_t satisfies the λ-return's recursion, so it is the λ-return, for every T."""
    statement = Statement(formulas.critic_target(A(t), V(t)), R(t), over=t)
    proof = backwards(
        statement,
        base=[
            use(NO_ADVANTAGE_LEFT, "no_advantage_after_the_end"),
            use(NO_VALUE_LEFT, "no_value_after_the_end"),
            recall(NO_RETURN_LEFT, "no_return_after_the_end"),
        ],
        step=[
            unfold_at(GAE_STEP, t),
            unfold(TD_ERROR),
            hypothesis(statement, t + 1, solve_for=A(t + 1)),
            fold(LAMBDA_RETURN_STEP, t),
        ],
    )
    return Theorem(
        "advantage_plus_value_is_lambda_return", statement, proof, (TD_ERROR, GAE_STEP, LAMBDA_RETURN_STEP), AT_THE_END
    )


@cache
def advantage_is_lambda_return_minus_value() -> Theorem:
    """A_t is one step of the λ-return less V_t."""
    goal = formulas.advantage(formulas.lambda_return_step(r(t), V(t + 1), R(t + 1), gamma, lam), V(t))
    proof = chain(
        A(t),
        [
            by(advantage_plus_value_is_lambda_return(), "return_less_value", solve_for=A(t)),
            unfold_at(LAMBDA_RETURN_STEP, t),
        ],
        goal,
    )
    return Theorem(
        "advantage_is_lambda_return_minus_value",
        Statement(A(t), goal, over=t),
        proof,
        (TD_ERROR, GAE_STEP, LAMBDA_RETURN_STEP),
        AT_THE_END,
    )


@cache
def monte_carlo_exceeds_lambda_return_by_later_deltas() -> Theorem:
    """G_t − R_t = Σ (1 − λ^k) γ^k δ_{t+k}: the token's own δ has no part in it, and at λ = 1 none has."""
    goal = sympy.Sum((1 - lam**k) * gamma**k * delta(t + k), (k, 0, T - t - 1))
    proof = chain(
        G(t) - R(t),
        [
            by(telescoping(), "telescoping", solve_for=G(t)),
            by(advantage_plus_value_is_lambda_return(), "return_is_advantage_plus_value", solve_for=R(t)),
            use(NO_VALUE_LEFT, "no_value_after_the_end"),
            by(gae_is_decayed_sum_of_deltas(), "advantage_is_decayed_sum", solve_for=A(t)),
            arrange(goal, "one_sum"),
        ],
        goal,
    )
    return Theorem(
        "monte_carlo_exceeds_lambda_return_by_later_deltas",
        Statement(G(t) - R(t), goal, over=t),
        proof,
        (TD_ERROR, GAE_STEP, MC_STEP, LAMBDA_RETURN_STEP),
        (*AT_THE_END, NO_REWARD_LEFT),
    )


@cache
def lambda_return_is_monte_carlo_at_lambda_one() -> Theorem:
    proof = chain(
        R(t),
        [
            by(advantage_plus_value_is_lambda_return(), "return_is_advantage_plus_value", solve_for=R(t)),
            by(gae_lambda_one_is_monte_carlo(), "advantage_is_monte_carlo"),
        ],
        G(t),
    )
    return Theorem(
        "lambda_return_is_monte_carlo_at_lambda_one",
        Statement(R(t), G(t), over=t),
        proof,
        (TD_ERROR, GAE_STEP, MC_STEP, LAMBDA_RETURN_STEP),
        (*AT_THE_END, NO_REWARD_LEFT, LAMBDA_IS_ONE),
    )


SURPRISE = sympy.Symbol("surprise", real=True)
# Every token but t earns just what the critic foresaw, so that every δ but δ_t, and every later one, is 0.
FORESEEN = Definition(
    r,
    lambda i: SURPRISE * sympy.KroneckerDelta(i, t) - formulas.td_error(sympy.Integer(0), V(i), V(i + 1), gamma),
    formulas.td_error,
)


@cache
def later_returns_are_values_if_later_deltas_vanish() -> Theorem:
    """R_i = V_i for every token i after t."""
    statement = Statement(R(t + j), V(t + j), over=j)
    proof = backwards(
        statement,
        base=[
            use(NO_RETURN_LEFT, "no_return_after_the_end"),
            recall(NO_VALUE_LEFT, "no_value_after_the_end"),
        ],
        step=[
            unfold_at(LAMBDA_RETURN_STEP, t + j),
            hypothesis(statement, j + 1),
            unfold(FORESEEN),
            cancel("values_cancel"),
        ],
        end=T - t,
    )
    return Theorem(
        "later_returns_are_values_if_later_deltas_vanish",
        statement,
        proof,
        (LAMBDA_RETURN_STEP, FORESEEN),
        (NO_RETURN_LEFT, NO_VALUE_LEFT),
    )


@cache
def later_monte_carlo_is_value_if_later_deltas_vanish() -> Theorem:
    """G_i = V_i for every token i after t."""
    statement = Statement(G(t + j), V(t + j), over=j)
    proof = backwards(
        statement,
        base=[
            use(NO_REWARD_LEFT, "no_reward_after_the_end"),
            recall(NO_VALUE_LEFT, "no_value_after_the_end"),
        ],
        step=[unfold_at(MC_STEP, t + j), hypothesis(statement, j + 1), unfold(FORESEEN)],
        end=T - t,
    )
    return Theorem(
        "later_monte_carlo_is_value_if_later_deltas_vanish",
        statement,
        proof,
        (MC_STEP, FORESEEN),
        (NO_REWARD_LEFT, NO_VALUE_LEFT),
    )


@cache
def lambda_return_is_monte_carlo_if_later_deltas_vanish() -> Theorem:
    """R_t = G_t for every λ, when every δ after t is 0."""
    proof = chain(
        R(t),
        [
            unfold_at(LAMBDA_RETURN_STEP, t),
            by(later_returns_are_values_if_later_deltas_vanish(), "later_returns_are_values", {j: sympy.Integer(1)}),
            cancel("lambda_cancels"),
            by(
                later_monte_carlo_is_value_if_later_deltas_vanish(),
                "later_values_are_monte_carlo",
                {j: sympy.Integer(1)},
                solve_for=V(t + 1),
            ),
            fold(MC_STEP, t),
        ],
        G(t),
    )
    return Theorem(
        "lambda_return_is_monte_carlo_if_later_deltas_vanish",
        Statement(R(t), G(t)),
        proof,
        (LAMBDA_RETURN_STEP, MC_STEP, FORESEEN),
        (NO_RETURN_LEFT, NO_REWARD_LEFT, NO_VALUE_LEFT),
    )


@cache
def critic_target_is_monte_carlo_at_any_lambda() -> Counterexample:
    """The claim R_0 = G_0 whatever λ is."""
    claim = Claim(
        "critic_target_is_monte_carlo_at_any_lambda",
        left=lambda values, **given: sequences.critic_targets(gae(values=values, **given), values)[0],
        right=lambda rewards, gamma, **_: sequences.mc_returns(rewards, gamma)[0],
    )
    return refute(claim, rewards=(0, 1), values=(0.5, 0.6), gamma=1, lam=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        advantage_plus_value_is_lambda_return,
        advantage_is_lambda_return_minus_value,
        monte_carlo_exceeds_lambda_return_by_later_deltas,
        lambda_return_is_monte_carlo_at_lambda_one,
        later_returns_are_values_if_later_deltas_vanish,
        later_monte_carlo_is_value_if_later_deltas_vanish,
        lambda_return_is_monte_carlo_if_later_deltas_vanish,
    )
}
COUNTEREXAMPLES = {"critic_target_is_monte_carlo_at_any_lambda": critic_target_is_monte_carlo_at_any_lambda}
