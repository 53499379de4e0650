"""What turns on something that was not said: on γλ, on the critic, on where the reward is due, on the estimator."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import formulas
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, outcome, rational, rewarded, trial
from lessons._turns import always, sometimes

VALUES = ("1/4", "1/2", "3/8", "3/4")
RISING, LEVEL = ("1/4", "1/2", "3/4"), ("1/2", "1/2", "1/2")
DECISIVE, SHARED = rational((1, 0)), rational(("1/2", "1/2"))  # what each of two tokens is worth


def _weights(lam: Fraction) -> list[Any]:
    own = trial(outcome(4), VALUES, lam)
    return apart(rewarded(own, -1).advantages, own.advantages)


def _same_weight(_: Scenario) -> Judged:
    one, half = _weights(ONE), _weights(HALF)
    return judged([len(set(found)) == 1 for found in (one, half)], lam=HALF, one=one, half=half)


def _always_same_weight(_: Scenario) -> Judged:
    one, half = _weights(ONE), _weights(HALF)
    return judged(len(set(one)) == len(set(half)) == 1, lam=HALF, one=one, half=half)


def _less_for_the_earlier(_: Scenario) -> Judged:
    half = _weights(HALF)
    return judged(half == sorted(set(half)), lam=HALF, half=half)


def _last_alone_at_zero(_: Scenario) -> Judged:
    zero = _weights(NONE)
    return judged(zero == outcome(len(zero)), zero=zero)


def _deserving(_: Scenario) -> Judged:
    """The first token makes success certain: one critic sees it, the other is surprised only at the end."""
    seeing, blind = (trial((0, 1), (HALF, v), 0).advantages for v in (1, -2))
    return judged([found[0] == max(found) for found in (seeing, blind)], seeing=seeing, blind=blind)


def _even_is_good(_: Scenario) -> Judged:
    share = formulas.mean(ONE, len(SHARED))
    cases = [truth == [share] * len(truth) for truth in (SHARED, DECISIVE)]
    return judged(cases, share=share, shared=SHARED, decisive=DECISIVE)


def _by_values(values: Sequence[str], lam: Fraction = HALF) -> list[Any]:
    return trial(outcome(len(values)), values, lam).advantages


def _last_is_largest(_: Scenario) -> Judged:
    level, rising = _by_values(LEVEL), _by_values(RISING, ONE)
    return judged([found[-1] == max(found) for found in (level, rising)], lam=HALF, level=level, rising=rising)


def _first_is_largest(_: Scenario) -> Judged:
    level, rising = _by_values(LEVEL), _by_values(RISING, ONE)
    return judged([found[0] == max(found) for found in (level, rising)], lam=HALF, level=level, rising=rising)


def _rising_is_praised(_: Scenario) -> Judged:
    zero, one = (trial(outcome(4, -1), VALUES, lam).advantages[0] for lam in (NONE, ONE))
    return judged([a > 0 for a in (zero, one)], v=rational(VALUES[:2]), zero=zero, one=one)


def _paid_is_praised(_: Scenario) -> Judged:
    low, high = (trial((1,), (v,)).advantages[0] for v in (HALF, 2))
    return judged([a > 0 for a in (low, high)], low=low, high=high, lows=HALF, highs=2)


def _moved_score(lam: Fraction) -> tuple[Any, Any]:
    late, early = (trial(rewards, VALUES, lam).advantages[0] for rewards in (outcome(4), (0, 1, 0, 0)))
    return late, early


def _moving_counts(_: Scenario) -> Judged:
    one, half = _moved_score(ONE), _moved_score(HALF)
    return judged([late != early for late, early in (one, half)], lam=HALF, one=list(one), half=list(half))


def _success(_: Scenario) -> Judged:
    open_, sure = (trial(outcome(2), (v, v)).advantages for v in (HALF, ONE))
    return judged([min(found) > 0 for found in (open_, sure)], open=open_, sure=sure, low=HALF, high=ONE)


def _failure(_: Scenario) -> Judged:
    hoped, feared = (trial(outcome(2, -1), (v, v)).advantages for v in (HALF, -2))
    return judged([max(found) < 0 for found in (hoped, feared)], hoped=hoped, feared=feared, low=-2, high=HALF)


def _one_for_all(_: Scenario) -> Judged:
    group, found = [exact("grpo")["centered"][0]] * 2, gae()["advantages"]
    return judged([len(set(group)) == 1, len(set(found)) == 1], group=group[0], a=found)


def _slip(values: Sequence[Fraction], end: int) -> Trial:
    return trial((0, end), values, ONE if values[0] == values[1] else NONE)


def _wrong_is_blamed(_: Scenario) -> Judged:
    """A slip at the first token: one critic sees it at once, the other doesn't, and the answer is scored right."""
    seen, unseen = _slip((HALF, NONE), 0).advantages[0], _slip((HALF, HALF), 1).advantages[0]
    return judged([a < 0 for a in (seen, unseen)], seen=seen, unseen=unseen)


def _seen_at_once(_: Scenario) -> Judged:
    found = trial((0, 1), (HALF, 1), 0).advantages
    return judged(found[0] == max(found), a=found)


def _rising_at_zero(_: Scenario) -> Judged:
    found = trial(outcome(4), VALUES, NONE).advantages[0]
    return judged(found > 0, v=rational(VALUES[:2]), a=found)


def _moved_at_one(_: Scenario) -> Judged:
    late, early = _moved_score(ONE)
    return judged(late == early, late=late, early=early)


def _moved_below_one(_: Scenario) -> Judged:
    late, early = _moved_score(HALF)
    return judged(early != late, lam=HALF, late=late, early=early)


def _paid_above_value(_: Scenario) -> Judged:
    """The last token's reward, over and under what was expected of it."""
    above, below = (trial((1,), (v,)).advantages[0] for v in (HALF, 2))
    return judged(above > 0 > below, lows=HALF, above=above, highs=2, below=below)


TURNS: dict[str, Check] = {
    "credit_always_goes_to_the_deserving_token": always(_deserving),
    "credit_can_go_to_the_deserving_token": sometimes(_deserving),
    "an_exact_critic_at_lambda_zero_credits_the_deciding_token": _seen_at_once,
    "an_even_split_is_always_fair": always(_even_is_good),
    "an_even_split_can_be_fair": sometimes(_even_is_good),
    "a_rising_value_always_means_a_positive_advantage": always(_rising_is_praised),
    "at_lambda_zero_a_rising_value_is_a_positive_advantage": _rising_at_zero,
    "a_positive_reward_always_means_a_positive_advantage": always(_paid_is_praised),
    "the_last_advantage_is_positive_where_the_reward_beats_the_value": _paid_above_value,
    "moving_the_score_leaves_the_first_advantage_at_gamma_lambda_one": _moved_at_one,
    "moving_the_score_changes_the_first_advantage_below_one": _moved_below_one,
    "a_wrong_token_is_always_blamed": always(_wrong_is_blamed),
    "a_wrong_token_can_be_blamed": sometimes(_wrong_is_blamed),
    "final_reward_weighs_the_same_in_every_advantage": _same_weight,
    "final_reward_always_weighs_the_same": _always_same_weight,
    "below_one_the_final_reward_weighs_less_in_earlier_advantages": _less_for_the_earlier,
    "at_lambda_zero_the_final_reward_moves_the_last_advantage_alone": _last_alone_at_zero,
    "credit_goes_to_the_deserving_token": _deserving,
    "spreading_the_score_evenly_is_a_good_way": _even_is_good,
    "the_last_advantage_is_the_largest": _last_is_largest,
    "the_first_advantage_is_the_largest": _first_is_largest,
    "a_rising_value_means_a_positive_advantage": _rising_is_praised,
    "a_positive_reward_means_a_positive_advantage": _paid_is_praised,
    "moving_the_score_changes_the_first_advantage": _moving_counts,
    "a_right_answer_is_praised": _success,
    "a_wrong_answer_is_blamed": _failure,
    "tokens_of_an_answer_share_one_advantage": _one_for_all,
    "a_wrong_token_is_blamed": _wrong_is_blamed,
}
