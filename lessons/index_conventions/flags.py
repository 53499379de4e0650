"""Which of a buffer's flags ends step t: whether a flag is stored with the action or with what follows decides it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, judged, rational, trial

REWARDS, VALUES = rational((0, 1, 0, 3)), rational(("1/2", "3/4", "1/4", 1))  # two episodes of two steps each
WITH_ACTION = [0, 1, 0, 1]  # flag t: action t ended an episode
WITH_NEXT = [0, *WITH_ACTION]  # flag t: what is observed at t begins another episode; one more, behind the last step


def _pieces(ends: list[int]) -> list[Fraction]:
    """The advantages where the recursion starts anew, and no next value counts, behind every step with a flag."""
    found: list[Fraction] = []
    start = 0
    for t in range(len(REWARDS)):
        if ends[t] or t == len(REWARDS) - 1:
            found += trial(REWARDS[start : t + 1], VALUES[start : t + 1], HALF).advantages
            start = t + 1
    return found


def _flag_of_the_action(_: Scenario) -> Judged:
    """Both ways of storing, each read at its own place and at the other's."""
    apart: list[Any] = [a for at in (0, 2) for a in trial(REWARDS[at : at + 2], VALUES[at : at + 2], HALF).advantages]
    steps = range(len(REWARDS))
    right = [_pieces([WITH_ACTION[t] for t in steps]), _pieces([WITH_NEXT[t + 1] for t in steps])]
    wrong = _pieces([WITH_NEXT[t] for t in steps])
    return judged(
        right == [apart, apart] and wrong != apart, action=WITH_ACTION, following=WITH_NEXT, right=apart, wrong=wrong
    )


FLAGS: dict[str, Check] = {"the_flag_of_action_t_decides_step_t": _flag_of_the_action}
