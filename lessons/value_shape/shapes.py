"""What this lesson computes: exact values and their changes, three kinds of reward, counterexamples by search."""

from __future__ import annotations

from itertools import product
from typing import Any

from engine import formulas, quantities, sequences
from engine.facts import Facts, Inputs, compute
from engine.mistakes.mistake import each, none
from engine.one_token import OneToken, outlook
from engine.ops import Number
from engine.scenario import Scenario

KINDS = {"dense": (0.2, 0.2, 0.2, 0.2), "cost": (-0.1, -0.1, -0.1, 1.0), "outcome": (0.0, 0.0, 0.0, 1.0)}
DISCOUNT = 0.9
TRIED = [n / 10 for n in range(1, 21)]  # sizes of reward that the search for a counterexample goes through
FORK = OneToken(probabilities=(0.5, 0.5), rewards=(0.0, 0.0), next_values=(0.9, 0.3))


def has_rewards(scenario: Scenario) -> bool:
    has_kl = scenario.kl_values is not None or scenario.ref_logp is not None
    return scenario.rewards is not None or (scenario.scores is not None and has_kl)


def along(x: Inputs) -> dict[str, Any]:
    """G, which V is when nothing is left to chance, and its changes; the critic's own V, and what reward it implies."""
    mask, gamma = x.mask, x["gamma"]
    found: dict[str, Any] = {"T": x.scenario.length}
    if has_rewards(x.scenario):
        rewards = quantities.rewards(x)
        returns = x.on.mc_returns(rewards, mask, gamma=gamma)
        found |= {
            "rewards": rewards,
            "mc_returns": returns,
            "change": x.on.over_valid(lambda r, g: _changes(r, g, gamma), mask, rewards, returns),
        }
    if x.has("values"):
        values = x["values"]
        drops = x.on.td_errors(none(x.on, mask), values, mask, gamma=gamma)
        found |= {
            "values": values,
            "value_changes": x.on.td_errors(none(x.on, mask), values, mask, gamma=x.number("gamma", 1.0)),
            "implied_rewards": each(x.on, lambda delta_t: -delta_t, mask, drops),
        }
    return found


def _changes(rewards: Any, returns: Any, gamma: Number) -> list[Number]:
    pairs = zip(rewards, sequences.next_values(returns), strict=True)
    return [formulas.value_change(r_t, g_tp1, gamma) for r_t, g_tp1 in pairs]


def directions(x: Inputs) -> dict[str, Any]:
    """How often the first response's G and V go up and down before the last token; how many rewards have which sign."""
    found = along(x)
    counted: dict[str, Any] = {}
    for name, kind in (("change", "g"), ("value_changes", "v")):
        if name in found:
            steps = [float(step) for step in found[name][0][:-1]]
            counted |= {
                f"{kind}_rises": _count(s > SMALL for s in steps),
                f"{kind}_falls": _count(s < -SMALL for s in steps),
            }
    if "rewards" in found:
        rewards = [float(r) for r in found["rewards"][0]]
        counted |= {"positive": _count(r > 0 for r in rewards), "negative": _count(r < 0 for r in rewards)}
        counted["inner"] = _count(r != 0 for r in rewards[:-1])
    return counted


SMALL = 1e-12  # of a step


def _count(which: Any) -> int:
    return sum(1 for yes in which if yes)


def regimes(x: Inputs) -> dict[str, Any]:
    """The exact value along a response for three kinds of reward, without discount and with one."""
    found: dict[str, Any] = {"position": list(range(len(KINDS["dense"]))), "gamma": x.number("gamma", DISCOUNT)}
    for name, rewards in KINDS.items():
        row = [x.number("rewards", r) for r in rewards]
        found[name] = sequences.mc_returns(row, x.number("gamma", 1.0))
        found[f"{name}_discounted"] = sequences.mc_returns(row, found["gamma"])
    return found


def constants() -> Facts:
    return compute(outlook(FORK), Scenario()).beside(compute(searched, Scenario())).under("constants")


def searched(x: Inputs) -> dict[str, Any]:
    """The first positive rewards for which V rises under a discount, and the first costs for which it falls."""
    gamma = x.number("gamma", DISCOUNT)

    def first(sign: int) -> list[Number]:
        for r in product(TRIED, repeat=2):
            rewards = [x.number("rewards", sign * size) for size in r]
            values = sequences.mc_returns(rewards, gamma)
            if float(sign * (values[1] - values[0])) > SMALL:
                return [*rewards, *values]
        raise AssertionError("the grid holds a counterexample")

    gains, costs = first(1), first(-1)
    return {
        "gain_rewards": gains[:2],
        "gain_values": gains[2:],
        "cost_rewards": costs[:2],
        "cost_values": costs[2:],
    }
