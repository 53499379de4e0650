"""A value left standing after the last token: what it adds to the advantages before it."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas
from engine.proofs.inductions import upwards
from engine.proofs.language import (
    GAE_STEP,
    NO_ADVANTAGE_LEFT,
    NO_VALUE_LEFT,
    TD_ERROR,
    A,
    Definition,
    Equation,
    T,
    V,
    gamma,
    lam,
    m,
    quantity,
    r,
)
from engine.proofs.monte_carlo import LAMBDA_IS_ONE
from engine.proofs.moves import by, cancel, hypothesis, unfold, unfold_at, use
from engine.proofs.programs import gae
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import Move, chain

ZERO = sympy.Integer(0)
leftover = sympy.Symbol("value_after_end", real=True)  # what the critic said after the last token
U = quantity("unmasked_values")  # V, and at T the leftover
leaky_delta = quantity("leaky_deltas")
B = quantity("leaky_advantages")  # the recursion run over position T too, as if it were a token
UNMASKED = Definition(
    U, lambda i: formulas.critic_target(leftover * sympy.KroneckerDelta(i, T), V(i)), formulas.critic_target
)
LEAKY_TD_ERROR = Definition(leaky_delta, lambda i: formulas.td_error(r(i), U(i), U(i + 1), gamma), formulas.td_error)
LEAKY_STEP = Definition(B, lambda i: formulas.gae_step(leaky_delta(i), B(i + 1), gamma, lam), formulas.gae_step)
NO_REWARD_AT_END: Equation = (r(T), ZERO)
NO_VALUE_BEYOND: Equation = (V(T + 1), ZERO)
NO_ADVANTAGE_BEYOND: Equation = (B(T + 1), ZERO)
LEAKS = (UNMASKED, LEAKY_TD_ERROR, LEAKY_STEP)
BEYOND = (NO_REWARD_AT_END, NO_VALUE_BEYOND, NO_ADVANTAGE_BEYOND, NO_VALUE_LEFT)


@cache
def advantage_after_end_is_minus_leftover() -> Theorem:
    """Position T gets the advantage −leftover."""
    proof = chain(
        B(T),
        [
            unfold_at(LEAKY_STEP, T),
            use(NO_ADVANTAGE_BEYOND, "no_advantage_after_the_end"),
            unfold_at(LEAKY_TD_ERROR, T),
            use(NO_REWARD_AT_END, "no_reward_after_the_end"),
            unfold(UNMASKED),
            use(NO_VALUE_BEYOND, "no_value_beyond"),
            use(NO_VALUE_LEFT, "right_value_is_zero"),
        ],
        -leftover,
    )
    return Theorem("advantage_after_end_is_minus_leftover", Statement(B(T), -leftover), proof, LEAKS, BEYOND)


@cache
def leftover_value_leaks_back() -> Theorem:
    """m tokens before the last the advantage is too large by γ (1 − λ) leftover · (γλ)^m."""
    last = T - 1 - m
    statement = Statement(B(last) - A(last), (gamma * lam) ** m * gamma * (1 - lam) * leftover, over=m)

    def unfolded(i: sympy.Expr) -> list[Move]:
        return [
            unfold_at(LEAKY_STEP, i),
            unfold_at(GAE_STEP, i),
            unfold_at(LEAKY_TD_ERROR, i),
            unfold_at(TD_ERROR, i),
            unfold(UNMASKED),
        ]

    proof = upwards(
        statement,
        first=0,
        base=[
            *unfolded(T - 1),
            use(NO_ADVANTAGE_LEFT, "right_advantage_is_zero"),
            by(advantage_after_end_is_minus_leftover(), "leaky_advantage_is_minus_leftover"),
            cancel("values_cancel"),
        ],
        step=[*unfolded(T - m - 2), hypothesis(statement, m, solve_for=B(last)), cancel("right_advantage_cancels")],
    )
    return Theorem(
        "leftover_value_leaks_back",
        statement,
        proof,
        (*LEAKS, TD_ERROR, GAE_STEP),
        (*BEYOND, NO_ADVANTAGE_LEFT),
    )


@cache
def leftover_value_is_harmless_at_lambda_one() -> Theorem:
    """At λ = 1 no advantage changes."""
    start = B(T - 1 - m) - A(T - 1 - m)
    proof = chain(
        start,
        [
            by(leftover_value_leaks_back(), "leak", solve_for=B(T - 1 - m)),
            use(LAMBDA_IS_ONE, "lambda_is_one"),
        ],
        ZERO,
    )
    return Theorem(
        "leftover_value_is_harmless_at_lambda_one",
        Statement(start, ZERO, over=m),
        proof,
        (*LEAKS, TD_ERROR, GAE_STEP),
        (*BEYOND, NO_ADVANTAGE_LEFT, LAMBDA_IS_ONE),
    )


@cache
def value_after_end_is_harmless() -> Counterexample:
    """The claim that a value after the last token does not matter, since that position is masked in the loss."""
    claim = Claim(
        "value_after_end_is_harmless",
        left=lambda rewards, values, gamma, lam: gae(rewards, values, gamma, lam)[0],
        right=lambda rewards, values, gamma, lam: gae(rewards[:-1], values[:-1], gamma, lam)[0],
    )
    return refute(claim, rewards=(0, 1, 0), values=(0.5, 0.6, 0.8), gamma=1, lam=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        advantage_after_end_is_minus_leftover,
        leftover_value_leaks_back,
        leftover_value_is_harmless_at_lambda_one,
    )
}
COUNTEREXAMPLES = {"value_after_end_is_harmless": value_after_end_is_harmless}
