"""Mistakes that are planted in right numbers."""

from __future__ import annotations

import random
from collections.abc import Mapping

from engine.errors import EngineError
from engine.facts import quick_facts
from engine.mistakes import MISTAKES, on_the_way_to
from engine.quantities import QUANTITIES
from engine.scenario import Scenario
from tests.audit.kinds import Kind, facts, number, written

SLIPS = ("slip", "digits_exchanged", "sign", "cells_exchanged", "column_shift")
ROUNDED, NOTHING = "rounded_on_the_way", ""


def choose(rng: random.Random, shape: Kind, own: Scenario) -> str:
    if rng.random() < 0.3:
        return NOTHING
    programs = [m.id for q in shape.quantities for m in on_the_way_to(q) if m.possible(own)]
    draw = rng.random()
    if draw < 0.55 and programs:
        return rng.choice(programs)
    return ROUNDED if draw > 0.93 and shape.quantities[0] == "gae" else rng.choice((*SLIPS, "slip"))


def plant(
    rng: random.Random, planted: str, shape: Kind, own: Scenario, right: Mapping[str, list[str]], digits: int
) -> dict[str, list[str]] | None:
    made = {name: list(x) for name, x in right.items()}
    if planted in MISTAKES:
        try:
            found = facts(shape, own, planted)
        except (EngineError, ZeroDivisionError, OverflowError):
            return None
        return {name: written(found[name], digits) for name in made}
    if planted == ROUNDED:
        return _chained(own, made, digits) if "advantages" in made else None
    if planted:
        name = rng.choice([n for n in made if len(made[n]) > 1 or planted in ("slip", "sign")])
        made[name] = _slipped(rng, planted, made[name], digits)
    return made


def _slipped(rng: random.Random, how: str, numbers: list[str], digits: int) -> list[str]:
    k = rng.randrange(len(numbers))
    x = float(numbers[k])
    if how == "slip":
        step = rng.choice((rng.randint(2, 9) * 10.0**-digits, rng.choice((0.1, 0.2, 0.05)) + 2 * 10.0**-digits))
        return [*numbers[:k], number(x + rng.choice((-1, 1)) * step, digits), *numbers[k + 1 :]]
    if how == "sign":
        return [*numbers[:k], number(-x, digits), *numbers[k + 1 :]]
    if how == "digits_exchanged":
        places = [
            i
            for i in range(len(numbers[k]) - 1)
            if numbers[k][i : i + 2].isdigit() and numbers[k][i] != numbers[k][i + 1]
        ]
        if places:
            i = rng.choice(places)
            numbers[k] = numbers[k][:i] + numbers[k][i + 1] + numbers[k][i] + numbers[k][i + 2 :]
        return numbers
    if how == "cells_exchanged":
        j = rng.randrange(len(numbers))
        numbers[k], numbers[j] = numbers[j], numbers[k]
        return numbers
    return [number(0.0, digits), *numbers[:-1]] if rng.random() < 0.5 else [*numbers[1:], number(0.0, digits)]


def _chained(own: Scenario, made: dict[str, list[str]], digits: int) -> dict[str, list[str]] | None:
    """A from its own rounded neighbours; kept only where no number is further off than one unit."""
    assert own.gamma is not None and own.lam is not None
    deltas = quick_facts(QUANTITIES["gae"], own)["deltas"]
    chain: list[str] = []
    following = 0.0
    for delta in reversed(deltas):
        chain.insert(0, number(round(delta, digits) + own.gamma * own.lam * following, digits))
        following = float(chain[0])
    unit = 10.0**-digits
    if any(abs(float(a) - float(b)) > 1.5 * unit for a, b in zip(chain, made["advantages"], strict=True)):
        return None
    return {**made, "advantages": chain}
