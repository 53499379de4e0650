"""What moves an advantage: A and R by every reward and every value, as matrices, from unit lists run through GAE.

A and R are linear in rewards and values, so the answer to a unit list is the derivative.
"""

from __future__ import annotations

from typing import Any

from engine.facts import Facts, Inputs, Program, compute
from engine.scenario import Scenario

LONGEST = 24  # tokens: a matrix has the square of it


def influence(scenario: Scenario, length: int) -> Facts:
    """The matrices of a response of so many tokens, two at least and the longest at most: row t, column k."""
    own = Scenario(gamma=scenario.gamma, lam=scenario.lam)
    return compute(_influence(min(length, LONGEST)), own)


def _influence(length: int) -> Program:
    units = tuple(tuple(float(i == k) for i in range(length)) for k in range(length))
    nothing, everything = ((0.0,) * length,) * length, ((1.0,) * length,) * length

    def program(x: Inputs) -> dict[str, Any]:
        gamma, lam, mask = x["gamma"], x["lam"], x.series("mask", everything)
        zeros = x.series("rewards", nothing)
        by_reward, _ = x.on.gae(x.series("rewards", units), zeros, mask, gamma=gamma, lam=lam)
        by_value, returns_by_value = x.on.gae(zeros, x.series("values", units), mask, gamma=gamma, lam=lam)
        return {
            "advantages_by_reward": _turned(by_reward, length),
            "advantages_by_value": _turned(by_value, length),
            "returns_by_value": _turned(returns_by_value, length),
        }

    return program


def _turned(by_unit: Any, length: int) -> list[list[Any]]:
    """From one row for each unit list to one row for each token."""
    return [[by_unit[k][t] for k in range(length)] for t in range(length)]
