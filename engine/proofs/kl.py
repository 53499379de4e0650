"""The KL estimators: what they are on average, which sign a sample has, and where their gradients point."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sympy

from engine import formulas
from engine.ops import Number, log
from engine.proofs.language import Equation, a
from engine.proofs.moves import arrange, bound, bound_by, by, differentiate, minimum, sum_by_terms, use
from engine.proofs.programs import expected as expected_number
from engine.proofs.proof import Instance, Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain
from engine.proofs.vocabulary import P_SUMS_TO_ONE, Q_SUMS_TO_ONE, expected, p, q, total

ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
x, y = sympy.symbols("logp ref_logp", real=True)
KL = expected(sympy.log(p(a) / q(a)))
theta = sympy.Symbol("theta", real=True)
P = p(a, theta)  # the policy's probability of token a, as its parameter moves
P_KEEPS_ITS_SUM: Equation = (total(sympy.Derivative(P, theta)), ZERO)

Estimator = Callable[[Number, Number], Number]


def _of_token(estimator: Estimator, policy: sympy.Expr) -> sympy.Expr:
    return estimator(sympy.log(policy), sympy.log(q(a)))


# ---------------------------------------------------------------- signs


@cache
def k2_is_never_negative() -> Theorem:
    """k2 ≥ 0, as a square is."""
    start = formulas.k2(x, y)
    proof = chain(start, [bound(">=", ZERO, "square_is_not_negative")], ZERO)
    return Theorem("k2_is_never_negative", Statement(start, ZERO, relation=">="), proof)


@cache
def k3_is_never_negative() -> Theorem:
    """k3 ≥ 0: it is convex in log π, and flat at log π_ref, where it is 0."""
    start = formulas.k3(x, y)
    proof = chain(start, [minimum(x, y)], ZERO)
    return Theorem("k3_is_never_negative", Statement(start, ZERO, relation=">="), proof)


@cache
def kl_is_never_negative() -> Theorem:
    """KL ≥ 0, because it is the mean of k3."""
    k3_of_token = Instance(k3_is_never_negative(), ((x, sympy.log(p(a))), (y, sympy.log(q(a)))))
    proof = chain(
        KL,
        [
            by(expected_k3_is_kl(), "mean_of_k3", solve_for=KL),
            bound_by(k3_of_token, ">=", ZERO, "every_term_is_not_negative"),
        ],
        ZERO,
    )
    return Theorem(
        "kl_is_never_negative",
        Statement(KL, ZERO, relation=">="),
        proof,
        boundary=(P_SUMS_TO_ONE, Q_SUMS_TO_ONE),
    )


# ---------------------------------------------------------------- means


@cache
def expected_k1_is_kl() -> Theorem:
    """E[k1] = Σ p log(p/q), the KL divergence."""
    start = expected(_of_token(formulas.k1, p(a)))
    proof = chain(start, [arrange(KL, "log_of_a_quotient")], KL)
    return Theorem("expected_k1_is_kl", Statement(start, KL), proof)


@cache
def expected_k3_is_kl() -> Theorem:
    """E[k3] = KL, without a clamp: the ratio's mean is 1."""
    start = expected(_of_token(formulas.k3, p(a)))
    proof = chain(
        start,
        [
            sum_by_terms("expectation_is_linear"),
            use(P_SUMS_TO_ONE, "probabilities_sum_to_one"),
            use(Q_SUMS_TO_ONE, "ref_probabilities_sum_to_one"),
            arrange(KL, "log_of_a_quotient"),
        ],
        KL,
    )
    return Theorem("expected_k3_is_kl", Statement(start, KL), proof, boundary=(P_SUMS_TO_ONE, Q_SUMS_TO_ONE))


# ---------------------------------------------------------------- gradients


def _gradient(name: str, estimator: sympy.Expr, goal: sympy.Expr) -> Theorem:
    start = sympy.Derivative(estimator, x)
    return Theorem(name, Statement(start, goal), chain(start, [differentiate()], goal))


@cache
def k1_gradient_is_one() -> Theorem:
    """∂k1/∂log π = 1, whatever the reference says."""
    return _gradient("k1_gradient_is_one", formulas.k1(x, y), ONE)


@cache
def k2_gradient_is_log_ratio() -> Theorem:
    """∂k2/∂log π = log π − log π_ref."""
    return _gradient("k2_gradient_is_log_ratio", formulas.k2(x, y), formulas.k1(x, y))


@cache
def k3_gradient_is_one_less_inverse_ratio() -> Theorem:
    """∂k3/∂log π = 1 − π_ref/π."""
    return _gradient("k3_gradient_is_one_less_inverse_ratio", formulas.k3(x, y), ONE - formulas.ratio(y, x))


@cache
def straight_through_has_gradient_of_k2() -> Theorem:
    """The "+" form of k3 has k2's gradient."""
    plus = formulas.straight_through(formulas.k3(x, y), formulas.k2(x, y))
    return _gradient("straight_through_has_gradient_of_k2", plus, formulas.k1(x, y))


def _expected_gradient(estimator: Estimator) -> sympy.Expr:
    return total(P * sympy.Derivative(_of_token(estimator, P), theta))


@cache
def k1_gradient_is_zero_on_average() -> Theorem:
    """E[∂k1] = 0: as a loss k1 pulls the policy nowhere."""
    start = _expected_gradient(formulas.k1)
    proof = chain(start, [differentiate(), use(P_KEEPS_ITS_SUM, "probabilities_keep_their_sum")], ZERO)
    return Theorem("k1_gradient_is_zero_on_average", Statement(start, ZERO), proof, boundary=(P_KEEPS_ITS_SUM,))


@cache
def k2_gradient_is_that_of_kl_on_average() -> Theorem:
    """∂KL = E[∂k2]."""
    start = sympy.Derivative(total(P * _of_token(formulas.k1, P)), theta)
    goal = _expected_gradient(formulas.k2)
    proof = chain(
        start,
        [
            differentiate("product_rule"),
            sum_by_terms(),
            use(P_KEEPS_ITS_SUM, "probabilities_keep_their_sum"),
            arrange(goal, "gradient_of_k2"),
        ],
        goal,
    )
    return Theorem("k2_gradient_is_that_of_kl_on_average", Statement(start, goal), proof, boundary=(P_KEEPS_ITS_SUM,))


@cache
def k3_gradient_is_that_of_reverse_kl_on_average() -> Theorem:
    """E[∂k3] is the gradient of KL(π_ref ‖ π), not of KL(π ‖ π_ref)."""
    start = _expected_gradient(formulas.k3)
    goal = sympy.Derivative(total(q(a) * formulas.k1(sympy.log(q(a)), sympy.log(P))), theta)
    proof = chain(
        start,
        [
            differentiate(),
            sum_by_terms(),
            use(P_KEEPS_ITS_SUM, "probabilities_keep_their_sum"),
            arrange(goal, "gradient_of_reverse_kl"),
        ],
        goal,
    )
    return Theorem(
        "k3_gradient_is_that_of_reverse_kl_on_average", Statement(start, goal), proof, boundary=(P_KEEPS_ITS_SUM,)
    )


# ---------------------------------------------------------------- what does not hold


@cache
def k1_is_never_negative() -> Counterexample:
    claim = Claim(
        "k1_is_never_negative",
        left=lambda logp, ref_logp: formulas.k1(logp[0], ref_logp[0]),
        right=lambda logp, ref_logp: 0 * formulas.k1(logp[0], ref_logp[0]),
        relation=">=",
    )
    return refute(claim, logp=(-0.7,), ref_logp=(-0.5,))


def _mean(estimator: Estimator) -> Callable[..., Number]:
    return lambda p, q: expected_number(p, lambda a: estimator(log(p[a]), log(q[a])))


@cache
def expected_k2_is_kl() -> Counterexample:
    claim = Claim("expected_k2_is_kl", left=_mean(formulas.k2), right=_mean(formulas.k1))
    return refute(claim, p=(0.5, 0.5), q=(0.2, 0.8))


@cache
def expected_clamped_k3_is_kl() -> Counterexample:
    """The claim that the clamp leaves k3 unbiased: a token the policy all but excludes is cut off."""
    claim = Claim("expected_clamped_k3_is_kl", left=_mean(formulas.k3_clamped), right=_mean(formulas.k1))
    return refute(claim, p=(0.01, 0.99), q=(0.9, 0.1))


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        k2_is_never_negative,
        k3_is_never_negative,
        kl_is_never_negative,
        expected_k1_is_kl,
        expected_k3_is_kl,
        k1_gradient_is_one,
        k2_gradient_is_log_ratio,
        k3_gradient_is_one_less_inverse_ratio,
        straight_through_has_gradient_of_k2,
        k1_gradient_is_zero_on_average,
        k2_gradient_is_that_of_kl_on_average,
        k3_gradient_is_that_of_reverse_kl_on_average,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (k1_is_never_negative, expected_k2_is_kl, expected_clamped_k3_is_kl)
}
