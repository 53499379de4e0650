"""One token about to be chosen, with everything known: V before it, and δ for every choice, exactly.

So that what holds on average can be told from what holds for the token that happens to be drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import formulas
from engine.facts import Inputs, Program
from engine.proofs.programs import expected

Row = tuple[float, ...]


@dataclass(frozen=True)
class OneToken:
    """For every choice of the token: its probability, what it earns, and V in the state it leads to."""

    probabilities: Row
    rewards: Row
    next_values: Row


def outlook(world: OneToken, gamma: float = 1.0) -> Program:
    """V before the token, with its reward in it and without, and what δ is then for each choice and on average."""

    def program(x: Inputs) -> dict[str, Any]:
        discount = x.number("gamma", gamma)
        p = [x.number("p", share) for share in world.probabilities]
        r = [x.number("rewards", reward) for reward in world.rewards]
        after = [x.number("values", value) for value in world.next_values]
        tokens = range(len(p))
        value = expected(p, lambda a: formulas.mc_step(r[a], after[a], discount))
        without = expected(p, lambda a: formulas.mc_step(0 * r[a], after[a], discount))
        deltas = [formulas.td_error(r[a], value, after[a], discount) for a in tokens]
        biased = [formulas.td_error(r[a], without, after[a], discount) for a in tokens]
        return {
            "probabilities": p,
            "earned": r,
            "after": after,
            "value": value,
            "mean_after": expected(p, lambda a: after[a]),
            "mean_reward": expected(p, lambda a: r[a]),
            "deltas": deltas,
            "mean_delta": expected(p, lambda a: deltas[a]),
            "value_without_reward": without,
            "deltas_without_reward": biased,
            "mean_delta_without_reward": expected(p, lambda a: biased[a]),
        }

    return program
