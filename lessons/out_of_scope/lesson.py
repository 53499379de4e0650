"""Anything that Telescope does not teach: an honest short reply, and what it can answer instead."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._lesson import Shown
from lessons._proposition import Check

QUANTITIES: tuple[str, ...] = ()
PROPOSITIONS: dict[str, Check] = {}


def show(_scenario: Scenario) -> Shown:
    return Shown()
