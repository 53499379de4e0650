"""What people still say of credit: who hears the score most, what telling tokens apart takes, and whether it pays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine.scenario import Scenario
from lessons._errors import squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, apart, judged, outcome, rational, revalued, rewarded, trial
from lessons._turns import always

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)


def _missed(found: Sequence[Any], truth: Sequence[Fraction]) -> Any:
    return sum((abs(a - t) for a, t in zip(found, truth, strict=True)), NONE)


def _token_level(_: Scenario) -> Judged:
    """The first token makes success certain, the second changes nothing; one number for both is return less average."""
    truth, rewards = rational(("1/2", 0)), (0, 1)
    good, bad = trial(rewards, (HALF, 1), 0).advantages, trial(rewards, (HALF, -2), 0).advantages
    same = [HALF, HALF]
    limit = _missed(same, truth)
    cases = [_missed(found, truth) < limit for found in (good, bad)]
    return judged(cases, truth=truth, same=same, good=good, bad=bad)


def _needs_critic(_: Scenario) -> Judged:
    end, steps = (trial(rewards, (0, 0, 0)) for rewards in ((0, 0, 1), (1, -1, 1)))
    cases = [len(set(one.advantages)) == 1 for one in (end, steps)]
    return judged(cases, end=end.advantages, r=steps.rewards, steps=steps.advantages)


def _first_most(_: Scenario) -> Judged:
    moved = apart(rewarded(OWN, -1).advantages, OWN.advantages)
    return judged(moved[0] == max(moved), moved=moved)


def _falling(_: Scenario) -> Judged:
    zero, half = (trial(REWARDS, VALUES, lam).advantages[1] for lam in (NONE, HALF))
    return judged([a < 0 for a in (zero, half)], v=OWN.values[1:3], zero=zero, half=half)


def _one_is_better(_: Scenario) -> Judged:
    good, bad = squared_errors(0.0), squared_errors(2.0)
    found = {"good_zero": good[0], "good_one": good[1], "bad_zero": bad[0], "bad_one": bad[1]}
    return judged([one < zero for zero, one in (good, bad)], **found)


def _did_not_matter(_: Scenario) -> Judged:
    """A token that was expected to earn its point, and does."""
    with_it, without = trial((1, 0), (1, 0)), trial((0, 0), (1, 0))
    lost = with_it.mc_returns[0] - without.mc_returns[0]
    return judged(not (with_it.advantages[0] == 0 and lost > 0), a=with_it.advantages[0], lost=lost)


def _expected(_: Scenario) -> Judged:
    moved = apart(revalued(OWN, 2, HALF).advantages, OWN.advantages)[2]
    return judged(moved < 0, more=HALF, moved=moved)


def _placed(_: Scenario) -> Judged:
    late, early = (trial(r, VALUES).advantages for r in (outcome(4), (0, 1, 0, 0)))
    return judged(late == early, late=late, early=early)


STATED: dict[str, Check] = {
    "credit_by_token_is_better_than_one_for_the_response": _token_level,
    "tokens_cannot_be_told_apart_without_a_critic": _needs_critic,
    "first_token_hears_the_final_reward_most": _first_most,
    "a_falling_value_means_a_negative_advantage": _falling,
    "a_falling_value_always_means_a_negative_advantage": always(_falling),
    "tokens_can_never_be_told_apart_without_a_critic": always(_needs_critic),
    "lambda_one_gives_better_credit": _one_is_better,
    "zero_advantage_means_the_token_did_not_matter": _did_not_matter,
    "an_expected_success_earns_less_credit": _expected,
    "it_does_not_matter_which_token_carries_the_reward": _placed,
}
