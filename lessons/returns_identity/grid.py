"""What is in a return and with what weight, which place it belongs to, and what it is compared with: more claims."""

from __future__ import annotations

from typing import Any

from engine import formulas, sequences
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import alone, gae
from lessons._errors import squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, revalued, rewarded, trial

REWARDS, VALUES = (0, "1/8", 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)


def _moved(after: Trial) -> Any:
    """By how much the first return moves."""
    return after.returns[0] - OWN.returns[0]


def _with_kl(_: Scenario) -> Judged:
    charged, free = gae()["returns"][0], gae(beta=0.0)["returns"][0]
    return judged(charged != free, charged=charged, free=free, beta=at_hand().beta)


def _one_per_token(_: Scenario) -> Judged:
    found = gae()["returns"]
    return judged(len(found) == at_hand().length, returns=len(found), tokens=at_hand().length)


def _state_after(_: Scenario) -> Judged:
    """Less the value of its own place a return is the advantage; less the next one it is nothing of the kind."""
    nexts = sequences.next_values(OWN.values)
    own, shifted = apart(OWN.returns, OWN.values), apart(OWN.returns, nexts)
    return judged(shifted == OWN.advantages and own != OWN.advantages, own=own, shifted=shifted, a=OWN.advantages)


def _centred(_: Scenario) -> Judged:
    return judged(sum(OWN.returns) == NONE, returns=OWN.returns, sum=sum(OWN.returns))


def _later_rewards(_: Scenario) -> Judged:
    moved = [_moved(rewarded(OWN, k)) for k in range(4)]
    return judged(all(moved), moved=moved)


def _own_reward(_: Scenario) -> Judged:
    own = [trial(REWARDS, VALUES, lam) for lam in (NONE, HALF, ONE)]
    moved = [rewarded(one, 0).returns[0] - one.returns[0] for one in own]
    return judged(set(moved) == {ONE}, lams=[NONE, HALF, ONE], moved=moved)


def _next_value(_: Scenario) -> Judged:
    lams = (NONE, HALF, ONE)
    own = [trial(REWARDS, VALUES, lam) for lam in lams]
    moved = [revalued(one, 1).returns[0] - one.returns[0] for one in own]
    return judged(moved == [1 - lam for lam in lams], lams=list(lams), moved=moved)


def _alike(_: Scenario) -> Judged:
    moved = [[apart(rewarded(OWN, k).advantages, OWN.advantages), apart(rewarded(OWN, k).returns, OWN.returns)]
             for k in range(4)]  # fmt: skip
    return judged(all(a == r for a, r in moved), a=moved[3][0], r=moved[3][1])


def _above_advantages(_: Scenario) -> Judged:
    low = trial(REWARDS, ("-1/4", "-1/2", "-3/8", "-3/4"), HALF)
    cases = [all(r > a for r, a in zip(one.returns, one.advantages, strict=True)) for one in (OWN, low)]
    return judged(cases, r=OWN.returns, a=OWN.advantages, low_r=low.returns, low_a=low.advantages)


def _above_values(_: Scenario) -> Judged:
    rows = [trial((0, 0, score), (HALF, HALF, HALF), HALF) for score in (1, 0)]
    cases = [all(r > v for r, v in zip(one.returns, one.values, strict=True)) for one in rows]
    return judged(cases, v=rows[0].values, good=rows[0].returns, bad=rows[1].returns)


def _one_lambda(_: Scenario) -> Judged:
    """Less the values they are the advantages of their own λ and of no other."""
    less = apart(OWN.returns, OWN.values)
    other = trial(REWARDS, VALUES, 1).advantages
    return judged(less == OWN.advantages and less != other, less=less, own=OWN.advantages, other=other)


def _without_advantages(_: Scenario) -> Judged:
    found = list(sequences.lambda_returns(OWN.rewards, OWN.values, ONE, HALF))
    return judged(found == OWN.returns, found=found, returns=OWN.returns)


def _clipping_bounds(_: Scenario) -> Judged:
    old, cliprange = [0.25, 0.25], 0.5
    given = {"rewards": [0, 2], "values": old, "gamma": 1, "lam": 1, "vpreds": [2.0, 2.0], "cliprange_value": cliprange}
    found = alone("value_loss", **given)
    bounded = all(abs(float(r) - v) <= cliprange for r, v in zip(found["returns"], old, strict=True))
    return judged(bounded, eps=cliprange, v=old, returns=found["returns"], clipped=found["vpred_clipped"])


def _one_is_best(_: Scenario) -> Judged:
    """The first return is the first advantage and a value that is no matter of chance: their errors are the same."""
    lams = (0.5, 1.0)
    good, bad = squared_errors(0.0, lams), squared_errors(2.0, lams)
    shown = {"good": [round(float(x), 3) for x in good], "bad": [round(float(x), 3) for x in bad]}
    return judged([one < half for half, one in (good, bad)], lams=list(lams), **shown)


def _critics_target(_: Scenario) -> Judged:
    """The value loss of two predictions: the returns themselves, and the old values."""
    old = [float(v) for v in OWN.values]
    targets = [float(r) for r in OWN.returns]
    given = {"returns": targets, "old_values": old, "cliprange_value": 10.0}
    hit, missed = (alone("value_loss", vpreds=vpreds, **given)["vf_loss"] for vpreds in (targets, old))
    return judged(hit == 0 < missed, returns=targets, hit=hit, missed=missed)


def _known_early(_: Scenario) -> Judged:
    after = rewarded(OWN, -1).returns[0]
    return judged(after == OWN.returns[0], before=OWN.returns[0], after=after)


def _same_prompt(_: Scenario) -> Judged:
    """Two responses from one start, one of them scored nought."""
    other = trial((*REWARDS[:-1], 0), (VALUES[0], "3/8", "1/4", "1/8"), HALF)
    firsts = [OWN.returns[0], other.returns[0]]
    return judged(firsts[0] == firsts[1], v=OWN.values[0], returns=firsts)


def _last_value(_: Scenario) -> Judged:
    lams = (NONE, HALF, ONE)
    own = [trial(REWARDS, VALUES, lam) for lam in lams]
    moved = [revalued(one, -1).returns[0] - one.returns[0] for one in own]
    return judged(moved[1] != 0 == moved[0] == moved[2], lams=list(lams), moved=moved)


def _averages(_: Scenario) -> Judged:
    """The first return beside the mean of all rewards and their sum."""
    mean = formulas.mean(sum(OWN.rewards), len(OWN.rewards))
    return judged(OWN.returns[0] == mean, mean=mean, returns=OWN.returns)


def _longer(_: Scenario) -> Judged:
    """Two more tokens that earn nothing, with values of their own: λ below one, then at one."""
    moved = []
    for lam in (HALF, ONE):
        plain = trial(REWARDS, VALUES, lam)
        longer = trial((*REWARDS, 0, 0), (*VALUES, "1/8", "1/2"), lam)
        moved.append(longer.returns[0] - plain.returns[0])
    return judged([x == 0 for x in moved], below=moved[0], one=moved[1])


GRID: dict[str, Check] = {
    "returns_contain_the_kl": _with_kl,
    "there_is_one_return_per_token": _one_per_token,
    "a_return_belongs_to_the_state_after_the_token": _state_after,
    "returns_average_to_zero": _centred,
    "later_rewards_reach_the_return_for_positive_lambda": _later_rewards,
    "the_own_reward_is_in_the_return_in_full": _own_reward,
    "the_next_value_weighs_one_less_lambda_in_the_return": _next_value,
    "a_reward_moves_advantage_and_return_alike": _alike,
    "returns_are_larger_than_advantages": _above_advantages,
    "returns_are_larger_than_values": _above_values,
    "returns_and_advantages_share_lambda": _one_lambda,
    "returns_can_be_had_without_advantages": _without_advantages,
    "value_clipping_bounds_the_returns": _clipping_bounds,
    "lambda_one_makes_the_best_targets": _one_is_best,
    "returns_are_the_critics_target": _critics_target,
    "returns_are_known_before_the_end": _known_early,
    "same_prompt_gives_the_same_first_return": _same_prompt,
    "the_last_value_reaches_the_first_return": _last_value,
    "a_return_is_the_mean_of_the_rewards": _averages,
    "tokens_without_reward_leave_the_returns": _longer,
}
