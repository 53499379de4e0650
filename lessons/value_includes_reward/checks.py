"""What is no relation between quantities: which advantage the projects' own rules give."""

from __future__ import annotations

from typing import Any

from engine.conventions import CONVENTIONS, Rollout, run
from engine.facts import Inputs, exact_facts
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds


def _other_libraries_differ(_: Scenario) -> Judged:
    """A last token whose V holds its certain reward: the advantage each project gives it."""
    found = exact_facts(_last_advantages, Scenario())["advantages"]
    return Judged(holds(any(found)), {"count": len(found), "advantage": found[0]})


def _last_advantages(x: Inputs) -> dict[str, Any]:
    lists = {"rewards": (0.0, 1.0), "values": (0.5, 1.0), "mask": (1.0, 1.0)}
    rollout = Rollout(**{name: x.series(name, (row,)) for name, row in lists.items()})
    return {"advantages": [run(rollout, one, gamma=1, lam=1).advantages[0][-1] for one in CONVENTIONS]}


FACTS: dict[str, Check] = {"it_depends_on_the_library": _other_libraries_differ}
