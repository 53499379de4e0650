"""V_t is read before token t is chosen, so what token t will earn is still ahead of it and inside it, on average."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.errors import EngineError
from engine.facts import Inputs, compute
from engine.one_token import OneToken, outlook
from engine.ops import Number, named
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import first_of, over_tokens
from lessons._first import worked
from lessons._lesson import Shown
from lessons.value_includes_reward.checks import FACTS

QUANTITIES: tuple[str, ...] = ()
NEWS = ("deltas_of_exact", "deltas_without_reward")
LAST_TOKEN = OneToken(probabilities=(0.6, 0.4), rewards=(1.0, 0.0), next_values=(0.0, 0.0))
MISTAKES = (
    "value_reward_left_out",
    "value_reward_not_in_returns",
    "value_reward_twice_in_returns",
    "bootstrap_forgotten",
    "bootstrap_next_value_forgotten",
)

__all__ = ["FACTS", "MISTAKES", "QUANTITIES", "show"]


def show(scenario: Scenario) -> Shown:
    if scenario.rewards is None and scenario.scores is None:
        raise EngineError("missing", field="rewards")
    has_values = scenario.values is not None
    facts = compute(both_readings, scenario)
    return Shown(
        facts=facts.beside(compute(outlook(LAST_TOKEN), Scenario()).under("constants")),
        work=worked(both_readings, scenario),
        proofs={
            "includes": theorem("value_includes_expected_reward"),
            "unbiased": theorem("exact_value_has_unbiased_delta"),
            "biased": theorem("value_without_reward_has_biased_delta"),
        },
        counterexamples={"without": counterexample("value_without_reward_has_unbiased_delta")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES} if has_values else {},
        figures={"news": over_tokens("together", first_of(facts.numbers, *NEWS), "deltas")},
        twins=(twins.exact_values,),
    )


def both_readings(x: Inputs) -> dict[str, Any]:
    """If nothing more is left to chance: V with r_t in it (that is G) and without (W), and the δ's of each."""
    rewards, mask, gamma = quantities.rewards(x), x.mask, x["gamma"]
    whole = x.on.mc_returns(rewards, mask, gamma=gamma)
    without = x.on.over_valid(_less_reward, mask, whole, rewards)
    own = quantities.gae(x) if x.has("values") else {"rewards": rewards, "T": x.scenario.length}
    return {
        **own,
        "mc_returns": whole,
        "values_without_reward": without,
        "deltas_of_exact": x.on.td_errors(rewards, whole, mask, gamma=gamma),
        "deltas_without_reward": x.on.td_errors(rewards, without, mask, gamma=gamma),
    }


def _less_reward(returns: Any, rewards: Any) -> list[Number]:
    rows = zip(returns, rewards, strict=True)
    return [named(formulas.advantage(g_t, r_t), "values_without_reward", t) for t, (g_t, r_t) in enumerate(rows)]
