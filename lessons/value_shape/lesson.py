"""How V moves from token to token: V_{t+1} − V_t = (1 − γ) V_{t+1} − r_t, and what each kind of reward makes of it."""

from __future__ import annotations

from engine import mistakes
from engine.errors import EngineError
from engine.facts import Facts, compute
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import Figure, first_of, over_tokens
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.value_shape.shapes import KINDS, along, constants, directions, has_rewards, regimes

QUANTITIES: tuple[str, ...] = ()
FACTS: dict[str, Check] = {}
MISTAKES = ("value_reward_not_in_returns", "value_reward_twice_in_returns")
THEOREMS = (
    "value_changes_by_discount_and_reward",
    "value_falls_under_positive_reward",
    "value_rises_under_negative_reward",
    "expected_value_changes_by_expected_reward",
    "outcome_reward_reaches_back_discounted",
)


def show(scenario: Scenario) -> Shown:
    rewarded = has_rewards(scenario)
    if not rewarded and scenario.values is None:
        raise EngineError("missing", field="rewards")
    facts = compute(along, scenario).beside(compute(directions, first_response(scenario)))
    return Shown(
        facts=facts.beside(compute(regimes, Scenario()).under("grid")).beside(constants()),
        work=worked(along, scenario),
        proofs={name: theorem(name) for name in THEOREMS},
        counterexamples={
            "falls": counterexample("value_falls_under_positive_reward_at_any_gamma"),
            "rises": counterexample("value_rises_under_negative_reward_at_any_gamma"),
        },
        mistakes={id: compute(mistakes.MISTAKES[id].on("reward_to_go"), scenario) for id in MISTAKES if rewarded},
        figures=_figures(facts),
        twins=(twins.returns_to_go,),
    )


def _figures(facts: Facts) -> dict[str, Figure]:
    found = compute(regimes, Scenario()).numbers
    kinds = {"regimes": KINDS, "discounted": [f"{kind}_discounted" for kind in KINDS]}
    shapes = {
        name: Figure("together", tuple(found["position"]), first_of(found, *series), x_name="position", y_name="values")
        for name, series in kinds.items()
    }
    return {**shapes, "own": over_tokens("together", first_of(facts.numbers, "mc_returns", "values"), "number")}
