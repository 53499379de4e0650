"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._proposition import Check, Judged, holds

RATIOS = (1.25, 0.95, 1.5)
UPWARD = (1.0, 1.0, 1.0)
WIDE = 0.3
HIGH = 1.5


def _larger_epsilon_clips_more(_: Scenario) -> Judged:
    narrow, wide = (alone("clip", ratio=RATIOS, advantages=UPWARD, eps=e)["clipfrac"] for e in (RUNNING.eps, WIDE))
    return Judged(
        holds(wide > narrow), {"ratio": RATIOS, "eps": RUNNING.eps, "narrow": narrow, "wider": WIDE, "wide": wide}
    )


def _this_token_is_clipped(_: Scenario) -> Judged:
    good, bad = (alone("clip", ratio=[HIGH], advantages=[a], eps=RUNNING.eps)["clipfrac"] for a in (1.0, -1.0))
    return Judged("depends", {"ratio": HIGH, "good": good, "bad": bad})


CHECKS: dict[str, Check] = {
    "larger_epsilon_clips_more": _larger_epsilon_clips_more,
    "this_token_is_clipped": _this_token_is_clipped,
}
