"""Situations in which everything can be computed, made from a seed: two decimals, with padding and a hole."""

from __future__ import annotations

import random
from typing import Any

from engine.scenario import PER_TOKEN, Scenario, scenario

MASK = (1, 1, 0, 1, 1, 0)
LISTS = {
    "scores": (-1, 1),
    "logp": (-2, 0),
    "ref_logp": (-2, 0),
    "new_logp": (-2, 0),
    "values": (-1, 1),
    "advantages": (-1, 1),
    "vpreds": (-2, 2),
}


def situation(seed: int, *, rows: int = 1) -> Scenario:
    chance = random.Random(seed)

    def number(low: float, high: float) -> float:
        return round(chance.uniform(low, high), 2)

    lists = {name: [[number(*bounds) for _ in MASK] for _ in range(rows)] for name, bounds in LISTS.items()}
    return scenario(
        {
            **lists,
            "mask": [list(MASK)] * rows,
            "group_rewards": [number(0, 1) for _ in range(4)],
            "gamma": number(0.3, 0.95),
            "lam": number(0.2, 0.45),
            "beta": number(0.1, 0.5),
            "eps_low": number(0.1, 0.2),
            "eps_high": number(0.25, 0.4),
            "cliprange_value": number(0.2, 0.5),
            "kl": "k1",
            "lams": [0.0, 0.5, 1.0],
        }
    )


def kept(given: Scenario) -> Scenario:
    """The same response without the tokens outside its mask."""
    return scenario({**given.given(), **{name: at_valid(given, name) for name in PER_TOKEN if name in given.given()}})


def at_valid(given: Scenario, name: str) -> list[float]:
    return [x for x, keep in zip(getattr(given, name), given.mask, strict=True) if keep]


def numbers(x: Any) -> Any:
    """A fact as floats, without what stands outside the mask."""
    if isinstance(x, dict):
        return {name: numbers(y) for name, y in x.items()}
    return [numbers(y) for y in x if y is not None] if isinstance(x, list) else float(x)
