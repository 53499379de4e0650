"""A cut in mid-episode: what the last step before it takes for its next value, and from where."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, rational

REWARDS, VALUES, FINAL, GAMMA = rational((1, 0)), rational(("1/2", "3/4")), HALF, Fraction(9, 10)
EARNED, FORESEEN = rational((1, 1)), rational((4, 3))  # of an episode without surprises, cut after two steps
REACHED, ANOTHER = Fraction(2), Fraction(7)  # V where it was cut, and where the next episode begins


def _closed(
    rewards: Sequence[Fraction], values: Sequence[Fraction], following: Fraction, gamma: Fraction = ONE
) -> dict[str, list[Any]]:
    """The steps up to a cut, nothing carried over it."""
    rows = zip(rewards, values, [*values[1:], following], strict=True)
    deltas = [formulas.td_error(r, v, after, gamma) for r, v, after in rows]
    advantages = sequences.gae_advantages(deltas, gamma, HALF)
    return {"deltas": deltas, "advantages": advantages, "returns": sequences.critic_targets(advantages, values)}


def _into_the_reward(_: Scenario) -> Judged:
    paid = [*REWARDS[:-1], REWARDS[-1] + formulas.discounted(FINAL, GAMMA, 1)]
    as_value, as_reward = _closed(REWARDS, VALUES, FINAL, GAMMA), _closed(paid, VALUES, NONE, GAMMA)
    neither = _closed(REWARDS, VALUES, NONE, GAMMA)
    return judged(
        as_value == as_reward != neither,
        gamma=GAMMA, final=FINAL, paid=paid, deltas=as_reward["deltas"], a=as_reward["advantages"],
        value=as_value["advantages"], neither=neither["advantages"],
    )  # fmt: skip


def _after_a_reset(_: Scenario) -> Judged:
    """The final observation of the old episode, and the first of the next one."""
    right, wrong = (_closed(EARNED, FORESEEN, v)["advantages"] for v in (REACHED, ANOTHER))
    return judged(not any(right) and any(wrong), reached=REACHED, another=ANOTHER, right=right, wrong=wrong)


def _end_of_the_buffer(_: Scenario) -> Judged:
    """The value of the state that the next rollout starts from, and zero as for an end."""
    right, zero = (_closed(EARNED, FORESEEN, v)["advantages"] for v in (REACHED, NONE))
    return judged(not any(right) and all(zero), reached=REACHED, right=right, zero=zero)


CUTS: dict[str, Check] = {
    "final_value_may_be_added_to_the_last_reward": _into_the_reward,
    "after_a_reset_the_observation_is_of_the_next_episode": _after_a_reset,
    "buffer_ending_in_mid_episode_closes_with_the_next_value": _end_of_the_buffer,
}
