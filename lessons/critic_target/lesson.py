"""The critic is regressed onto the returns; a clip around its old prediction makes the loss larger, never smaller."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.errors import EngineError
from engine.facts import Facts, Inputs, compute
from engine.mistakes.mistake import each
from engine.one_token import OneToken, outlook
from engine.ops import Number
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from engine.scenario import scenario as validated
from lessons import _twins as twins
from lessons._figure import Figure, first_of, over_tokens
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.critic_target.checks import FACTS

__all__ = ["FACTS", "MISTAKES", "QUANTITIES", "show"]

QUANTITIES: tuple[str, ...] = ("value_loss",)
MISTAKES = ("value_clip_min_for_max", "value_loss_without_half", "value_clip_always")
LAST_TOKEN = OneToken(probabilities=(0.6, 0.4), rewards=(1.0, 0.0), next_values=(0.0, 0.0))
ROUNDS = 4  # of fitting the same response again, each time exactly
REFITTED = validated({"rewards": [0, 0, 1], "values": [0.5, 0.6, 0.9], "gamma": 1, "lam": 0.9})


def show(scenario: Scenario) -> Shown:
    own = with_predictions(scenario)
    facts = compute(by_token, own).beside(compute(turning_point, first_response(own)))
    if _has_rewards(own):
        facts = facts.beside(compute(other_targets, own))
    return Shown(
        facts=facts.beside(_constants()),
        work=worked(by_token, own),
        proofs={
            name: theorem(name)
            for name in ("regression_is_flat_at_the_mean", "clipped_value_error_is_upper_bound",
                         "value_gradient_is_zero_when_clip_decides")
        },
        counterexamples={"lowers": counterexample("value_clip_lowers_the_loss")},
        mistakes={id: mistakes.run(id, own) for id in MISTAKES},
        figures={"predictions": _figure(facts)} if not own.batched and own.mask is None else {},
        twins=(twins.value_loss,),
    )  # fmt: skip


def with_predictions(scenario: Scenario) -> Scenario:
    """The scenario; before the first update the new predictions are the old values."""
    old = scenario.old_values if scenario.old_values is not None else scenario.values
    if old is None:
        raise EngineError("missing", field="values")
    if scenario.returns is None and (scenario.values is None or not _has_rewards(scenario)):
        raise EngineError("missing", field="returns")
    return scenario if scenario.vpreds is not None else scenario.merged({"vpreds": old})


def _has_rewards(scenario: Scenario) -> bool:
    has_kl = scenario.kl_values is not None or scenario.ref_logp is not None
    return scenario.values is not None and (scenario.rewards is not None or (scenario.scores is not None and has_kl))


def by_token(x: Inputs) -> dict[str, Any]:
    """The value loss with and without the clip, and how each prediction is pulled."""
    found = quantities.value_loss(x)
    vpreds, old, returns, mask = x["vpreds"], _old(x), found["returns"], x.mask

    def loss_of(predictions: Any) -> tuple[Any, Any]:
        errors = x.on.value_errors(predictions, old, returns, mask, cliprange=None)
        return errors, formulas.value_loss_term(x.on.masked_mean(errors, mask))

    plain, plain_loss = loss_of(vpreds)
    cliprange = x["cliprange_value"]
    return {
        **found,
        "T": x.scenario.length,
        "vpreds": vpreds,
        "old_values": old,
        "advantages": x.on.advantages_of(returns, old, mask),
        "plain_sq_err": plain,
        "plain_loss": plain_loss,
        "first_loss": loss_of(old)[1],
        "pull": each(x.on, lambda v, o, r: _pull(v, o, r, cliprange), mask, vpreds, old, returns),
    }


def _old(x: Inputs) -> Any:
    return x["old_values" if x.has("old_values") else "values"]


def _pull(vpred_t: Number, old_v_t: Number, return_t: Number, cliprange: Number) -> Number:
    """Minus the derivative of a token's loss: the way to the target, none where the clip decides."""
    free = 1 - formulas.is_value_clipped(vpred_t, old_v_t, return_t, cliprange)
    return free * formulas.advantage(return_t, vpred_t)


def turning_point(x: Inputs) -> dict[str, Any]:
    """The first token of the first response that the clip decides, else the first one."""
    of, returns = x["cliprange_value"], quantities.value_loss(x)["returns"]
    clipped = each(x.on, lambda *on: 0 * on[0] + formulas.is_value_clipped(on[0], on[1], on[2], of), x.mask,
                   x["vpreds"], _old(x), returns)  # fmt: skip
    decided = [t for t, one in enumerate(clipped[0]) if one]
    return {"decided": len(decided), "shown_at": decided[0] if decided else 0}


def other_targets(x: Inputs) -> dict[str, Any]:
    """What else could stand for the target: G, whitened A plus V, and R of the critic that has moved."""
    rewards, values, mask = quantities.rewards(x), x["values"], x.mask
    given = {"gamma": x["gamma"], "lam": x["lam"]}
    advantages, _ = x.on.gae(rewards, values, mask, **given)
    found = {
        "rewards": rewards,
        "mc_returns": x.on.mc_returns(rewards, mask, gamma=x["gamma"]),
        "next_returns": x.on.gae(rewards, x["vpreds"], mask, **given)[1],
    }
    if _valid_tokens(x.scenario) > 1:
        found["whitened_targets"] = x.on.critic_targets(x.on.whiten(advantages, mask), values, mask)
    return found


def _valid_tokens(scenario: Scenario) -> int:
    if scenario.mask is None:
        return scenario.length * len(scenario.rows("vpreds"))
    return int(sum(map(sum, scenario.rows("mask"))))


def _constants() -> Facts:
    world = compute(outlook(LAST_TOKEN), Scenario())
    return world.beside(compute(refitted, REFITTED)).under("constants")


def refitted(x: Inputs) -> dict[str, Any]:
    """V put onto its own targets, again and again: what it says before the first and the last token."""
    values, first, last = x["values"], [], []
    for _ in range(ROUNDS):
        first.append(values[0][0])
        last.append(values[0][-1])
        values = x.on.gae(x["rewards"], values, x.mask, gamma=x["gamma"], lam=x["lam"])[1]
    goal = x.on.mc_returns(x["rewards"], x.mask, gamma=x["gamma"])[0][0]
    return {"rounds": list(range(ROUNDS)), "first_value": first, "last_value": last, "goal": goal}


def _figure(facts: Facts) -> Figure:
    return over_tokens("together", first_of(facts.numbers, "old_values", "vpreds", "returns"), "values")
