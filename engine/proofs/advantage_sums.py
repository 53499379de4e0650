"""Σ A_t: every δ counted as often, and as decayed, as earlier tokens use it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sympy

from engine.proofs.inductions import backwards
from engine.proofs.language import (
    GAE_STEP,
    NO_ADVANTAGE_LEFT,
    A,
    Condition,
    Equation,
    T,
    delta,
    gamma,
    k,
    lam,
    t,
)
from engine.proofs.monte_carlo import LAMBDA_IS_ONE, gae_is_decayed_sum_of_deltas
from engine.proofs.moves import arrange, by, empty_sum, fold, hypothesis, recall, reindex, split_first, use
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Counterexample

GAMMA_IS_ONE: Equation = (gamma, sympy.Integer(1))
DECAYS = Condition(1 - gamma * lam)  # γλ < 1


def _total(terms: sympy.Expr) -> sympy.Expr:
    """Σ of terms in k over the tokens from t on."""
    return sympy.Sum(terms, (k, 0, T - t - 1))


def _sum_by_weights(
    name: str, weight: sympy.Expr, given: dict[str, Equation] | None = None, conditions: tuple[Condition, ...] = ()
) -> Theorem:
    """Σ A = Σ weight(k) δ_{t+k} from t on, where each weight is the one before it and (γλ)^k more."""
    given = given or {}
    statement = Statement(_total(A(t + k)), _total(weight * delta(t + k)), over=t)
    own = by(gae_is_decayed_sum_of_deltas(), "advantage_is_decayed_sum", solve_for=A(t))
    proof = backwards(
        statement,
        base=[empty_sum()],
        step=[
            split_first(),
            reindex(1, "reindex_without_factor"),
            hypothesis(statement, t + 1),
            own,
            *(use(equation, reason) for reason, equation in given.items()),
            arrange(statement.right, "one_weight_for_each_delta"),
        ],
    )
    return Theorem(name, statement, proof, (GAE_STEP,), (NO_ADVANTAGE_LEFT, *given.values()), conditions)


@cache
def sum_of_advantages_weighs_deltas() -> Theorem:
    """Σ A_t = Σ (1 − (γλ)^{k+1}) / (1 − γλ) δ_k, for γλ < 1 and every T."""
    weight = (1 - (gamma * lam) ** (k + 1)) / (1 - gamma * lam)
    return _sum_by_weights("sum_of_advantages_weighs_deltas", weight, conditions=(DECAYS,))


@cache
def sum_of_advantages_counts_deltas() -> Theorem:
    """Σ A_t = Σ (k + 1) δ_k at γ = λ = 1: token k's δ is in its own advantage and in all before it."""
    return _sum_by_weights(
        "sum_of_advantages_counts_deltas", k + 1, given={"gamma_is_one": GAMMA_IS_ONE, "lambda_is_one": LAMBDA_IS_ONE}
    )


@cache
def excess_weighs_the_advantages() -> Theorem:
    """Σ γ^k δ_{t+k} = λ A_t + (1 − λ) Σ γ^k A_{t+k}: the weights with which advantages do add up, for every T."""
    news, heard = _total(gamma**k * delta(t + k)), _total(gamma**k * A(t + k))
    statement = Statement(news, lam * A(t) + (1 - lam) * heard, over=t)
    proof = backwards(
        statement,
        base=[empty_sum(), recall(NO_ADVANTAGE_LEFT, "no_advantage_after_the_end", times=lam)],
        step=[
            split_first(),
            reindex(1),
            hypothesis(statement, t + 1),
            fold(GAE_STEP, t),
            arrange(statement.right, "one_sum"),
        ],
    )
    return Theorem("excess_weighs_the_advantages", statement, proof, (GAE_STEP,), (NO_ADVANTAGE_LEFT,))


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        sum_of_advantages_weighs_deltas,
        sum_of_advantages_counts_deltas,
        excess_weighs_the_advantages,
    )
}
COUNTEREXAMPLES: dict[str, Callable[[], Counterexample]] = {}
