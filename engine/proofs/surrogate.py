"""The surrogate at the first step: the ratio is 1, and its gradient is the policy gradient."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas
from engine.proofs.language import Equation
from engine.proofs.moves import differentiate, use
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain

theta, adv, old_logp = sympy.symbols("theta advantage old_logp", real=True)
logp = sympy.Function("new_logp", real=True)(theta)  # log π of the token, as the policy's parameter moves
FIRST_STEP: Equation = (logp, old_logp)  # the policy has not moved since the rollout
POLICY_GRADIENT = adv * sympy.Derivative(logp, theta)
SURROGATE = formulas.surrogate_term(formulas.ratio(logp, old_logp), adv)


@cache
def ratio_is_one_at_first_step() -> Theorem:
    start = formulas.ratio(logp, old_logp)
    proof = chain(start, [use(FIRST_STEP, "policy_has_not_moved")], sympy.Integer(1))
    return Theorem("ratio_is_one_at_first_step", Statement(start, sympy.Integer(1)), proof, boundary=(FIRST_STEP,))


@cache
def surrogate_gradient_is_policy_gradient_times_ratio() -> Theorem:
    """∂(ρ A) = ρ · A ∂log π, at every step."""
    start = sympy.Derivative(SURROGATE, theta)
    goal = formulas.ratio(logp, old_logp) * POLICY_GRADIENT
    return Theorem(
        "surrogate_gradient_is_policy_gradient_times_ratio",
        Statement(start, goal),
        chain(start, [differentiate("chain_rule")], goal),
    )


@cache
def surrogate_gradient_is_policy_gradient_at_first_step() -> Theorem:
    """∂(ρ A) = A ∂log π where the policy has not moved."""
    start = sympy.Derivative(SURROGATE, theta)
    proof = chain(start, [differentiate("chain_rule"), use(FIRST_STEP, "policy_has_not_moved")], POLICY_GRADIENT)
    return Theorem(
        "surrogate_gradient_is_policy_gradient_at_first_step",
        Statement(start, POLICY_GRADIENT),
        proof,
        boundary=(FIRST_STEP,),
    )


@cache
def ratio_is_always_one() -> Counterexample:
    """The claim that the ratio stays 1 because old and new are the same model: after one step they are not."""
    claim = Claim(
        "ratio_is_always_one",
        left=lambda new_logp, old_logp: formulas.ratio(new_logp[0], old_logp[0]),
        right=lambda new_logp, old_logp: formulas.ratio(old_logp[0], old_logp[0]),  # noqa: ARG005
    )
    return refute(claim, new_logp=(-0.5,), old_logp=(-0.7,))


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        ratio_is_one_at_first_step,
        surrogate_gradient_is_policy_gradient_times_ratio,
        surrogate_gradient_is_policy_gradient_at_first_step,
    )
}
COUNTEREXAMPLES = {"ratio_is_always_one": ratio_is_always_one}
