"""Return minus value beside GAE: the first is the second at λ = 1, token by token."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities
from engine.facts import Inputs, compute
from engine.proofs.monte_carlo import gae_is_monte_carlo_at_any_lambda, gae_lambda_one_is_monte_carlo
from engine.proofs.returns import monte_carlo_exceeds_lambda_return_by_later_deltas
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import first_of, over_tokens
from lessons._first import worked
from lessons._lesson import Shown
from lessons.mc_vs_gae.baselines import FACTS

QUANTITIES: tuple[str, ...] = ("gae", "mc", "reward_to_go")
MISTAKES = ("mc_for_gae_as_if_lam_were_one", "delta_for_advantage", "bootstrap_forgotten")

__all__ = ["FACTS", "MISTAKES", "QUANTITIES", "show"]


def show(scenario: Scenario) -> Shown:
    if scenario.values is None:
        return Shown(
            facts=quantities.facts("reward_to_go", scenario),
            work=worked(quantities.reward_to_go, scenario),
            twins=(twins.returns_to_go,),
        )
    facts = compute(side_by_side, scenario)
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs={"one": gae_lambda_one_is_monte_carlo(), "gap": monte_carlo_exceeds_lambda_return_by_later_deltas()},
        counterexamples={"any": gae_is_monte_carlo_at_any_lambda()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"both": over_tokens("together", first_of(facts.numbers, "mc_advantages", "advantages"), "advantages")},
        twins=(twins.monte_carlo,),
    )


def side_by_side(x: Inputs) -> dict[str, Any]:
    """Both ways, and at every token what the first has over the second."""
    found = quantities.gae(x)
    return {**found, "gap": x.on.advantages_of(found["mc_advantages"], found["advantages"], x.mask)}
