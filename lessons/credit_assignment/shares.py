"""What becomes of the last reward: GAE's weights, which are no shares, beside ways to split it that are."""

from __future__ import annotations

from typing import Any

from engine import formulas, quantities
from engine.facts import Inputs
from engine.ops import Number


def sharing(x: Inputs) -> dict[str, Any]:
    """What becomes of a single response's last reward: by weights, in equal shares, for the later half, to all."""
    last = quantities.rewards(x)[0][-1]
    length, decay = x.scenario.length, x["gamma"] * x["lam"]
    weights = [formulas.discounted(x.number("weight", 1.0), decay, length - 1 - t) for t in range(length)]
    counted = [weight * last for weight in weights]
    late = length - length // 2
    return {
        "last_reward_weights": weights,
        "last_reward_weight_sum": _total(weights),
        "last_reward_counted": counted,
        "last_reward_counted_sum": _total(counted),
        "last_reward_late_shares": [*[last - last] * (length // 2), *[formulas.mean(last, late)] * late],
        "last_reward_shares": [formulas.mean(last, length)] * length,
        "last_reward_everywhere": [last] * length,
    }


def _total(terms: list[Number]) -> Number:
    return sum(terms[1:], terms[0])
