"""Why rewards and values are enough for an advantage: one says what came, the other what had been expected."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import NONE, judged, trial

REWARDS, VALUES = (0, 0, 1), ("1/4", "1/2", "3/4")


def _came_less_expected(_: Scenario) -> Judged:
    """At λ = 1 what came until the end is the rewards; at λ = 0 it is one reward and the new outlook."""
    whole, step = trial(REWARDS, VALUES, 1), trial(REWARDS, VALUES, 0)
    came = [whole.mc_returns[t] for t in range(len(REWARDS))]
    soon = [r + v for r, v in zip(step.rewards, [*step.values[1:], NONE], strict=True)]
    same = [
        [c - v for c, v in zip(row, whole.values, strict=True)] == one.advantages
        for row, one in ((came, whole), (soon, step))
    ]
    return judged(all(same), v=whole.values, came=came, a=whole.advantages, soon=soon, step=step.advantages)


WHY: dict[str, Check] = {"rewards_say_what_came_and_values_what_was_expected": _came_less_expected}
