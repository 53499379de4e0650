"""V includes r_t: with the exact V the expected δ is 0, with a V that leaves r_t out it is not."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas, sequences
from engine.proofs.language import Definition, Equation, a, gamma, quantity
from engine.proofs.moves import sum_by_terms, unfold, use
from engine.proofs.programs import expected as expected_number
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain
from engine.proofs.vocabulary import P_SUMS_TO_ONE, expected

v_t, w_t = sympy.symbols("value value_without_reward", real=True)
reward_of = quantity("reward_of_token")  # r_t, when token a is chosen
value_after = quantity("value_after_token")  # V_{t+1}, in the state that token a leads to
next_reward_after = quantity("expected_next_reward")  # the mean of r_{t+1} there
without_after = quantity("value_without_reward_after_token")  # what a V that leaves the reward out says there

EXACT_VALUE: Equation = (v_t, expected(formulas.mc_step(reward_of(a), value_after(a), gamma)))
VALUE_WITHOUT_REWARD: Equation = (w_t, gamma * expected(value_after(a)))
VALUE_IS_REWARD_AND_REST = Definition(
    value_after, lambda a: formulas.critic_target(next_reward_after(a), without_after(a)), formulas.critic_target
)


@cache
def exact_value_has_unbiased_delta() -> Theorem:
    """E[δ_t] = 0 when V is the expected return."""
    start = expected(formulas.td_error(reward_of(a), v_t, value_after(a), gamma))
    proof = chain(
        start,
        [
            sum_by_terms("expectation_is_linear"),
            use(P_SUMS_TO_ONE, "probabilities_sum_to_one"),
            use(EXACT_VALUE, "value_is_expected_return"),
            sum_by_terms("expectation_is_linear"),
        ],
        sympy.Integer(0),
    )
    return Theorem(
        "exact_value_has_unbiased_delta",
        Statement(start, sympy.Integer(0)),
        proof,
        boundary=(P_SUMS_TO_ONE, EXACT_VALUE),
    )


@cache
def value_includes_expected_reward() -> Theorem:
    """V_t − γ E[V_{t+1}] = E[r_t]."""
    start, goal = v_t - gamma * expected(value_after(a)), expected(reward_of(a))
    proof = chain(start, [use(EXACT_VALUE, "value_is_expected_return"), sum_by_terms("expectation_is_linear")], goal)
    return Theorem("value_includes_expected_reward", Statement(start, goal), proof, boundary=(EXACT_VALUE,))


@cache
def value_without_reward_has_biased_delta() -> Theorem:
    """E[δ_t] = E[r_t] − γ E[r_{t+1}], when the critic's V leaves out the reward of the token at hand."""
    start = expected(formulas.td_error(reward_of(a), w_t, without_after(a), gamma))
    goal = expected(reward_of(a)) - gamma * expected(next_reward_after(a))
    proof = chain(
        start,
        [
            sum_by_terms("expectation_is_linear"),
            use(P_SUMS_TO_ONE, "probabilities_sum_to_one"),
            use(VALUE_WITHOUT_REWARD, "value_leaves_reward_out"),
            unfold(VALUE_IS_REWARD_AND_REST),
            sum_by_terms("expectation_is_linear"),
        ],
        goal,
    )
    return Theorem(
        "value_without_reward_has_biased_delta",
        Statement(start, goal),
        proof,
        (VALUE_IS_REWARD_AND_REST,),
        (P_SUMS_TO_ONE, VALUE_WITHOUT_REWARD),
    )


@cache
def value_without_reward_has_unbiased_delta() -> Counterexample:
    """The claim that δ is 0 where nothing is left to chance, with V_t = G_t − r_t as well."""
    claim = Claim(
        "value_without_reward_has_unbiased_delta",
        left=lambda rewards, gamma: sequences.deltas(
            rewards,
            [formulas.advantage(g, r) for g, r in zip(sequences.mc_returns(rewards, gamma), rewards, strict=True)],
            gamma,
        )[0],
        right=lambda rewards, gamma: rewards[0] - rewards[0],  # noqa: ARG005
    )
    return refute(claim, rewards=(0.5, 0, 1), gamma=1)


@cache
def sampled_delta_is_zero_with_exact_value() -> Counterexample:
    """The claim that with the exact V every sampled δ is 0, and not only its mean."""
    claim = Claim(
        "sampled_delta_is_zero_with_exact_value",
        left=lambda rewards, p: formulas.td_error(rewards[0], expected_number(p, lambda a: rewards[a]), 0, 1),
        right=lambda rewards, p: expected_number(  # the mean is 0
            p, lambda a: formulas.td_error(rewards[a], expected_number(p, lambda b: rewards[b]), 0, 1)
        ),
    )
    return refute(claim, rewards=(1, 0), p=(0.5, 0.5))


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        exact_value_has_unbiased_delta,
        value_includes_expected_reward,
        value_without_reward_has_biased_delta,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (value_without_reward_has_unbiased_delta, sampled_delta_is_zero_with_exact_value)
}
