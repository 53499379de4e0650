"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import gae
from lessons._fact import Check, Judged, holds


def _lambda_has_no_part(_: Scenario) -> Judged:
    sums = [gae(lam=x)["delta_sum"] for x in (0.0, at_hand().lam, 1.0)]
    return Judged(holds(len(set(sums)) == 1), {"sum": sums[0], "lam": at_hand().lam})


CHECKS: dict[str, Check] = {
    "lambda_has_no_part": _lambda_has_no_part,
}
