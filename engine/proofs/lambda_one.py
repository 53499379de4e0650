"""R = G for every response only at λ = 1: below it one surprise after the token is enough to part them.

A last token has nothing after it, so there the two agree whatever λ is.
"""

from __future__ import annotations

from functools import cache

import sympy

from engine import sequences
from engine.proofs.language import (
    GAE_STEP,
    LAMBDA_RETURN_STEP,
    MC_STEP,
    NO_RETURN_LEFT,
    NO_REWARD_LEFT,
    NO_VALUE_LEFT,
    TD_ERROR,
    Condition,
    G,
    R,
    T,
    delta,
    gamma,
    greater,
    lam,
    t,
)
from engine.proofs.moves import bound, by, fold, recall, unfold_at, use, write_out
from engine.proofs.programs import gae
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.returns import AT_THE_END, monte_carlo_exceeds_lambda_return_by_later_deltas
from engine.proofs.steps import chain

BELOW_ONE = greater(sympy.Integer(1), lam)
GOOD_NEWS = Condition(delta(T - 1))


@cache
def monte_carlo_exceeds_lambda_return_by_one_delta() -> Theorem:
    """G − R = (1 − λ) γ δ at the last token but one: nothing but the last token's δ can part them."""
    start, goal = G(T - 2) - R(T - 2), (1 - lam) * gamma * delta(T - 1)
    gap = monte_carlo_exceeds_lambda_return_by_later_deltas()
    proof = chain(start, [by(gap, "gap_of_later_deltas", {t: T - 2}), write_out()], goal)
    return Theorem(
        "monte_carlo_exceeds_lambda_return_by_one_delta",
        Statement(start, goal),
        proof,
        (TD_ERROR, GAE_STEP, MC_STEP, LAMBDA_RETURN_STEP),
        (*AT_THE_END, NO_REWARD_LEFT),
    )


@cache
def lambda_return_is_below_monte_carlo_before_good_news() -> Theorem:
    """For every λ < 1 there is such a response, so R = G in general only at λ = 1."""
    gap = monte_carlo_exceeds_lambda_return_by_one_delta()
    proof = chain(
        G(T - 2) - R(T - 2),
        [
            by(gap, "gap_of_later_deltas"),
            bound(">", sympy.Integer(0), "product_of_positive_numbers", BELOW_ONE, GOOD_NEWS),
        ],
        sympy.Integer(0),
    )
    return Theorem(
        "lambda_return_is_below_monte_carlo_before_good_news",
        Statement(G(T - 2) - R(T - 2), sympy.Integer(0), relation=">"),
        proof,
        (TD_ERROR, GAE_STEP, MC_STEP, LAMBDA_RETURN_STEP),
        (*AT_THE_END, NO_REWARD_LEFT),
        (BELOW_ONE, GOOD_NEWS),
    )


@cache
def lambda_return_is_monte_carlo_at_the_last_token() -> Theorem:
    """R = G = the reward at the last token, for every λ: there is no later δ."""
    proof = chain(
        R(T - 1),
        [
            unfold_at(LAMBDA_RETURN_STEP, T - 1),
            use(NO_VALUE_LEFT, "no_value_after_the_end"),
            use(NO_RETURN_LEFT, "no_return_after_the_end"),
            recall(NO_REWARD_LEFT, "no_reward_after_the_end", gamma),
            fold(MC_STEP, T - 1),
        ],
        G(T - 1),
    )
    return Theorem(
        "lambda_return_is_monte_carlo_at_the_last_token",
        Statement(R(T - 1), G(T - 1)),
        proof,
        (LAMBDA_RETURN_STEP, MC_STEP),
        (NO_VALUE_LEFT, NO_RETURN_LEFT, NO_REWARD_LEFT),
    )


@cache
def critic_target_differs_from_monte_carlo_below_lambda_one() -> Counterexample:
    """The claim |R_0 − G_0| > 0 wherever λ < 1: a response of a single token has no later δ to differ by."""
    claim = Claim(
        "critic_target_differs_from_monte_carlo_below_lambda_one",
        left=lambda rewards, values, gamma, lam: abs(
            sequences.critic_targets(gae(rewards=rewards, values=values, gamma=gamma, lam=lam), values)[0]
            - sequences.mc_returns(rewards, gamma)[0]
        ),
        right=lambda rewards, **_: 0 * rewards[0],
        relation=">",
    )
    return refute(claim, rewards=(1,), values=(0.5,), gamma=0.9, lam=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        monte_carlo_exceeds_lambda_return_by_one_delta,
        lambda_return_is_below_monte_carlo_before_good_news,
        lambda_return_is_monte_carlo_at_the_last_token,
    )
}
COUNTEREXAMPLES = {
    "critic_target_differs_from_monte_carlo_below_lambda_one": critic_target_differs_from_monte_carlo_below_lambda_one
}
