"""A world small enough to know Q: two first tokens, each with two ends, all equally likely."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import formulas
from engine.facts import Facts, Inputs, compute
from engine.scenario import Scenario

REWARDS = ((0.0, 1.0), (0.0, 0.0), (0.0, 0.5), (0.0, 0.0))
EXACT = ((0.375, 0.5), (0.375, 0.5), (0.375, 0.25), (0.375, 0.25))
TOO_HIGH = ((0.375, 0.75), (0.375, 0.75), (0.375, 0.25), (0.375, 0.25))  # V is wrong after the first of the two
LAM = 0.5


@cache
def small_world() -> Facts:
    """R_0 for every way to go after the first of the two tokens, beside its Q and the prompt's V."""
    return compute(_small_world, Scenario())


def _small_world(x: Inputs) -> dict[str, Any]:
    rewards, mask = x.series("rewards", REWARDS), x.series("mask", ((1.0, 1.0),) * len(REWARDS))
    gamma, lam = x.number("gamma", 1.0), x.number("lam", LAM)
    exact, wrong = (
        [row[0] for row in x.on.gae(rewards, x.series("values", values), mask, gamma=gamma, lam=lam)[1]]
        for values in (EXACT, TOO_HIGH)
    )
    earned = [row[0] for row in x.on.mc_returns(rewards, mask, gamma=gamma)]
    return {
        "lam": lam,
        "good_end": exact[0],
        "bad_end": exact[1],
        "mean": _mean(exact[:2]),
        "q": _mean(earned[:2]),
        "other_q": _mean(earned[2:]),
        "mean_of_all": _mean(exact),
        "value": _mean(earned),
        "mean_with_wrong_critic": _mean(wrong[:2]),
    }


def _mean(terms: list[Any]) -> Any:
    return formulas.mean(sum(terms[1:], terms[0]), len(terms))
