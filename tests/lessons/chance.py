"""Learners' scenarios by chance: the same ones every time, all parts that fit together, of every shape."""

from __future__ import annotations

import random
from typing import Any

ENDS = (0.0, 1.0)
LENGTHS = (1, 2, 3, 4, 5, 7, 11, 26)
ODD_TOKENS = ("的", "<b>", "|", "**x**", "$", "`", "\\(", "1+1", " ", "*")


def scenarios(count: int, seed: int) -> dict[str, dict[str, Any]]:
    """Name → what the learner gave: rewards, or scores with a policy and a reference."""
    chance = random.Random(seed)
    return {f"{number}": _scenario(chance, rewarded=number % 2 == 0) for number in range(count)}


def _scenario(chance: random.Random, *, rewarded: bool) -> dict[str, Any]:
    length, rows = chance.choice(LENGTHS), chance.choice((1, 1, 1, 2, 3))

    def series(draw: Any) -> list[Any]:
        drawn = [[draw() for _ in range(length)] for _ in range(rows)]
        return drawn if rows > 1 else drawn[0]

    level, scale = chance.choice((0.0, 0.0, -3.0, 5.0)), chance.choice((0.0, 0.1, 1.0, 40.0))

    def amount() -> float:
        return round(level + scale * chance.uniform(-1, 1), chance.choice((0, 1, 3)))

    def logp() -> float:
        return round(-chance.expovariate(1.0), 3)

    given: dict[str, Any] = {
        "values": series(amount),
        "gamma": _fraction(chance),
        "lam": _fraction(chance),
        "beta": chance.choice((0.0, 0.1, 2.0)),
        "kl": chance.choice(("k1", "k2", "k3", "abs")),
        "eps": chance.choice((0.0, 0.1, 0.2, 1.0)),
        "cliprange_value": chance.choice((0.0, 0.2, 5.0)),
        "vpreds": series(amount),
        "group_rewards": [amount() for _ in range(chance.choice((2, 3, 5)))],
        **{name: series(logp) for name in ("logp", "ref_logp", "new_logp")},
        "rewards" if rewarded else "scores": series(amount),
    }
    if chance.random() < 0.4:
        given["mask"] = _mask(chance, rows, length)
    if chance.random() < 0.5:
        given["prompt"], given["tokens"] = "1+1=?", [chance.choice(ODD_TOKENS) for _ in range(length)]
    return given


def _fraction(chance: random.Random) -> float:
    return chance.choice((*ENDS, 0.5, 0.95, 0.99, round(chance.random(), 2)))


def _mask(chance: random.Random, rows: int, length: int) -> list[Any]:
    """Real tokens, then padding; now and then with holes, never nothing."""
    masks = []
    for _ in range(rows):
        real = chance.randint(1, length)
        row = [int(t < real) for t in range(length)]
        if chance.random() < 0.3:
            row = [chance.choice((0, 1)) for _ in range(length)]
            row[chance.randrange(length)] = 1
        masks.append(row)
    return masks if rows > 1 else masks[0]
