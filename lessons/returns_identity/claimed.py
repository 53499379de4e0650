"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine import formulas
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._compare import close
from lessons._proposition import Check, Judged, holds


def _obeys_the_lambda_recursion(_: Scenario) -> Judged:
    found = gae()
    r, v, ret = found["rewards"], [*found["values"], 0], [*found["returns"], 0]
    gamma, lam = RUNNING.gamma, RUNNING.lam
    steps = [formulas.lambda_return_step(r[t], v[t + 1], ret[t + 1], gamma, lam) for t in range(len(r))]
    return Judged(holds(close(steps, found["returns"])), {"stepped": steps[0], "first": found["returns"][0]})


CHECKS: dict[str, Check] = {
    "obeys_the_lambda_recursion": _obeys_the_lambda_recursion,
}
