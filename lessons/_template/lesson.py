"""What this lesson shows, in one line."""

from __future__ import annotations

from engine import quantities
from engine.facts import work
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._lesson import Shown

QUANTITIES: tuple[str, ...] = ()


def show(scenario: Scenario) -> Shown:
    return Shown(
        facts=quantities.facts("gae", scenario),
        work=work(quantities.gae, scenario),
        twins=(twins.gae,),
    )


def _news_can_be_bad(scenario: Scenario) -> Judged:
    found = quantities.facts(
        "gae", scenario.merged({"rewards": [-1.0] * scenario.length, "values": [0.0] * scenario.length})
    )
    worst = min(found.exact["deltas"])
    return Judged(holds(worst < 0), {"worst": worst})


FACTS: dict[str, Check] = {"news_can_be_bad": _news_can_be_bad}
