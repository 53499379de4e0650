"""How V moves from token to token: V_{t+1} − V_t = (1 − γ) V_{t+1} − r_t, and what each kind of reward makes of it."""

from __future__ import annotations

from engine import formulas, mistakes, sequences
from engine.errors import EngineError
from engine.facts import Facts, compute
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons._figure import Figure
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons._proposition import Check
from lessons.value_shape import claims
from lessons.value_shape.shapes import KINDS, along, constants, directions, has_rewards, regimes

QUANTITIES: tuple[str, ...] = ()
PROPOSITIONS: dict[str, Check] = claims.PROPOSITIONS
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
        figures={"regimes": _figure(), **({"own": _own_figure(facts)} if _one(scenario) else {})},
        code=(formulas.mc_step, formulas.value_change, sequences.mc_returns),
    )


def _one(scenario: Scenario) -> bool:
    return not scenario.batched and scenario.mask is None


def _figure() -> Figure:
    found = compute(regimes, Scenario()).numbers
    series = {name: tuple(found[name]) for kind in KINDS for name in (kind, f"{kind}_discounted")}
    return Figure("lines", tuple(found["position"]), series, x_name="position", y_name="values")


def _own_figure(facts: Facts) -> Figure:
    names = [name for name in ("mc_returns", "values") if name in facts.numbers]
    series = {name: tuple(facts.numbers[name]) for name in names}
    return Figure("lines", tuple(range(len(series[names[0]]))), series, x_name="position", y_name="values")
