"""GAE's variance and bias against λ: rewards with independent noise, and a V that is fixed, or wrong."""

from __future__ import annotations

from functools import cache

import sympy

from engine.proofs.advantage_sums import DECAYS, GAMMA_IS_ONE
from engine.proofs.inductions import backwards
from engine.proofs.language import GAE_STEP, TD_ERROR, A, Equation, T, V, delta, gamma, lam, m, quantity, r, t
from engine.proofs.monte_carlo import LAMBDA_IS_ONE, decayed
from engine.proofs.moves import (
    arrange,
    bound,
    by,
    differentiate,
    empty_sum,
    fold,
    hypothesis,
    recall,
    reindex,
    split_first,
    unfold_at,
    use,
)
from engine.proofs.operators import expectation, variance
from engine.proofs.programs import gae
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain

ZERO = sympy.Integer(0)
noise = sympy.Symbol("reward_variance", positive=True)
VAR_DELTA = quantity("delta_variances")
VAR_A = quantity("advantage_variances")
VAR_R = quantity("reward_variances", nonnegative=True)  # when each token's reward has a variance of its own
TD_VARIANCE = variance(TD_ERROR, VAR_DELTA, {r: lambda _: noise, V: lambda _: ZERO})
TD_VARIANCE_BY_TOKEN = variance(TD_ERROR, VAR_DELTA, {r: VAR_R, V: lambda _: ZERO})
GAE_VARIANCE = variance(GAE_STEP, VAR_A, {delta: VAR_DELTA, A: VAR_A})
NO_VARIANCE_LEFT: Equation = (VAR_A(T), ZERO)

error = quantity("value_errors")  # V as the critic has it, less the exact V
BIAS_DELTA = quantity("delta_biases")
BIAS_A = quantity("advantage_biases")
TD_BIAS = expectation(TD_ERROR, BIAS_DELTA, {r: lambda _: ZERO, V: error})
GAE_BIAS = expectation(GAE_STEP, BIAS_A, {delta: BIAS_DELTA, A: BIAS_A})
NO_BIAS_LEFT: Equation = (BIAS_A(T), ZERO)
NO_ERROR_LEFT: Equation = (error(T), ZERO)


def _variance(name: str, goal: sympy.Expr, given: dict[str, Equation], conditions: tuple = ()) -> Theorem:
    """Var A_t = goal, from the end backwards."""
    statement = Statement(VAR_A(t), goal, over=t)
    proof = backwards(
        statement,
        base=[use(NO_VARIANCE_LEFT, "nothing_varies_after_the_end")],
        step=[
            unfold_at(GAE_VARIANCE, t),
            unfold_at(TD_VARIANCE, t),
            *(use(equation, reason) for reason, equation in given.items()),
            hypothesis(statement, t + 1),
            arrange(goal),
        ],
    )
    return Theorem(name, statement, proof, (GAE_VARIANCE, TD_VARIANCE), (NO_VARIANCE_LEFT, *given.values()), conditions)


@cache
def gae_variance_in_closed_form() -> Theorem:
    """Var A_t = σ² (1 − (γλ)^{2(T−t)}) / (1 − (γλ)²), for γλ < 1."""
    c = gamma * lam
    goal = noise * (1 - c ** (2 * (T - t))) / (1 - c**2)
    return _variance("gae_variance_in_closed_form", goal, {}, (DECAYS,))


@cache
def gae_variance_counts_tokens() -> Theorem:
    """Var A_t = σ² (T − t) at γ = λ = 1."""
    given = {"gamma_is_one": GAMMA_IS_ONE, "lambda_is_one": LAMBDA_IS_ONE}
    return _variance("gae_variance_counts_tokens", noise * (T - t), given)


def _by_weights() -> sympy.Expr:
    return sympy.Sum((gamma * lam) ** (2 * m) * VAR_R(t + m), (m, 0, T - t - 1))


@cache
def gae_variance_is_sum_of_squared_weights() -> Theorem:
    """Var A_t = Σ (γλ)^{2m} Var r_{t+m}, for every γ and λ."""
    statement = Statement(_by_weights(), VAR_A(t), over=t)
    proof = backwards(
        statement,
        base=[empty_sum(), recall(NO_VARIANCE_LEFT, "nothing_varies_after_the_end")],
        step=[
            split_first(),
            reindex(1),
            hypothesis(statement, t + 1),
            fold(TD_VARIANCE_BY_TOKEN, t),
            fold(GAE_VARIANCE, t),
        ],
    )
    return Theorem(
        "gae_variance_is_sum_of_squared_weights",
        statement,
        proof,
        (GAE_VARIANCE, TD_VARIANCE_BY_TOKEN),
        (NO_VARIANCE_LEFT,),
    )


@cache
def gae_variance_grows_with_lambda() -> Theorem:
    """∂Var A_t/∂λ ≥ 0: term by term."""
    start = sympy.Derivative(_by_weights(), lam)
    proof = chain(start, [differentiate(), bound(">=", ZERO, "every_term_is_not_negative")], ZERO)
    return Theorem("gae_variance_grows_with_lambda", Statement(start, ZERO, relation=">="), proof)


@cache
def gae_bias_of_a_wrong_value() -> Theorem:
    """E[A_t] is off by −e_t + γ (1 − λ) Σ (γλ)^k e_{t+k+1}, when V is off by e."""
    statement = Statement(BIAS_A(t), -error(t) + gamma * (1 - lam) * decayed(error, t + 1, T - t), over=t)
    proof = backwards(
        statement,
        base=[
            use(NO_BIAS_LEFT, "no_bias_after_the_end"),
            recall(NO_ERROR_LEFT, "no_error_after_the_end", times=sympy.Integer(-1)),
        ],
        step=[
            unfold_at(GAE_BIAS, t),
            unfold_at(TD_BIAS, t),
            hypothesis(statement, t + 1),
            arrange(statement.right, "one_sum"),
        ],
    )
    return Theorem("gae_bias_of_a_wrong_value", statement, proof, (GAE_BIAS, TD_BIAS), (NO_BIAS_LEFT, NO_ERROR_LEFT))


@cache
def gae_bias_is_own_error_at_lambda_one() -> Theorem:
    """At λ = 1 only −e_t is left, which is the same for every token that could be chosen at t."""
    proof = chain(
        BIAS_A(t),
        [by(gae_bias_of_a_wrong_value(), "bias"), use(LAMBDA_IS_ONE, "lambda_is_one")],
        -error(t),
    )
    return Theorem(
        "gae_bias_is_own_error_at_lambda_one",
        Statement(BIAS_A(t), -error(t), over=t),
        proof,
        (GAE_BIAS, TD_BIAS),
        (NO_BIAS_LEFT, NO_ERROR_LEFT, LAMBDA_IS_ONE),
    )


@cache
def wrong_value_shifts_only_its_own_advantage() -> Counterexample:
    """The claim that a V_1 that is wrong leaves A_0 as it was, whatever λ is."""
    claim = Claim(
        "wrong_value_shifts_only_its_own_advantage",
        left=lambda rewards, values, gamma, lam, **_: gae(rewards, values, gamma, lam)[0],
        right=lambda rewards, old_values, gamma, lam, **_: gae(rewards, old_values, gamma, lam)[0],
    )
    return refute(claim, rewards=(0, 1), values=(1, 1), old_values=(1, 0.6), gamma=1, lam=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        gae_variance_in_closed_form,
        gae_variance_counts_tokens,
        gae_variance_is_sum_of_squared_weights,
        gae_variance_grows_with_lambda,
        gae_bias_of_a_wrong_value,
        gae_bias_is_own_error_at_lambda_one,
    )
}
COUNTEREXAMPLES = {"wrong_value_shifts_only_its_own_advantage": wrong_value_shifts_only_its_own_advantage}
