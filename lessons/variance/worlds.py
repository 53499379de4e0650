"""Worlds in which every course of a response is counted: how much A_0 varies, by λ, as the page shows it."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import formulas
from engine.chance import noise_of_later_tokens, sampled, spread, walk, wild_critic
from engine.facts import Facts, Inputs, compute
from engine.ops import Number
from engine.scenario import Scenario

TOKENS, STEP, SWING = 6, 0.25, 2.0
LAMS = (0.0, 0.25, 0.5, 0.75, 1.0)
LENGTHS, SHORTENED = (6, 64, 512, 4096), 0.9  # tokens, and the λ they are compared at
DRAWS = 2000

WALK, WILD = walk(TOKENS, step=STEP), wild_critic(swing=SWING)


@cache
def told() -> Facts:
    """What the page shows: closed form, count and simulation side by side; length; the critic that jumps about."""
    return compute(_told, Scenario())


def _told(x: Inputs) -> dict[str, Any]:
    one, step = x.number("gamma", 1.0), x.number("step", STEP)
    whole, drawn = spread(WALK, LAMS)(x), spread(sampled(WALK, DRAWS), LAMS)(x)
    wild = spread(WILD, (0.0, 1.0))(x)

    weight = x.number("lam", SHORTENED) ** 2
    limit = 1 / (1 - weight)  # the geometric series of the weights; each length is it, less what comes after

    def formula(variance: Number, tokens: int, lam: float) -> Number:
        return noise_of_later_tokens(variance, tokens, one, x.number("lam", lam), own=True)

    return {
        "tokens": TOKENS,
        "ways": len(WALK.rewards),
        "step": step,
        "draws": DRAWS,
        "rows": [
            [x.number("lam", lam), formula(step**2, TOKENS, lam), all_ways, some]
            for lam, all_ways, some in zip(LAMS, whole["variance"], drawn["variance"], strict=True)
        ],
        "shortened": x.number("lam", SHORTENED),
        "lengths": [[tokens, limit - formulas.discounted(limit, weight, tokens), tokens] for tokens in LENGTHS],
        "limit": limit,
        "swing": x.number("swing", SWING),
        "wild_zero": wild["variance"][0],
        "wild_one": wild["variance"][1],
    }
