"""How V moves along a response whose continuation is certain: V_{t+1} − V_t = (1 − γ) V_{t+1} − r_t."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas, sequences
from engine.proofs.advantage_sums import GAMMA_IS_ONE
from engine.proofs.bellman import EXACT_VALUE, reward_of, v_t, value_after
from engine.proofs.inductions import upwards
from engine.proofs.language import NO_VALUE_LEFT, Condition, Definition, Relation, T, V, a, gamma, m, r, t
from engine.proofs.moves import arrange, bound, hypothesis, sum_by_terms, unfold_at, use
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain
from engine.proofs.vocabulary import expected

VALUE_STEP = Definition(V, lambda i: formulas.mc_step(r(i), V(i + 1), gamma), formulas.mc_step)
OUTCOME = sympy.Symbol("outcome", real=True)
OUTCOME_ONLY = Definition(
    r,
    lambda i: formulas.token_reward(OUTCOME * sympy.KroneckerDelta(i, T - 1), sympy.Integer(0), sympy.Integer(0)),
    formulas.token_reward,
)


@cache
def value_changes_by_discount_and_reward() -> Theorem:
    """V_{t+1} − V_t = (1 − γ) V_{t+1} − r_t."""
    start, goal = V(t + 1) - V(t), formulas.value_change(r(t), V(t + 1), gamma)
    proof = chain(start, [unfold_at(VALUE_STEP, t), arrange(goal)], goal)
    return Theorem("value_changes_by_discount_and_reward", Statement(start, goal, over=t), proof, (VALUE_STEP,))


@cache
def value_changes_by_reward_at_gamma_one() -> Theorem:
    """V_{t+1} − V_t = −r_t at γ = 1."""
    start, goal = V(t + 1) - V(t), -r(t)
    proof = chain(start, [unfold_at(VALUE_STEP, t), use(GAMMA_IS_ONE, "gamma_is_one")], goal)
    return Theorem(
        "value_changes_by_reward_at_gamma_one", Statement(start, goal, over=t), proof, (VALUE_STEP,), (GAMMA_IS_ONE,)
    )


@cache
def value_falls_under_positive_reward() -> Theorem:
    """V_t > V_{t+1} at γ = 1, when r_t > 0."""
    earned = Condition(r(t))
    proof = chain(
        V(t),
        [
            unfold_at(VALUE_STEP, t),
            use(GAMMA_IS_ONE, "gamma_is_one"),
            bound(">", V(t + 1), "reward_is_positive", earned),
        ],
        V(t + 1),
    )
    return Theorem(
        "value_falls_under_positive_reward",
        Statement(V(t), V(t + 1), over=t, relation=">"),
        proof,
        (VALUE_STEP,),
        (GAMMA_IS_ONE,),
        (earned,),
    )


@cache
def value_rises_under_negative_reward() -> Theorem:
    """V_t < V_{t+1} at γ = 1, when r_t < 0."""
    lost = Condition(-r(t))
    proof = chain(
        V(t),
        [
            unfold_at(VALUE_STEP, t),
            use(GAMMA_IS_ONE, "gamma_is_one"),
            bound("<", V(t + 1), "reward_is_negative", lost),
        ],
        V(t + 1),
    )
    return Theorem(
        "value_rises_under_negative_reward",
        Statement(V(t), V(t + 1), over=t, relation="<"),
        proof,
        (VALUE_STEP,),
        (GAMMA_IS_ONE,),
        (lost,),
    )


@cache
def expected_value_changes_by_expected_reward() -> Theorem:
    """E[V_{t+1}] − V_t = (1 − γ) E[V_{t+1}] − E[r_t], for any policy."""
    following = expected(value_after(a))
    start, goal = following - v_t, (1 - gamma) * following - expected(reward_of(a))
    proof = chain(
        start,
        [use(EXACT_VALUE, "value_is_expected_return"), sum_by_terms("expectation_is_linear"), arrange(goal)],
        goal,
    )
    return Theorem("expected_value_changes_by_expected_reward", Statement(start, goal), proof, boundary=(EXACT_VALUE,))


@cache
def outcome_reward_reaches_back_discounted() -> Theorem:
    """V_{T−1−m} = γ^m · outcome, when only the last token is rewarded."""
    statement = Statement(V(T - 1 - m), gamma**m * OUTCOME, over=m)
    proof = upwards(
        statement,
        first=0,
        base=[
            unfold_at(VALUE_STEP, T - 1),
            use(NO_VALUE_LEFT, "no_value_after_the_end"),
            unfold_at(OUTCOME_ONLY, T - 1),
        ],
        step=[
            unfold_at(VALUE_STEP, T - m - 2),
            unfold_at(OUTCOME_ONLY, T - m - 2),
            hypothesis(statement, m),
        ],
    )
    return Theorem(
        "outcome_reward_reaches_back_discounted", statement, proof, (VALUE_STEP, OUTCOME_ONLY), (NO_VALUE_LEFT,)
    )


def _claim(name: str, relation: Relation) -> Claim:
    """How V of token 1 stands to V of token 0, when nothing is left to chance."""
    return Claim(
        name,
        left=lambda rewards, gamma: sequences.mc_returns(rewards, gamma)[1],
        right=lambda rewards, gamma: sequences.mc_returns(rewards, gamma)[0],
        relation=relation,
    )


@cache
def value_falls_under_positive_reward_at_any_gamma() -> Counterexample:
    return refute(_claim("value_falls_under_positive_reward_at_any_gamma", "<"), rewards=(0.1, 1), gamma=0.5)


@cache
def value_rises_under_negative_reward_at_any_gamma() -> Counterexample:
    return refute(_claim("value_rises_under_negative_reward_at_any_gamma", ">"), rewards=(-0.1, -1), gamma=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        value_changes_by_discount_and_reward,
        value_changes_by_reward_at_gamma_one,
        value_falls_under_positive_reward,
        value_rises_under_negative_reward,
        expected_value_changes_by_expected_reward,
        outcome_reward_reaches_back_discounted,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (
        value_falls_under_positive_reward_at_any_gamma,
        value_rises_under_negative_reward_at_any_gamma,
    )
}
