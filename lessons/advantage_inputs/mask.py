"""What the mask changes: the learner's own tokens with a tool's text put between them and a padded position behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.example import batch_of
from engine.facts import Facts, Inputs, compute
from engine.scenario import Scenario
from engine.scenario import scenario as validated
from lessons._first import first_response
from lessons.advantage_inputs.inputs import rewards_held

LEFT = 0.8  # what the critic says where the actor wrote nothing


def masked(scenario: Scenario) -> Facts:
    """The first response's facts; the whitening is over both of the example's."""
    together = laid_out(batch_of(first_response(scenario)))
    found = compute(three_ways, together)
    return (found.of_first() if together.batched else found).under("constants")


def laid_out(scenario: Scenario) -> Scenario:
    """Each response's tokens, one position more in their middle and one behind them."""
    own = rewards_held(scenario)
    rewards, values = own.rows("rewards"), own.rows("values")
    return validated({
        "rewards": [_among(row, 0.0) for row in rewards],
        "values": [_among(row, LEFT) for row in values],
        "mask": [_among((1.0,) * len(row), 0.0) for row in rewards],
        "gamma": own.gamma,
        "lam": own.lam,
    })  # fmt: skip


def _among(row: Sequence[float], other: float) -> list[float]:
    middle = (len(row) + 1) // 2
    return [*row[:middle], *([other] if middle < len(row) else []), *row[middle:], other]


def three_ways(x: Inputs) -> dict[str, Any]:
    """Masked positions handed on, masked positions as steps of zero, and no mask; whitened with it and without."""
    rewards, values, keep = x["rewards"], x["values"], x["mask"]
    every = x.on.everywhere(lambda row: [m * 0 + 1 for m in row], keep)

    def advantages(r: Any, v: Any, mask: Any) -> Any:
        return x.on.gae(r, v, mask, gamma=x["gamma"], lam=x["lam"])[0]

    carried, unmasked = advantages(rewards, values, keep), advantages(rewards, values, every)
    found = {
        "mask": keep,
        "values_as_given": values,
        "carried": carried,
        "as_zeros": advantages(x.on.zeroed(rewards, keep), x.on.zeroed(values, keep), every),
        "unmasked": unmasked,
    }
    if sum(x.scenario.rows("mask")[0]) > 1:
        found["responses"] = len(x.scenario.rows("mask"))
        found["whitened_masked"] = x.on.whiten(carried, keep)
        found["whitened_whole"] = x.on.whiten(unmasked, every)
    return found
