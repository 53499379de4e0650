"""Whitening: what it gives (mean 0, sample variance 1), what it keeps (order), what it does not (sign)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import sympy

from engine import formulas, sequences
from engine.ops import Number
from engine.proofs.language import Condition, Equation, N, greater, k, quantity
from engine.proofs.moves import arrange, bound, sum_by_terms, use
from engine.proofs.programs import gae, mean
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain

ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
x = quantity("samples")
mu, shift, value, a_1, a_2 = sympy.symbols("mean shift value advantage other_advantage", real=True)
w = sympy.Symbol("whitened_advantage", real=True)
variance, slope = sympy.symbols("variance slope", positive=True)
epsilon = sympy.Symbol("epsilon", nonnegative=True)


def total_of_samples(of_sample: sympy.Expr) -> sympy.Expr:
    return sympy.Sum(of_sample, (k, 0, N - 1))


MEAN: Equation = (total_of_samples(x(k)), N * mu)
SAMPLE_VARIANCE: Equation = (total_of_samples(formulas.squared_error(x(k), mu)), (N - 1) * variance)
MORE_THAN_ONE = Condition(N - 1)
NO_EPSILON: Equation = (epsilon, ZERO)


def whitened(sample: sympy.Expr) -> sympy.Expr:
    return formulas.whiten(sample, mu, variance, epsilon)


@cache
def whitened_mean_is_zero() -> Theorem:
    """Σ whitened / N = 0, with ε or without."""
    start = total_of_samples(whitened(x(k))) / N
    proof = chain(start, [sum_by_terms(), use(MEAN, "mean")], ZERO)
    return Theorem("whitened_mean_is_zero", Statement(start, ZERO), proof, boundary=(MEAN,))


@cache
def whitened_variance_is_short_of_one_by_epsilon() -> Theorem:
    """Σ whitened² / (N − 1) = variance / (variance + ε): the mean is 0, so this is the sample variance."""
    start = total_of_samples(formulas.squared_error(whitened(x(k)), ZERO)) / (N - 1)
    goal = variance / (variance + epsilon)
    sum_of_squares = SAMPLE_VARIANCE[0] / (variance + epsilon) / (N - 1)
    proof = chain(
        start,
        [arrange(sum_of_squares, "common_factor_in_front"), use(SAMPLE_VARIANCE, "sample_variance")],
        goal,
    )
    return Theorem(
        "whitened_variance_is_short_of_one_by_epsilon",
        Statement(start, goal),
        proof,
        boundary=(SAMPLE_VARIANCE,),
        conditions=(MORE_THAN_ONE,),
    )


@cache
def whitened_variance_is_one() -> Theorem:
    """Without ε the sample variance is 1."""
    start = total_of_samples(formulas.squared_error(whitened(x(k)), ZERO)) / (N - 1)
    sum_of_squares = SAMPLE_VARIANCE[0] / variance / (N - 1)
    proof = chain(
        start,
        [
            use(NO_EPSILON, "no_epsilon"),
            arrange(sum_of_squares, "common_factor_in_front"),
            use(SAMPLE_VARIANCE, "sample_variance"),
        ],
        ONE,
    )
    return Theorem(
        "whitened_variance_is_one",
        Statement(start, ONE),
        proof,
        boundary=(NO_EPSILON, SAMPLE_VARIANCE),
        conditions=(MORE_THAN_ONE,),
    )


# ---------------------------------------------------------------- what it keeps


@cache
def affine_map_moves_mean() -> Theorem:
    """Σ (slope · x + shift) = N (slope · mean + shift)."""
    start, goal = total_of_samples(slope * x(k) + shift), N * (slope * mu + shift)
    proof = chain(start, [sum_by_terms(), use(MEAN, "mean")], goal)
    return Theorem("affine_map_moves_mean", Statement(start, goal), proof, boundary=(MEAN,))


@cache
def affine_map_scales_variance() -> Theorem:
    """Σ (slope · x + shift − its mean)² = (N − 1) slope² variance."""
    start = total_of_samples(formulas.squared_error(slope * x(k) + shift, slope * mu + shift))
    goal = (N - 1) * slope**2 * variance
    proof = chain(
        start,
        [arrange(slope**2 * SAMPLE_VARIANCE[0], "common_factor_in_front"), use(SAMPLE_VARIANCE, "sample_variance")],
        goal,
    )
    return Theorem("affine_map_scales_variance", Statement(start, goal), proof, boundary=(SAMPLE_VARIANCE,))


@cache
def whitening_ignores_affine_maps() -> Theorem:
    """Whitening slope · x + shift, with its own mean and variance, gives what whitening x gives (slope > 0, ε = 0)."""
    start = formulas.whiten(slope * x(k) + shift, slope * mu + shift, slope**2 * variance)
    goal = formulas.whiten(x(k), mu, variance)
    proof = chain(start, [arrange(goal, "slope_and_shift_cancel")], goal)
    return Theorem("whitening_ignores_affine_maps", Statement(start, goal, over=k), proof)


@cache
def whitening_keeps_order() -> Theorem:
    """Of two samples the larger stays the larger."""
    larger = greater(a_1, a_2)
    start, goal = whitened(a_1), whitened(a_2)
    proof = chain(start, [bound(">", goal, "divided_by_a_positive_number", larger)], goal)
    return Theorem("whitening_keeps_order", Statement(start, goal, relation=">"), proof, conditions=(larger,))


@cache
def returns_are_recovered_from_whitened_advantages() -> Theorem:
    """Multiplied and shifted back, and V added, a whitened advantage gives R = A + V: whitening lost nothing of it."""
    start = formulas.critic_target(w * sympy.sqrt(variance + epsilon) + mu, value)
    goal = formulas.critic_target(a_1, value)
    whitened_advantage = (w, whitened(a_1))
    proof = chain(start, [use(whitened_advantage, "whitening_is_undone")], goal)
    return Theorem(
        "returns_are_recovered_from_whitened_advantages",
        Statement(start, goal),
        proof,
        boundary=(whitened_advantage,),
    )


# ---------------------------------------------------------------- what does not hold


def _moments(samples: Sequence[Number]) -> tuple[Number, Number]:
    """The mean and the sample variance."""
    middle = mean(samples)
    return middle, sum(formulas.squared_error(sample, middle) for sample in samples) / (len(samples) - 1)


def _whiten(samples: Sequence[Number]) -> list[Number]:
    return [formulas.whiten(sample, *_moments(samples)) for sample in samples]


@cache
def whitening_keeps_sign() -> Counterexample:
    claim = Claim(
        "whitening_keeps_sign",
        left=lambda advantages: _whiten(advantages)[0],
        right=lambda advantages: 0 * advantages[0],
        relation=">",
    )
    return refute(claim, advantages=(1, 2, 4))


@cache
def returns_may_use_whitened_advantages() -> Counterexample:
    claim = Claim(
        "returns_may_use_whitened_advantages",
        left=lambda values, **given: sequences.critic_targets(_whiten(gae(values=values, **given)), values)[0],
        right=lambda **given: sequences.lambda_returns(**given)[0],
    )
    return refute(claim, rewards=(0, 0, 1), values=(0.5, 0.6, 0.9), gamma=1, lam=0.5)


@cache
def whitened_population_variance_is_one() -> Counterexample:
    """The claim that the mean square is 1 too, when the sample variance was divided by."""
    claim = Claim(
        "whitened_population_variance_is_one",
        left=lambda advantages: mean([w**2 for w in _whiten(advantages)]),
        right=lambda advantages: _moments(_whiten(advantages))[1],
    )
    return refute(claim, advantages=(1, 2, 4))


@cache
def whitening_with_epsilon_ignores_scale() -> Counterexample:
    """The claim that the invariance to scale survives an ε."""
    claim = Claim(
        "whitening_with_epsilon_ignores_scale",
        left=lambda advantages, epsilon, **_: formulas.whiten(advantages[0], *_moments(advantages), epsilon),
        right=lambda advantages, slope, epsilon: formulas.whiten(
            slope * advantages[0], *_moments([slope * x for x in advantages]), epsilon
        ),
    )
    return refute(claim, advantages=(1, 2, 4), slope=0.5, epsilon=1)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        whitened_mean_is_zero,
        whitened_variance_is_short_of_one_by_epsilon,
        whitened_variance_is_one,
        affine_map_moves_mean,
        affine_map_scales_variance,
        whitening_ignores_affine_maps,
        whitening_keeps_order,
        returns_are_recovered_from_whitened_advantages,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (
        whitening_keeps_sign,
        returns_may_use_whitened_advantages,
        whitened_population_variance_is_one,
        whitening_with_epsilon_ignores_scale,
    )
}
