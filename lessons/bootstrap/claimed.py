"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._checks import moved_by_value
from lessons._fact import Check, Judged, holds

HALF = 0.5


def _later_values_move_the_advantage(_: Scenario) -> Judged:
    theorem("later_values_vanish_at_lambda_one")
    return Judged("depends", {"between": moved_by_value(2), "one": moved_by_value(2, lam=1.0), "lam": RUNNING.lam})


def _distant_values_count_between(_: Scenario) -> Judged:
    moved = moved_by_value(2, lam=HALF)
    return Judged(holds(moved != 0), {"moved": moved, "lam": HALF})


def _next_value_counts_at_lambda_zero(_: Scenario) -> Judged:
    moved, further = (moved_by_value(t, lam=0.0) for t in (1, 2))
    return Judged(holds(moved != 0), {"moved": moved, "further": further})


CHECKS: dict[str, Check] = {
    "later_values_move_the_advantage": _later_values_move_the_advantage,
    "distant_values_count_between": _distant_values_count_between,
    "next_value_counts_at_lambda_zero": _next_value_counts_at_lambda_zero,
}
