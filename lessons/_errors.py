"""How far an estimate of the first token's advantage is from the truth, all told: where every course is counted."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.chance import spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario

TOKENS, STEP, FADE = 6, 0.25, 0.5


@cache
def moments(error: float, lams: tuple[float, ...] = (0.0, 1.0), tokens: int = TOKENS) -> dict[str, Any]:
    """By λ: mean and variance of A_0, its first token given, with a critic that is off by `error` after it."""
    return dict(exact_facts(spread(walk(tokens, step=STEP, error=error, fade=FADE, first=1), lams), Scenario()))
