"""V_t is read before token t is chosen, so what token t will earn is still ahead of it and inside it, on average."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas, mistakes, quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Facts, Inputs, compute
from engine.one_token import OneToken, outlook
from engine.ops import Number, named
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import first_of, over_tokens
from lessons._first import numbers, worked
from lessons._lesson import Shown
from lessons.value_includes_reward.checks import MORE
from lessons.value_includes_reward.follows import FOLLOWS
from lessons.value_includes_reward.judged import JUDGED
from lessons.value_includes_reward.matters import MATTERS
from lessons.value_includes_reward.parts import PARTS
from lessons.value_includes_reward.sizes import SIZES
from lessons.value_includes_reward.turns_on import TURNS_ON
from lessons.value_includes_reward.uses import USES

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


def show(scenario: Scenario) -> Shown:
    if scenario.rewards is None and scenario.scores is None:
        raise EngineError("missing", field="rewards")
    has_values = scenario.values is not None
    facts = compute(both_readings, scenario)
    return Shown(
        facts=facts.beside(_chance()),
        work=worked(both_readings, scenario),
        proofs={
            "includes": theorem("value_includes_expected_reward"),
            "unbiased": theorem("exact_value_has_unbiased_delta"),
            "biased": theorem("value_without_reward_has_biased_delta"),
        },
        counterexamples={"without": counterexample("value_without_reward_has_unbiased_delta")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES} if has_values else {},
        figures={
            "news": over_tokens(
                "together", first_of(facts.numbers, "deltas_of_exact", "deltas_without_reward"), "deltas"
            )
        },
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


def _chance() -> Facts:
    return compute(outlook(LAST_TOKEN), Scenario()).under("constants")


# ---------------------------------------------------------------- what learners claim


def _world() -> dict[str, Any]:
    return dict(_chance().exact["constants"])


def _on_world(statement: Callable[[dict[str, Any]], bool], *shown: str) -> Check:
    """A claim about the one token of which everything is known."""

    def check(_: Scenario) -> Judged:
        world = _world()
        return Judged(holds(statement(world)), {name: world[name] for name in shown})

    return check


def _includes(_: Scenario) -> Judged:
    theorem("value_includes_expected_reward")
    world = _world()
    return Judged(holds(world["value"] - world["mean_after"] == world["mean_reward"]), world)


def _next_value_includes(scenario: Scenario) -> Judged:
    """Whether G_1 moves with r_0."""
    own = numbers(scenario)
    own = own if own.length > 1 else RUNNING
    found = compute(both_readings, own).exact
    rewards = [float(r) for r in found["rewards"]]
    raised = compute(both_readings, own.merged({"rewards": [rewards[0] + 1, *rewards[1:]]})).exact
    moved = {"before": found["mc_returns"][1], "after": raised["mc_returns"][1], "own": raised["mc_returns"][0]}
    return Judged(holds(moved["before"] != moved["after"]), {**moved, "own_before": found["mc_returns"][0]})


def _only_the_own_reward(_: Scenario) -> Judged:
    """Whether V_0 is what token 0 earns and no more."""
    found = compute(both_readings, RUNNING).exact
    value, reward = found["mc_returns"][0], found["rewards"][0]
    return Judged(holds(value == reward), {"value": value, "reward": reward})


def _without_is_unbiased(_: Scenario) -> Judged:
    theorem("value_without_reward_has_biased_delta")
    found = counterexample("value_without_reward_has_unbiased_delta")
    given = dict(found.inputs)
    return Judged(holds(found.left == found.right), {"delta": found.left, "rewards": given["rewards"]})


def _every_delta_is_zero(_: Scenario) -> Judged:
    found = counterexample("sampled_delta_is_zero_with_exact_value")
    given = dict(found.inputs)
    return Judged(holds(found.left == found.right), {"delta": found.left, "rewards": given["rewards"], "p": given["p"]})


FACTS: dict[str, Check] = {
    "value_includes_own_reward": _includes,
    "perfect_last_value_is_zero": _on_world(lambda w: bool(w["value"] == 0), "value", "earned", "probabilities"),
    "next_value_includes_reward": _next_value_includes,
    "delta_counts_reward_twice": _on_world(
        lambda w: bool(w["mean_delta"] != 0), "value", "earned", "deltas", "mean_delta"
    ),
    "token_is_already_written": _on_world(
        lambda w: bool(w["deltas"][0] == w["deltas"][1]), "value", "earned", "deltas", "probabilities"
    ),
    "value_knows_the_drawn_reward": _on_world(lambda w: w["value"] in w["earned"], "value", "earned", "probabilities"),
    "every_delta_is_zero_with_exact_value": _every_delta_is_zero,
    "mean_delta_is_zero_with_exact_value": _on_world(
        lambda w: bool(w["mean_delta"] == 0), "deltas", "mean_delta", "probabilities"
    ),
    "value_without_reward_works_as_well": _without_is_unbiased,
    "value_is_own_reward_only": _only_the_own_reward,
    **MORE,
    **JUDGED,
    **PARTS,
    **USES,
    **FOLLOWS,
    **SIZES,
    **MATTERS,
    **TURNS_ON,
}
