"""Propositions that depend on the numbers, decided on given ones: on one response, or on all at a γ and λ."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.scenario import Scenario
from lessons._lines import LINES, Line
from lessons._own import NotThereError, Own

RESPONSES, TOKENS = 6, 4
ELSEWHERE = ((1.0, 1.0), (1.0, 0.0), (1.0, 0.5), (0.9, 1.0), (0.9, 0.5))  # γ and λ


def on_response(lesson: str, proposition: str, own: Scenario) -> bool | None:
    """Whether a proposition holds on a response; None where that cannot be said."""
    line = LINES.get(f"{lesson}.{proposition}")
    return None if line is None or own.batched or own.mask is not None else _holds(line, own)


def at_rates(lesson: str, proposition: str, gamma: float, lam: float) -> bool | None:
    """Whether a proposition holds on every response at a γ and λ, or on none, where it is these that decide it."""
    line = LINES.get(f"{lesson}.{proposition}")
    if line is None:
        return None
    here = _alike(line, gamma, lam)
    return here if here is not None and any(_alike(line, *rates) is (not here) for rates in ELSEWHERE) else None


def _alike(line: Line, gamma: float, lam: float) -> bool | None:
    found = {_holds(line, response) for response in _responses(gamma, lam)}
    return found.pop() if len(found) == 1 else None


def _responses(gamma: float, lam: float) -> Iterator[Scenario]:
    chance = random.Random(0)
    for _ in range(RESPONSES):
        rewards, values = (tuple(chance.randint(-40, 40) / 8 for _ in range(TOKENS)) for _ in range(2))
        yield Scenario(rewards=rewards, values=values, gamma=gamma, lam=lam)


def _holds(line: Line, own: Scenario) -> bool | None:
    try:
        return bool(line(Own(own)))
    except (NotThereError, IndexError, ValueError):
        return None
