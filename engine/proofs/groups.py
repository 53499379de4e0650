"""Group baselines: RLOO against the group mean, and GRPO's one advantage for all tokens of a response."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas, sequences
from engine.proofs.advantage_sums import GAMMA_IS_ONE
from engine.proofs.inductions import upwards
from engine.proofs.language import MC_STEP, NO_REWARD_LEFT, Equation, G, N, T, k, m, quantity
from engine.proofs.moves import arrange, by, hypothesis, unfold_at, use
from engine.proofs.programs import mean
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain
from engine.proofs.value_shape import OUTCOME, OUTCOME_ONLY
from engine.proofs.whitening import MORE_THAN_ONE

score, baseline = quantity("group_rewards"), quantity("baselines")
i = sympy.Symbol("i", integer=True, nonnegative=True)  # a response of the group
group_mean = sympy.Symbol("group_mean", real=True)
std = sympy.Symbol("group_std", positive=True)
epsilon = sympy.Symbol("epsilon", nonnegative=True)
TOTAL: Equation = (sympy.Sum(score(k), (k, 0, N - 1)), N * group_mean)
MEAN_OF_THE_OTHERS: Equation = (baseline(i), formulas.leave_one_out(TOTAL[0], score(i), N))


@cache
def rloo_is_rescaled_mean_baseline() -> Theorem:
    """own − mean of the others = N/(N−1) · (own − mean of all)."""
    start = formulas.advantage(score(i), baseline(i))
    goal = N / (N - 1) * formulas.advantage(score(i), group_mean)
    steps = [
        use(MEAN_OF_THE_OTHERS, "baseline_is_mean_of_the_others"),
        use(TOTAL, "total_is_count_times_mean"),
        arrange(goal, "common_denominator"),
    ]
    return Theorem(
        "rloo_is_rescaled_mean_baseline",
        Statement(start, goal),
        chain(start, steps, goal),
        boundary=(MEAN_OF_THE_OTHERS, TOTAL),
        conditions=(MORE_THAN_ONE,),
    )


@cache
def outcome_return_is_the_same_at_every_token() -> Theorem:
    """G_{T−1−m} = outcome at γ = 1, when only the last token is rewarded."""
    statement = Statement(G(T - 1 - m), OUTCOME, over=m)
    proof = upwards(
        statement,
        first=0,
        base=[
            unfold_at(MC_STEP, T - 1),
            use(NO_REWARD_LEFT, "no_reward_after_the_end"),
            unfold_at(OUTCOME_ONLY, T - 1),
        ],
        step=[
            unfold_at(MC_STEP, T - m - 2),
            unfold_at(OUTCOME_ONLY, T - m - 2),
            use(GAMMA_IS_ONE, "gamma_is_one"),
            hypothesis(statement, m),
        ],
    )
    return Theorem(
        "outcome_return_is_the_same_at_every_token",
        statement,
        proof,
        (MC_STEP, OUTCOME_ONLY),
        (NO_REWARD_LEFT, GAMMA_IS_ONE),
    )


@cache
def grpo_gives_all_tokens_one_advantage() -> Theorem:
    """(G_t − group mean) / (group std + ε) is the response's own standardised score, at every token."""
    start = formulas.standardise(G(T - 1 - m), group_mean, std, epsilon)
    goal = formulas.standardise(OUTCOME, group_mean, std, epsilon)
    proof = chain(start, [by(outcome_return_is_the_same_at_every_token(), "return_is_outcome")], goal)
    return Theorem(
        "grpo_gives_all_tokens_one_advantage",
        Statement(start, goal, over=m),
        proof,
        (MC_STEP, OUTCOME_ONLY),
        (NO_REWARD_LEFT, GAMMA_IS_ONE),
    )


@cache
def rloo_is_mean_baseline() -> Counterexample:
    """The claim that leaving oneself out of the baseline makes no difference."""
    claim = Claim(
        "rloo_is_mean_baseline",
        left=lambda group_rewards: formulas.advantage(
            group_rewards[0], formulas.leave_one_out(sum(group_rewards), group_rewards[0], len(group_rewards))
        ),
        right=lambda group_rewards: formulas.advantage(group_rewards[0], mean(group_rewards)),
    )
    return refute(claim, group_rewards=(1, 0, 0))


@cache
def outcome_gives_all_tokens_one_return_at_any_gamma() -> Counterexample:
    claim = Claim(
        "outcome_gives_all_tokens_one_return_at_any_gamma",
        left=lambda rewards, gamma: sequences.mc_returns(rewards, gamma)[0],
        right=lambda rewards, gamma: sequences.mc_returns(rewards, gamma)[-1],
    )
    return refute(claim, rewards=(0, 0, 1), gamma=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        rloo_is_rescaled_mean_baseline,
        outcome_return_is_the_same_at_every_token,
        grpo_gives_all_tokens_one_advantage,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (rloo_is_mean_baseline, outcome_gives_all_tokens_one_return_at_any_gamma)
}
