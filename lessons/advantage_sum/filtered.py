"""Responses kept or dropped by their total excess."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, judged, outcome, trial

TURNING = trial(outcome(3), (1, "1/4", "3/4"), HALF)  # got into trouble and out of it again
STEADY = trial(outcome(3), ("3/4", "3/4", "3/4"), HALF)  # went as foreseen but for the end


def _drops_signal(_: Scenario) -> Judged:
    """A response without any excess, beside one that has some."""
    dropped, kept = (sum(abs(a) for a in one.advantages) for one in (TURNING, STEADY))
    return judged(
        TURNING.excess == 0 != STEADY.excess and dropped > kept,
        lam=HALF, excess=TURNING.excess, deltas=TURNING.deltas, dropped=TURNING.advantages,
        other=STEADY.excess, kept=STEADY.advantages,
    )  # fmt: skip


FILTERED: dict[str, Check] = {"dropping_responses_without_excess_drops_signal": _drops_signal}
