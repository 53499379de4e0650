"""Anything that Telescope does not teach: an honest short reply, and what it can answer instead."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._fact import Check
from lessons._lesson import Shown

QUANTITIES: tuple[str, ...] = ()
FACTS: dict[str, Check] = {}


def show(_scenario: Scenario) -> Shown:
    return Shown()
