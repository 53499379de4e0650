"""Whose reward it is: where the next state is left to chance, V needs only the mean reward of a state and a token."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas
from engine.proofs.language import Equation, N, gamma, quantity
from engine.proofs.moves import sum_by_terms, use, write_out
from engine.proofs.programs import expected as expected_number
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain

o = sympy.Symbol("o", integer=True)  # what the environment does: which next state comes
chance = quantity("outcome_chances")  # of it, given the state and the token
reward_of_outcome = quantity("outcome_rewards")  # r(s, a, s')
value_of_outcome = quantity("outcome_values")  # V(s')
mean_reward = sympy.Symbol("mean_reward", real=True)  # r(s, a)


def _over_outcomes(term: sympy.Expr, last: sympy.Expr = N - 1) -> sympy.Expr:
    return sympy.Sum(chance(o) * term, (o, 0, last))


REWARD_OF_STATE_AND_TOKEN: Equation = (_over_outcomes(reward_of_outcome(o)), mean_reward)
ONE_OUTCOME_IS_CERTAIN: Equation = (chance(sympy.Integer(0)), sympy.Integer(1))


@cache
def only_the_mean_reward_enters_the_value() -> Theorem:
    """E[r(s, a, s') + γ V(s')] = r(s, a) + γ E[V(s')], with r(s, a) the mean of r(s, a, s')."""
    start = _over_outcomes(formulas.mc_step(reward_of_outcome(o), value_of_outcome(o), gamma))
    goal = formulas.mc_step(mean_reward, _over_outcomes(value_of_outcome(o)), gamma)
    proof = chain(
        start,
        [
            sum_by_terms("expectation_is_linear"),
            use(REWARD_OF_STATE_AND_TOKEN, "reward_of_state_and_token_is_mean"),
        ],
        goal,
    )
    return Theorem(
        "only_the_mean_reward_enters_the_value",
        Statement(start, goal),
        proof,
        boundary=(REWARD_OF_STATE_AND_TOKEN,),
    )


@cache
def certain_outcome_has_its_own_reward_as_mean() -> Theorem:
    """r(s, a) = r(s, a, s') when s' is certain: then the two are one."""
    start, goal = _over_outcomes(reward_of_outcome(o), sympy.Integer(0)), reward_of_outcome(sympy.Integer(0))
    proof = chain(start, [write_out("only_one_outcome"), use(ONE_OUTCOME_IS_CERTAIN, "one_outcome_is_certain")], goal)
    return Theorem(
        "certain_outcome_has_its_own_reward_as_mean",
        Statement(start, goal),
        proof,
        boundary=(ONE_OUTCOME_IS_CERTAIN,),
    )


@cache
def mean_reward_gives_every_sampled_delta() -> Counterexample:
    """The claim that δ is the same with r(s, a) as with r(s, a, s'), outcome by outcome and not only in the mean."""
    claim = Claim(
        "mean_reward_gives_every_sampled_delta",
        left=lambda rewards, p: formulas.td_error(rewards[0], expected_number(p, lambda i: rewards[i]), 0, 1),
        right=lambda rewards, p: formulas.td_error(
            expected_number(p, lambda i: rewards[i]), expected_number(p, lambda i: rewards[i]), 0, 1
        ),
    )
    return refute(claim, rewards=(1, 0), p=(0.75, 0.25))


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (only_the_mean_reward_enters_the_value, certain_outcome_has_its_own_reward_as_mean)
}
COUNTEREXAMPLES = {"mean_reward_gives_every_sampled_delta": mean_reward_gives_every_sampled_delta}
