"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import gae
from lessons._fact import Check, Judged, holds


def _advantages_sum_like_deltas(_: Scenario) -> Judged:
    found = gae()
    advantages, deltas = sum(found["advantages"]), sum(found["deltas"])
    return Judged(holds(advantages == deltas), {"advantages": advantages, "deltas": deltas, "lam": at_hand().lam})


CHECKS: dict[str, Check] = {
    "advantages_sum_like_deltas": _advantages_sum_like_deltas,
}
