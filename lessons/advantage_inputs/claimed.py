"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged, holds


def _prompt_is_an_argument(_: Scenario) -> Judged:
    """The same lists under another prompt."""
    one, other = gae(), gae(prompt="?")
    return Judged(holds(one["advantages"] != other["advantages"]), {"one": one["advantages"][0]})


CHECKS: dict[str, Check] = {
    "prompt_is_an_argument": _prompt_is_an_argument,
}
