"""R = A + V is the λ-return: the Monte Carlo return only at λ = 1, and never Q itself but at best a sample of it."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities
from engine.conventions import OPENRLHF, TRL, VERL_NEW, Rollout, run
from engine.example import RUNNING
from engine.facts import Inputs, compute
from engine.fork import small_world
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, over_tokens
from lessons._first import first_response, worked
from lessons._lesson import Shown

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("mc_for_returns", "delta_for_advantage", "bootstrap_forgotten", "value_reward_twice_in_returns")
GAP = "monte_carlo_exceeds_lambda_return_by_later_deltas"


def show(scenario: Scenario) -> Shown:
    facts = compute(identity, scenario)
    proofs = {
        "lambda_return": theorem("advantage_plus_value_is_lambda_return"),
        "telescoping": theorem("telescoping"),
        "gap": theorem(GAP),
        "one": theorem("lambda_return_is_monte_carlo_at_lambda_one"),
    }
    return Shown(
        facts=facts.beside(small_world().under("constants")),
        work=worked(identity, scenario),
        proofs=proofs,
        counterexamples={"any": counterexample("critic_target_is_monte_carlo_at_any_lambda")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"along_the_response": _along(scenario)},
        twins=(twins.lambda_returns,),
    )


def identity(x: Inputs) -> dict[str, Any]:
    """R as A + V and by its own recursion, and what the Monte Carlo return has over it."""
    found = quantities.gae(x)
    by_recursion = x.on.lambda_returns(found["rewards"], found["values"], x.mask, gamma=x["gamma"], lam=x["lam"])
    gap = x.on.advantages_of(found["mc_returns"], found["returns"], x.mask)
    return {**found, "lambda_returns": by_recursion, "gap": gap}


def _along(scenario: Scenario) -> Figure:
    found = compute(identity, first_response(scenario)).numbers
    series = {name: tuple(found[name]) for name in ("values", "returns", "mc_returns")}
    return over_tokens("together", series, "returns")


# ---------------------------------------------------------------- what learners claim of projects


def _projects_agree(_: Scenario) -> Judged:
    rewards = [float(r) for r in quantities.facts("gae", RUNNING).exact["rewards"]]
    rollout = Rollout(rewards=[rewards], values=[list(RUNNING.rows("values")[0])], mask=[[1] * RUNNING.length])
    found = [run(rollout, project, gamma=1.0, lam=0.95).returns[0][0] for project in (VERL_NEW, TRL, OPENRLHF)]
    return Judged(
        holds(close(found[0], found[1]) and close(found[0], found[2])),
        {"found": [round(float(x), 6) for x in found]},
    )


FACTS: dict[str, Check] = {"projects_agree_on_returns": _projects_agree}
