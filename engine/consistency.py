"""Parts of a scenario that say the same thing twice must say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas
from engine.errors import EngineError
from engine.rewards import kl_estimator
from engine.scenario import Scenario

TOLERANCE = 1e-6  # of the larger number, or of 1: learners round


def check(own: Scenario) -> None:
    """Refuse a scenario in which a list contradicts what the lists that make it give."""
    kind = {"k3": "k3_clamped"}.get(own.kl or "k1", own.kl or "k1")
    _compare(own, "kl_values", ("logp", "ref_logp"), kl_estimator(kind))
    _compare(own, "ratio", ("new_logp", "old_logp"), formulas.ratio)
    if own.beta is not None:
        beta = own.beta
        _compare(own, "rewards", ("scores", "kl_values"), lambda s, k: formulas.token_reward(s, k, beta))


def _compare(own: Scenario, made: str, parts: tuple[str, str], formula: Callable[..., Any]) -> None:
    if any(getattr(own, name) is None for name in (made, *parts)):
        return
    rows = zip(own.rows(made), *(own.rows(name) for name in parts), strict=True)
    for i, (stated, *given) in enumerate(rows):
        for t, (x, *inputs) in enumerate(zip(stated, *given, strict=True)):
            expected = formula(*inputs)
            if abs(x - expected) > TOLERANCE * max(1, abs(expected)):
                place = (i, t) if own.batched else (t,)
                raise EngineError("inconsistent", field=made, position=place, value=x, expected=expected, others=parts)
