"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._fact import Check, Judged

HIGH = 1.5


def _this_token_is_clipped(_: Scenario) -> Judged:
    good, bad = (alone("clip", ratio=[HIGH], advantages=[a], eps=RUNNING.eps)["clipfrac"] for a in (1.0, -1.0))
    return Judged("depends", {"ratio": HIGH, "good": good, "bad": bad})


CHECKS: dict[str, Check] = {
    "this_token_is_clipped": _this_token_is_clipped,
}
