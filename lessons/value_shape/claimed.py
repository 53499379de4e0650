"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._checks import alone, one_token
from lessons._fact import Check, Judged, holds

COSTLY = 4  # tokens


def _value_is_success_probability(_: Scenario) -> Judged:
    world = one_token()
    return Judged(
        holds(world["value"] == world["probabilities"][0]),
        {"p": world["probabilities"][0], "value": world["value"]},
    )


def _cost_alone_makes_values_rise(_: Scenario) -> Judged:
    costs = [-1.0] * COSTLY
    found = alone("mc", rewards=costs, values=costs, gamma=1.0)["mc_returns"]
    return Judged(holds(sorted(found) == found), {"first": found[0], "last": found[-1], "cost": costs[0]})


def _values_go_one_way(_: Scenario) -> Judged:
    theorem("value_falls_under_positive_reward"), theorem("value_rises_under_negative_reward")
    values = RUNNING.rows("values")[0]
    return Judged("depends", {"first": values[0], "last": values[-1]})


CHECKS: dict[str, Check] = {
    "value_is_success_probability": _value_is_success_probability,
    "cost_alone_makes_values_rise": _cost_alone_makes_values_rise,
    "values_go_one_way": _values_go_one_way,
}
