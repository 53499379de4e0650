"""What an advantage depends on: ∂A_t/∂r_k, ∂A_t/∂V_t, ∂A_t/∂V_k, by induction on the distance between t and k."""

from __future__ import annotations

from functools import cache

import sympy

from engine.proofs.inductions import backwards, upwards
from engine.proofs.language import (
    GAE_STEP,
    TD_ERROR,
    A,
    Definition,
    Equation,
    T,
    V,
    delta,
    gamma,
    j,
    k,
    lam,
    m,
    quantity,
    r,
)
from engine.proofs.monte_carlo import LAMBDA_IS_ONE
from engine.proofs.moves import by, factor, hypothesis, unfold_at, use
from engine.proofs.operators import differential
from engine.proofs.programs import gae
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain

ZERO, ONE = sympy.Integer(0), sympy.Integer(1)


def _only_at_k(i: sympy.Expr) -> sympy.Expr:
    """How a quantity at i moves when that quantity at k does."""
    return sympy.KroneckerDelta(i, k)


def _not(_: sympy.Expr) -> sympy.Expr:
    return ZERO


DELTA_BY_REWARD = quantity("deltas_by_reward")  # ∂δ_i/∂r_k
ADVANTAGE_BY_REWARD = quantity("advantages_by_reward")  # ∂A_i/∂r_k
DELTA_BY_VALUE = quantity("deltas_by_value")  # ∂δ_i/∂V_k
ADVANTAGE_BY_VALUE = quantity("advantages_by_value")  # ∂A_i/∂V_k
TD_BY_REWARD = differential(TD_ERROR, DELTA_BY_REWARD, {r: _only_at_k, V: _not})
GAE_BY_REWARD = differential(GAE_STEP, ADVANTAGE_BY_REWARD, {delta: DELTA_BY_REWARD, A: ADVANTAGE_BY_REWARD})
TD_BY_VALUE = differential(TD_ERROR, DELTA_BY_VALUE, {r: _not, V: _only_at_k})
GAE_BY_VALUE = differential(GAE_STEP, ADVANTAGE_BY_VALUE, {delta: DELTA_BY_VALUE, A: ADVANTAGE_BY_VALUE})
END_BY_REWARD: Equation = (ADVANTAGE_BY_REWARD(T), ZERO)
END_BY_VALUE: Equation = (ADVANTAGE_BY_VALUE(T), ZERO)


def _later_advantages(name: str, of: Definition, of_delta: Definition, end: Equation) -> Theorem:
    """∂A_{k+j}/∂x_k = 0: what token k has is behind every later token."""
    statement = Statement(of.quantity(k + j), ZERO, over=j)
    proof = backwards(
        statement,
        base=[use(end, "no_advantage_after_the_end")],
        step=[unfold_at(of, k + j), unfold_at(of_delta, k + j), hypothesis(statement, j + 1)],
        end=T - k,
    )
    return Theorem(name, statement, proof, (of, of_delta), (end,))


@cache
def later_advantages_ignore_reward() -> Theorem:
    return _later_advantages("later_advantages_ignore_reward", GAE_BY_REWARD, TD_BY_REWARD, END_BY_REWARD)


@cache
def later_advantages_ignore_value() -> Theorem:
    return _later_advantages("later_advantages_ignore_value", GAE_BY_VALUE, TD_BY_VALUE, END_BY_VALUE)


@cache
def reward_reaches_back_with_gamma_lambda() -> Theorem:
    """∂A_{k−m}/∂r_k = (γλ)^m, by induction on m."""
    statement = Statement(ADVANTAGE_BY_REWARD(k - m), (gamma * lam) ** m, over=m)
    proof = upwards(
        statement,
        first=0,
        base=[
            unfold_at(GAE_BY_REWARD, k),
            by(later_advantages_ignore_reward(), "later_advantages_ignore_it", {j: ONE}),
            unfold_at(TD_BY_REWARD, k),
        ],
        step=[
            unfold_at(GAE_BY_REWARD, k - m - 1),
            unfold_at(TD_BY_REWARD, k - m - 1),
            hypothesis(statement, m),
        ],
    )
    return Theorem(
        "reward_reaches_back_with_gamma_lambda", statement, proof, (GAE_BY_REWARD, TD_BY_REWARD), (END_BY_REWARD,)
    )


@cache
def own_value_lowers_advantage_one_to_one() -> Theorem:
    """∂A_k/∂V_k = −1."""
    proof = chain(
        ADVANTAGE_BY_VALUE(k),
        [
            unfold_at(GAE_BY_VALUE, k),
            by(later_advantages_ignore_value(), "later_advantages_ignore_it", {j: ONE}),
            unfold_at(TD_BY_VALUE, k),
        ],
        -ONE,
    )
    return Theorem(
        "own_value_lowers_advantage_one_to_one",
        Statement(ADVANTAGE_BY_VALUE(k), -ONE),
        proof,
        (GAE_BY_VALUE, TD_BY_VALUE),
        (END_BY_VALUE,),
    )


@cache
def later_value_reaches_back_through_bootstrap() -> Theorem:
    """∂A_{k−j}/∂V_k = γ(1−λ)(γλ)^{j−1}, by induction on j."""
    statement = Statement(ADVANTAGE_BY_VALUE(k - j), gamma * (1 - lam) * (gamma * lam) ** (j - 1), over=j)
    proof = upwards(
        statement,
        first=1,
        base=[
            unfold_at(GAE_BY_VALUE, k - 1),
            unfold_at(TD_BY_VALUE, k - 1),
            by(own_value_lowers_advantage_one_to_one(), "own_value_lowers_it"),
            factor(),
        ],
        step=[
            unfold_at(GAE_BY_VALUE, k - j - 1),
            unfold_at(TD_BY_VALUE, k - j - 1),
            hypothesis(statement, j),
        ],
    )
    return Theorem(
        "later_value_reaches_back_through_bootstrap", statement, proof, (GAE_BY_VALUE, TD_BY_VALUE), (END_BY_VALUE,)
    )


@cache
def later_values_vanish_at_lambda_one() -> Theorem:
    """∂A_{k−j}/∂V_k = 0 at λ = 1: the bootstrap values telescope away."""
    proof = chain(
        ADVANTAGE_BY_VALUE(k - j),
        [
            by(later_value_reaches_back_through_bootstrap(), "bootstrap_reaches_back"),
            use(LAMBDA_IS_ONE, "lambda_is_one"),
        ],
        ZERO,
    )
    return Theorem(
        "later_values_vanish_at_lambda_one",
        Statement(ADVANTAGE_BY_VALUE(k - j), ZERO, over=j),
        proof,
        (GAE_BY_VALUE, TD_BY_VALUE),
        (END_BY_VALUE, LAMBDA_IS_ONE),
    )


@cache
def bootstrap_affects_only_its_own_delta() -> Counterexample:
    """The claim that V_2 has no part in A_0, because δ_0 bootstraps from V_1: run with two values of V_2."""
    claim = Claim(
        "bootstrap_affects_only_its_own_delta",
        left=lambda rewards, values, gamma, lam, **_: gae(rewards, values, gamma, lam)[0],
        right=lambda rewards, old_values, gamma, lam, **_: gae(rewards, old_values, gamma, lam)[0],
    )
    return refute(claim, rewards=(0, 0, 1), values=(0.5, 0.6, 0.9), old_values=(0.5, 0.6, 0.4), gamma=1, lam=0.5)


@cache
def reward_affects_only_its_own_advantage() -> Counterexample:
    """The claim that the reward of the last token has no part in A_0: without it A_0 would be the same."""
    claim = Claim(
        "reward_affects_only_its_own_advantage",
        left=lambda **given: gae(**given)[0],
        right=lambda rewards, **given: gae([*rewards[:-1], 0 * rewards[-1]], **given)[0],
    )
    return refute(claim, rewards=(0, 0, 1), values=(0.5, 0.6, 0.9), gamma=1, lam=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        later_advantages_ignore_reward,
        later_advantages_ignore_value,
        reward_reaches_back_with_gamma_lambda,
        own_value_lowers_advantage_one_to_one,
        later_value_reaches_back_through_bootstrap,
        later_values_vanish_at_lambda_one,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (bootstrap_affects_only_its_own_delta, reward_affects_only_its_own_advantage)
}
