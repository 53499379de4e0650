"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine import formulas
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact, gae, one_token
from lessons._compare import close
from lessons._fact import Check, Judged, holds


def _value_is_the_best_possible(_: Scenario) -> Judged:
    world = one_token()
    return Judged(holds(world["value"] == max(world["earned"])), {**world, "best": max(world["earned"])})


def _delta_leaves_the_reward_out(_: Scenario) -> Judged:
    found = gae()
    change = formulas.td_error(0, found["values"][-1], 0, RUNNING.gamma)
    return Judged(
        holds(found["deltas"][-1] == change),
        {"delta": found["deltas"][-1], "change": change, "reward": found["rewards"][-1]},
    )


def _q_knows_the_token(_: Scenario) -> Judged:
    world = one_token()
    return Judged(holds(len(set(world["earned"])) > 1 and world["value"] not in world["earned"]), world)


def _return_is_recursive(_: Scenario) -> Judged:
    found = exact("mc")
    g, r = found["mc_returns"], found["rewards"]
    steps = [formulas.mc_step(now, later, RUNNING.gamma) for now, later in zip(r, [*g[1:], 0], strict=True)]
    return Judged(holds(close(steps, g)), {"first": g[0], "reward": r[0], "second": g[1]})


CHECKS: dict[str, Check] = {
    "value_is_the_best_possible": _value_is_the_best_possible,
    "delta_leaves_the_reward_out": _delta_leaves_the_reward_out,
    "q_knows_the_token": _q_knows_the_token,
    "return_is_recursive": _return_is_recursive,
}
