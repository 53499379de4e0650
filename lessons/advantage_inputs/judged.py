"""Questions of judgement about what advantages are made of, and inputs swapped: cases for and against, computed."""

from __future__ import annotations

from typing import Any

from engine.fork import small_world
from engine.scenario import Scenario
from lessons._checks import alone, changed
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed

REWARDS, VALUES = [0.0, 0.2, 1.0], [0.5, 0.25, 0.75]


def _advantages(rewards: list[float] = REWARDS, values: list[float] = VALUES, lam: float = 0.5) -> list[Any]:
    return list(alone("gae", rewards=rewards, values=values, gamma=1, lam=lam)["advantages"])


def _values_help(_: Scenario) -> Judged:
    """How a first advantage varies over two ends, with a critic mixed in and without, and the bias."""
    spreads = []
    for value, lam in ((0.5, 0.5), (0.0, 1.0)):
        ends = [_advantages([0.0, end], [value, value], lam)[0] for end in (0.0, 1.0)]
        spreads.append(float(ends[1] - ends[0]))
    world = small_world().exact
    return Judged(
        weighed(spreads[0] < spreads[1], world["mean_with_wrong_critic"] != world["q"]),
        {"spreads": spreads, "q": world["q"], "wrong": world["mean_with_wrong_critic"]},
    )


def _own_two_only(_: Scenario) -> Judged:
    """The first advantage when only the last value is another: at λ above zero and at zero."""
    above, zero = (
        [_advantages(lam=lam)[0], _advantages(values=changed(VALUES, 2, 1.0), lam=lam)[0]] for lam in (0.5, 0.0)
    )
    return Judged(weighed(close(zero[0], zero[1]), not close(above[0], above[1])), {"zero": zero, "above": above})


def _earlier_values(_: Scenario) -> Judged:
    plain, moved = _advantages()[1], _advantages(values=changed(VALUES, 0, 1.0))[1]
    return Judged(holds(not close(plain, moved)), {"plain": plain, "moved": moved})


def _own_value_raises(_: Scenario) -> Judged:
    plain, own = _advantages()[0], _advantages(values=changed(VALUES, 0, 0.5))[0]
    return Judged(holds(own > plain), {"plain": plain, "own": own})


def _next_lowers(_: Scenario) -> Judged:
    """The next value raised, at λ below one and at one."""
    below, one = (
        [_advantages(lam=lam)[0], _advantages(values=changed(VALUES, 1, 0.5), lam=lam)[0]] for lam in (0.5, 1.0)
    )
    return Judged(holds(below[1] < below[0]), {"below": below, "one": one})


def _same_reward_same_advantage(_: Scenario) -> Judged:
    """Two tokens with equal rewards of their own."""
    found = _advantages([0.0, 0.0, 1.0])
    return Judged(holds(close(found[0], found[1])), {"first": found[0], "second": found[1]})


JUDGED: dict[str, Check] = {
    "values_make_advantages_better": _values_help,
    "only_own_reward_and_two_values_count": _own_two_only,
    "earlier_values_reach_later_advantages": _earlier_values,
    "own_value_raises_the_advantage": _own_value_raises,
    "next_value_lowers_the_advantage": _next_lowers,
    "equal_rewards_mean_equal_advantages": _same_reward_same_advantage,
}
