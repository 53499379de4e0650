"""Questions of judgement about the critic's target, and its parts swapped: cases for and against, computed."""

from __future__ import annotations

from typing import Any

from engine.fork import small_world
from engine.scenario import Scenario
from lessons._checks import alone, gae, whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed

REWARDS = [0, 0, 1]


def _returns(values: list[float], lam: float) -> list[Any]:
    return list(alone("gae", rewards=REWARDS, values=values, gamma=1, lam=lam)["returns"])


def _better_than_mc(_: Scenario) -> Judged:
    """The spread of both targets over the ends of one token, and what a wrong critic does to each."""
    values = [[0.375, 0.5], [0.375, 0.5]]
    ends = [[0, 1], [0, 0]]
    mixed, full = (
        [
            float(alone("gae", rewards=r, values=v, gamma=1, lam=lam)["returns"][0])
            for r, v in zip(ends, values, strict=True)
        ]
        for lam in (0.5, 1)
    )
    spreads = [max(found) - min(found) for found in (mixed, full)]
    world = small_world().exact
    return Judged(
        weighed(spreads[0] < spreads[1], world["mean_with_wrong_critic"] != world["q"]),
        {"spreads": spreads, "q": world["q"], "wrong": world["mean_with_wrong_critic"]},
    )


def _lambda_one_is_one_step(_: Scenario) -> Judged:
    """Which end is which: r + V of the next state, and the sum of rewards."""
    values = [0.5, 0.25, 0.75]
    zero, one = (_returns(values, lam)[0] for lam in (0, 1))
    step, total = REWARDS[0] + values[1], sum(REWARDS)
    return Judged(holds(close(one, step) and close(zero, total)), {"zero": zero, "one": one, "step": step})


def _minus_value(_: Scenario) -> Judged:
    found = gae()
    minus = found["advantages"][0] - found["values"][0]
    return Judged(holds(close(minus, found["returns"][0])), {"minus": minus, "target": found["returns"][0]})


def _next_value(_: Scenario) -> Judged:
    """A_t with V of the next token added in the place of its own."""
    found = gae()
    shifted = found["advantages"][0] + found["values"][1]
    return Judged(holds(close(shifted, found["returns"][0])), {"shifted": shifted, "target": found["returns"][0]})


def _double_counts(_: Scenario) -> Judged:
    """Own value moved by one: whether it comes into R twice."""
    plain, raised = (_returns([own, 0.25, 0.75], 0.5)[0] for own in (0.5, 1.5))
    return Judged(holds(not close(plain, raised)), {"plain": plain, "raised": raised})


def _whitened_added(_: Scenario) -> Judged:
    """The whitened advantage plus V."""
    found = gae()
    wrong = round(float(whitened()[0]) + float(found["values"][0]), 4)
    return Judged(
        holds(close(wrong, found["returns"][0])), {"wrong": wrong, "target": round(float(found["returns"][0]), 4)}
    )


def _same_for_all(_: Scenario) -> Judged:
    """One score at the end: the targets of all tokens, at λ below one and at one."""
    below, one = (_returns([0.5, 0.25, 0.75], lam) for lam in (0.5, 1))
    return Judged(weighed(len(set(one)) == 1, len(set(below)) > 1), {"below": below, "one": one})


JUDGED: dict[str, Check] = {
    "is_a_better_target_than_monte_carlo": _better_than_mc,
    "lambda_one_is_the_one_step_target": _lambda_one_is_one_step,
    "return_is_advantage_less_value": _minus_value,
    "return_adds_the_next_value": _next_value,
    "own_value_is_counted_twice": _double_counts,
    "returns_add_whitened_advantages": _whitened_added,
    "returns_are_one_number_for_all_tokens": _same_for_all,
}
