"""What people ask of credit beside the weights: what it is, who decides it, what an update uses, what it takes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from engine import formulas
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, rational, revalued, rewarded, trial
from lessons._turns import always

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
TRUTH = rational(("1/2", 0))  # of two tokens: the first makes success certain, the second changes nothing
FORESEEN = (HALF, 1)  # what an exact critic says along them


def _missed(found: Sequence[Any]) -> Any:
    return sum((abs(a - t) for a, t in zip(found, TRUTH, strict=True)), NONE)


def _reward_model_decides(_: Scenario) -> Judged:
    one, other = (trial(REWARDS, values, HALF).advantages for values in (VALUES, ("1/4", "3/8", "3/4", "1/2")))
    return judged(one == other, r=rational(REWARDS), one=one, other=other)


def _monte_carlo_assigns_none(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES)
    return judged(len(set(own.mc_advantages)) == 1, g=own.mc_returns, a=own.mc_advantages)


def _only_lambda_fades(_: Scenario) -> Judged:
    low = trial(REWARDS, VALUES, 1, HALF)
    moved = apart(rewarded(low, -1).advantages, low.advantages)
    return judged(len(set(moved)) == 1, gamma=HALF, moved=moved)


def _finding_the_deserving(_: Scenario) -> Judged:
    """An exact critic at λ = 0: each token is given what it truly changed, and the reward stays what it is."""
    found = trial((0, 1), FORESEEN, 0)
    return judged(found.advantages == TRUTH, a=found.advantages, reward=found.rewards[-1])


def _mixed(_: Scenario) -> Judged:
    found = trial(REWARDS, VALUES, 0).advantages
    return judged(min(found) < 0 < max(found), v=rational(VALUES), a=found)


def _zero_sum(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    before, after = sum(own.advantages), sum(rewarded(own, -1).advantages)
    moved = apart(rewarded(own, -1).advantages, own.advantages)
    return judged(before == after == 0, moved=moved, before=before, after=after)


def _steps_are_better(_: Scenario) -> Judged:
    """No critic, λ = 1: a score at the end, steps rewarded as they deserve, and steps rewarded the wrong way round."""
    end, right, wrong = (trial(rewards, (0, 0)).advantages for rewards in ((0, 1), (1, 0), (-1, 2)))
    cases = [_missed(steps) < _missed(end) for steps in (right, wrong)]
    return judged(cases, truth=TRUTH, end=end, right=right, wrong=wrong)


def _sparse_is_hard(_: Scenario) -> Judged:
    """The same success paid at the end or where it is earned: without a critic, and with an exact one for each."""
    alone = [trial(rewards, (0, 0)).advantages for rewards in ((0, 1), (1, 0))]
    seen = [trial(rewards, values, 0).advantages for rewards, values in (((0, 1), FORESEEN), ((1, 0), (HALF, 0)))]
    cases = [_missed(sparse) > _missed(dense) for sparse, dense in (alone, seen)]
    return judged(cases, truth=TRUTH, end=alone[0], steps=alone[1], end_seen=seen[0], steps_seen=seen[1])


def _kl_is_shared(_: Scenario) -> Judged:
    costs = gae()["rewards"][:-1]
    return judged(len(set(costs)) == 1, costs=costs)


def _blames_alike(_: Scenario) -> Judged:
    found = trial(outcome(4, -1), VALUES, HALF).advantages
    return judged(len(set(found)) == 1, a=found)


def _slopes(advantages: Sequence[Any]) -> list[Any]:
    """What the surrogate's sum gains by each ratio, at one."""
    step = Fraction(1, 100)
    terms = [[formulas.surrogate_term(ratio, a) for ratio in (ONE, ONE + step)] for a in advantages]
    return [(after - before) / step for before, after in terms]


def _own_advantage(_: Scenario) -> Judged:
    found = trial(REWARDS, VALUES, HALF).advantages
    return judged(_slopes(found) == found and len(set(found)) > 1, a=found, slopes=_slopes(found))


def _small_lambda_critic(_: Scenario) -> Judged:
    by_value, by_reward = [], []
    for lam in (NONE, HALF, ONE):
        own = trial(REWARDS, VALUES, lam)
        by_value.append(revalued(own, 1).advantages[0] - own.advantages[0])
        by_reward.append(rewarded(own, -1).advantages[0] - own.advantages[0])
    falls, rises = by_value == sorted(set(by_value), reverse=True), by_reward == sorted(set(by_reward))
    return judged(falls and rises, lams=[NONE, HALF, ONE], value=by_value, reward=by_reward)


def _needs_token_rewards(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    return judged(len(set(own.advantages)) == 1, r=own.rewards, a=own.advantages)


def _zero_leaves_early(_: Scenario) -> Judged:
    found = trial(REWARDS, VALUES, 0).advantages
    return judged(not any(found[:-1]), v=rational(VALUES), a=found)


def _token_level_needed(_: Scenario) -> Judged:
    """Two fair choices, the first alone decides: one number for the response, once and on average by the second."""
    ways = list(product((1, 0), repeat=2))  # (the first is right, the second is of one kind)
    numbers = [(second, first - HALF) for first, second in ways]
    once = numbers[0][1]
    kind = [number for second, number in numbers if second == 1]
    mean = formulas.mean(sum(kind), len(kind))
    return judged([once != TRUTH[1], mean != TRUTH[1]], once=once, mean=mean, truth=TRUTH[1])


ASKED: dict[str, Check] = {
    "credit_comes_from_the_reward_model": _reward_model_decides,
    "monte_carlo_assigns_no_credit": _monte_carlo_assigns_none,
    "only_lambda_makes_credit_fade": _only_lambda_fades,
    "credit_assignment_is_finding_the_deserving_tokens": _finding_the_deserving,
    "one_response_mixes_praise_and_blame": _mixed,
    "credit_is_a_zero_sum_game": _zero_sum,
    "step_rewards_assign_credit_better": _steps_are_better,
    "sparse_rewards_make_credit_hard": _sparse_is_hard,
    "sparse_rewards_always_make_credit_hard": always(_sparse_is_hard),
    "step_rewards_always_assign_credit_better": always(_steps_are_better),
    "kl_penalty_is_shared_equally_among_tokens": _kl_is_shared,
    "a_bad_outcome_blames_all_tokens_alike": _blames_alike,
    "a_tokens_update_uses_its_own_advantage": _own_advantage,
    "small_lambda_leaves_credit_to_the_critic": _small_lambda_critic,
    "token_level_credit_needs_token_level_rewards": _needs_token_rewards,
    "lambda_zero_leaves_early_tokens_without_credit": _zero_leaves_early,
    "token_level_credit_is_needed": _token_level_needed,
}
