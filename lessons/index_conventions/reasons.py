"""Right facts about indices with a wrong reason: what the reason says is looked up, and is otherwise."""

from __future__ import annotations

from engine.scenario import Scenario
from engine.slices import sees
from lessons._proposition import Check, Judged, holds
from lessons.index_conventions.checks import _found, _moved, _rewards_with_kl_raised
from lessons.index_conventions.steps import HERE, PROMPT, RESPONSE


def _shift_by_rewards(_: Scenario) -> Judged:
    """What the output at the token's own place has read, and the one before it; no reward is asked."""
    at, before = sees(PROMPT, RESPONSE, 1)[HERE][HERE], sees(PROMPT, RESPONSE)[HERE][HERE]
    return Judged(holds(at == before), {"at": int(at), "before": int(before)})


def _reward_comes_first(_: Scenario) -> Judged:
    """Whether what is drawn at t moves the reward of index t."""
    moved = _moved(_found()["rewards"], _rewards_with_kl_raised(HERE))
    return Judged(holds(HERE not in moved), {"t": HERE, "moved": moved[0]})


REASONS: dict[str, Check] = {
    "values_are_shifted_because_of_the_rewards": _shift_by_rewards,
    "rewards_carry_t_because_they_come_before_the_token": _reward_comes_first,
}
