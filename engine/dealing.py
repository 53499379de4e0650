"""Numbers for an exercise, dealt from a seed: short and round enough to be reckoned with by hand."""

from __future__ import annotations

import random
from typing import Any

GROUP = 4  # responses to one prompt
_RATES = (("gamma", (0.9, 0.8, 0.95, 0.99)), ("lam", (0.5, 0.9, 0.8, 0.95, 0.6)), ("beta", (0.1, 0.2, 0.05)))
_WIDTHS = (("eps", (0.2, 0.1)), ("cliprange_value", (0.2, 0.1)))


def rates(chance: random.Random) -> dict[str, float]:
    """Different γ and λ: a mistake that swaps them shows."""
    found = {name: chance.choice(choices) for name, choices in (*_RATES, *_WIDTHS)}
    others = [x for x in dict(_RATES)["lam"] if x != found["gamma"]]
    return {**found, "lam": chance.choice(others)}


def lists(chance: random.Random, length: int, group: int = GROUP) -> dict[str, Any]:
    """A response in which the actor, the reference and the critic disagree, as they do in training."""
    logp = [-chance.randint(4, 16) / 20 for _ in range(length)]
    gaps = [chance.choice((-0.1, 0.05, 0.1, 0.2)) for _ in range(length)]
    steps = chance.sample([0.4, -0.4, 0.1, -0.1], 4)
    values = [chance.randint(2, 16) / 20 for _ in range(length)]
    last = chance.choice((1.0, 2.0, -1.0, 1.5))
    return {
        "scores": [0.0] * (length - 1) + [last],
        "kl_values": [round(gap, 2) for gap in gaps],
        "logp": logp,
        "ref_logp": [round(x - gap, 2) for x, gap in zip(logp, gaps, strict=True)],
        "new_logp": [round(min(-0.01, x + steps[t % len(steps)]), 2) for t, x in enumerate(logp)],
        "old_logp": logp,
        "ratio": [chance.choice((0.6, 0.9, 1.1, 1.5)) for _ in range(length)],
        "rewards": [chance.choice((0.0, 0.0, 0.5, -0.5)) for _ in range(length - 1)] + [last],
        "values": values,
        "old_values": values,
        "vpreds": [round(v + chance.choice((0.05, -0.1, 0.3, -0.3)), 2) for v in values],
        "advantages": [chance.choice((-1.0, -0.5, 0.4, 0.8, 1.5)) for _ in range(length)],
        "returns": [chance.randint(0, 24) / 20 for _ in range(length)],
        "group_rewards": _scores(chance, group or GROUP),
    }


def padded(dealt: dict[str, Any], length: int) -> dict[str, Any]:
    """The same with its last token turned into padding; the score stays on the last real one."""
    rewards = [*dealt["rewards"][: length - 2], dealt["rewards"][-1], 0.0]
    return {**dealt, "rewards": rewards, "mask": [1.0] * (length - 1) + [0.0]}


def _scores(chance: random.Random, group: int) -> list[float]:
    """Of one group: never all alike."""
    found = [chance.choice((0.0, 0.5, 1.0, 2.0)) for _ in range(group)]
    return [found[0] + 1, *found[1:]] if len({*found}) == 1 else found
