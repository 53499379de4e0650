"""The computations a learner can ask for: each a program that runs on tensors and on exact numbers alike."""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.facts import Facts, Inputs, compute
from engine.scenario import Scenario


def rewards(x: Inputs) -> Any:
    """The given rewards, or those that scores and KL make."""
    if x.has("rewards"):
        return x["rewards"]
    if not x.has("scores"):
        raise EngineError("missing", field="rewards", instead=("scores", "kl_values", "beta"))
    return x.on.rewards(x["scores"], kl(x), x.mask, beta=x["beta"])


def kl(x: Inputs) -> Any:
    return x["kl_values"]


def recurrences(x: Inputs) -> dict[str, Any]:
    """Everything that rewards and values determine: δ, A, R, the Monte Carlo return beside them, and the totals."""
    r, values = rewards(x), x["values"]
    gamma, lam = x["gamma"], x["lam"]
    deltas = x.on.td_errors(r, values, x.mask, gamma=gamma)
    advantages, returns = x.on.gae(r, values, x.mask, gamma=gamma, lam=lam)
    mc_returns = x.on.mc_returns(r, x.mask, gamma=gamma)
    return {
        "rewards": r,
        "values": values,
        "deltas": deltas,
        "advantages": advantages,
        "returns": returns,
        "mc_returns": mc_returns,
        "T": x.on.length(r),
        "delta_sum": x.on.discounted_sum(deltas, x.mask, gamma=gamma),
        "excess": x.on.excess(mc_returns, values, x.mask),
        "advantage_sum": x.on.total(advantages, x.mask),
    }


def gae(scenario: Scenario) -> Facts:
    return compute(recurrences, scenario)
