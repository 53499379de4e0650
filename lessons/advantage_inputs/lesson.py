"""The recursion reads rewards, values, γ and λ; everything else acts through the rewards, or through the mask."""

from __future__ import annotations

from engine import mistakes, quantities
from engine.errors import EngineError
from engine.facts import Facts, compute
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import Figure, by_place
from lessons._first import worked
from lessons._lesson import Shown
from lessons.advantage_inputs.checks import FACTS
from lessons.advantage_inputs.inputs import LONGEST_MAP, has_rewards, maps, rewards_held, traced
from lessons.advantage_inputs.mask import masked

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("value_reward_dropped", "bootstrap_forgotten")

__all__ = ["FACTS", "MISTAKES", "QUANTITIES", "show"]


def show(scenario: Scenario) -> Shown:
    if not has_rewards(scenario):
        raise EngineError("missing", field="rewards")
    if scenario.values is None:
        raise EngineError("missing", field="values")
    facts = quantities.facts("gae", scenario).beside(traced(scenario))
    mapped = scenario.length <= LONGEST_MAP and not scenario.batched and scenario.mask is None
    if mapped:
        facts = facts.beside(compute(maps, rewards_held(scenario)))
    return Shown(
        facts=facts.beside(masked(scenario)),
        work=worked(quantities.gae, scenario),
        proofs={
            name: theorem(name)
            for name in (
                "gae_is_decayed_sum_of_deltas",
                "reward_reaches_back_with_gamma_lambda",
                "own_value_lowers_advantage_one_to_one",
                "later_value_reaches_back_through_bootstrap",
                "later_advantages_ignore_reward",
            )
        },
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures=_figures(facts) if mapped and scenario.length > 1 else {},
        twins=(twins.gae,),
    )


def _figures(facts: Facts) -> dict[str, Figure]:
    moved = {"by_reward": "rewards", "by_value": "values"}
    return {name: by_place(facts.numbers[name], by, "advantages") for name, by in moved.items()}
