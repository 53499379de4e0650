"""What turns on λ, on the values or on the estimator where people ask what reaches an advantage."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.scenario import Scenario
from lessons._checks import alone
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, revalued, rewarded, trial

REWARDS, VALUES = ("1/5", "0", "1"), ("1/2", "1/4", "3/4")
OTHER = ("1/4", "1/2", "3/4")
LAMS = [NONE, HALF, ONE]
MIDDLE = 1


def _with(lam: Fraction, values: tuple[str, ...] = VALUES) -> Trial:
    return trial(REWARDS, values, lam)


def _by_reward(place: int, lam: Fraction) -> list[Any]:
    return apart(rewarded(_with(lam), place).advantages, _with(lam).advantages)


def _by_value(place: int, lam: Fraction) -> list[Any]:
    return apart(revalued(_with(lam), place).advantages, _with(lam).advantages)


def _next_state(_: Scenario) -> Judged:
    moved = [_by_value(MIDDLE, lam)[0] for lam in LAMS]
    return judged([by > 0 for by in moved], by=ONE, lams=LAMS, moved=moved)


def _later_reward(_: Scenario) -> Judged:
    moved = [_by_reward(MIDDLE, lam)[0] for lam in LAMS]
    return judged([by > 0 for by in moved], by=ONE, lams=LAMS, moved=moved)


def _last_reward(_: Scenario) -> Judged:
    moved = [_by_reward(-1, lam)[0] for lam in LAMS]
    return judged([by != 0 for by in moved], by=ONE, lams=LAMS, moved=moved)


def _paid_alike() -> dict[str, Any]:
    one, other = _with(HALF), _with(HALF, OTHER)
    return {"r": one.rewards, "same": one.advantages, "other": other.advantages}


def _equal_rewards(_: Scenario) -> Judged:
    found = _paid_alike()
    return judged([_with(HALF).advantages == found["same"], found["other"] == found["same"]], **found)


def _forced(_: Scenario) -> Judged:
    found = _paid_alike()
    return judged(found["other"] == found["same"], **found)


def _takes_a_critic(_: Scenario) -> Judged:
    """Whether another critic gives other advantages: in GAE, and in a group of scores."""
    own, other = _with(HALF), trial(REWARDS, [v + 1 for v in _with(HALF).values], HALF)
    grpo = [alone("grpo", group_rewards=[0, 0, 1, 1], values=[v] * 4)["centered"] for v in (0, 1)]
    found = {"gae": own.advantages[0], "gae_after": other.advantages[0], "grpo": grpo[0]}
    return judged([own.advantages != other.advantages, grpo[0] != grpo[1]], by=ONE, **found)


def _spreads(moved: list[Any]) -> list[bool]:
    """Whether the tokens beside the middle one hear of it."""
    return [by != 0 for t, by in enumerate(moved) if t != MIDDLE]


def _reward_spreads(_: Scenario) -> Judged:
    moved, own = _by_reward(MIDDLE, HALF), _by_reward(MIDDLE, NONE)
    return judged(_spreads(moved) + _spreads(own), by=ONE, lam=HALF, zero=NONE, moved=moved, alone=own)


def _value_spreads(_: Scenario) -> Judged:
    moved, own = _by_value(MIDDLE, HALF), _by_value(MIDDLE, ONE)
    return judged(_spreads(moved) + _spreads(own), by=ONE, lam=HALF, one=ONE, moved=moved, alone=own)


TURNS: dict[str, Check] = {
    "a_better_next_state_raises_the_advantage": _next_state,
    "a_later_reward_lifts_the_advantage_now": _later_reward,
    "the_last_reward_enters_the_first_advantage": _last_reward,
    "two_responses_with_equal_rewards_agree": _equal_rewards,
    "equal_rewards_force_equal_advantages": _forced,
    "advantages_take_a_value_network": _takes_a_critic,
    "a_reward_reaches_other_tokens": _reward_spreads,
    "a_value_reaches_other_tokens": _value_spreads,
}
