"""The critic is regressed onto the returns; a clip around its old prediction makes the loss larger, never smaller."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Facts, Inputs, compute, exact_facts
from engine.mistakes.mistake import each
from engine.one_token import OneToken, outlook
from engine.ops import Number
from engine.proofs import counterexample, theorem
from engine.readings.exact import rational
from engine.scenario import Scenario
from engine.scenario import scenario as validated
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, first_of, over_tokens
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.critic_target.between import BETWEEN
from lessons.critic_target.checks import MORE
from lessons.critic_target.claimed import CHECKS
from lessons.critic_target.judged import JUDGED
from lessons.critic_target.loss import LOSS
from lessons.critic_target.targets import TARGET

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


# ---------------------------------------------------------------- what learners claim


def _loss(**given: Any) -> dict[str, Any]:
    return exact_facts(by_token, validated({"gamma": 1, "lam": 0.9, "cliprange_value": 0.2, **given}))


def _world() -> dict[str, Any]:
    return exact_facts(outlook(LAST_TOKEN), Scenario())


def _fits_returns(_: Scenario) -> Judged:
    """The loss is 0 where the predictions are the returns, and nowhere else."""
    returns = [0.7, 0.9]
    at = _loss(vpreds=returns, old_values=returns, returns=returns)["vf_loss"]
    off = _loss(vpreds=[0.7, 0.8], old_values=[0.7, 0.8], returns=returns)["vf_loss"]
    return Judged(holds(at == 0 < off), {"at": at, "off": off, "returns": returns})


def _returns_teach_q(_: Scenario) -> Judged:
    theorem("regression_is_flat_at_the_mean")
    world = _world()
    q = world["earned"]
    return Judged(holds(all(world["value"] == x for x in q)), {"value": world["value"], "q": q})


def _label_is_the_score(_: Scenario) -> Judged:
    own = exact_facts(by_token, RUNNING)["returns"]
    rewards = exact_facts(other_targets, RUNNING)["rewards"]
    scores = [rational(score) for score in RUNNING.rows("scores")[0]]
    return Judged(holds(own in (rewards, scores)), {"returns": own, "scores": scores})


def _should_fit_advantages(_: Scenario) -> Judged:
    """What a critic would learn that is regressed onto A: the mean of A, given the state."""
    world = _world()
    return Judged(holds(world["mean_delta"] != 0), {"a": world["deltas"], "mean": world["mean_delta"]})


def _takes_the_smaller(_: Scenario) -> Judged:
    found = _loss(vpreds=[1.0], old_values=[0.5], returns=[1.0])
    clipped = formulas.squared_error(found["vpred_clipped"][0], found["returns"][0])
    taken, plain = found["max_sq_err"][0], found["plain_sq_err"][0]
    return Judged(holds(taken == min(plain, clipped)), {"plain": plain, "clipped": clipped, "taken": taken})


def _clip_lowers_the_loss(_: Scenario) -> Judged:
    theorem("clipped_value_error_is_upper_bound")
    found = counterexample("value_clip_lowers_the_loss")
    return Judged(holds(found.left <= found.right), {"clipped": found.left, "plain": found.right})


def _is_plain_mse(_: Scenario) -> Judged:
    """Half of it inside the clip range, more outside."""
    inside = _loss(vpreds=[0.6], old_values=[0.5], returns=[1.0])
    outside = _loss(vpreds=[1.0], old_values=[0.5], returns=[1.0])
    same = inside["max_sq_err"] == inside["plain_sq_err"] and outside["max_sq_err"] == outside["plain_sq_err"]
    return Judged(
        "true" if same else "depends",
        {"mse": inside["plain_sq_err"][0], "loss": inside["vf_loss"], "far_mse": outside["plain_sq_err"][0],
         "far_loss": outside["vf_loss"]},
    )  # fmt: skip


def _first_loss_is_half_squared_advantage(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    found = exact_facts(by_token, own.merged({"vpreds": own.values, "returns": None, "old_values": None}))
    squares = [a * a for a in exact_facts(quantities.gae, own)["advantages"]]
    mean = sum(squares) / len(squares)
    same = abs(found["vf_loss"] - mean / 2) < 1e-30 * (1 + abs(mean))
    return Judged(holds(bool(same)), {"loss": found["vf_loss"], "mean": mean})


def _first_clip_fraction_is_zero(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    found = exact_facts(by_token, own.merged({"vpreds": own.values, "returns": None, "old_values": None}))
    later = exact_facts(by_token, RUNNING)["vf_clipfrac"]
    return Judged(holds(found["vf_clipfrac"] == 0), {"first": found["vf_clipfrac"], "later": later})


def _gradient_through_returns(_: Scenario) -> Judged:
    """(V − (A + V))² does not move with V: with the target let loose there is nothing to learn from."""
    advantage, here, moved = rational(0.4), rational(0.6), rational(0.7)
    errors = [formulas.squared_error(v, formulas.critic_target(advantage, v)) for v in (here, moved)]
    fixed = [formulas.squared_error(v, formulas.critic_target(advantage, here)) for v in (here, moved)]
    return Judged(holds(errors[0] != errors[1]), {"loose": errors, "fixed": fixed})


def _no_gradient_outside(_: Scenario) -> Judged:
    """Outside the range: away from the target, and on the far side of it."""
    away = _loss(vpreds=[0.1], old_values=[0.5], returns=[1.0])
    towards = _loss(vpreds=[0.9], old_values=[0.5], returns=[1.0])
    return Judged(
        holds(away["pull"][0] == towards["pull"][0] == 0),
        {"away": away["pull"][0], "towards": towards["pull"][0], "old": rational(0.5), "goal": rational(1.0),
         "first": rational(0.1), "second": rational(0.9)},
    )  # fmt: skip


def _low_loss_is_good_policy(_: Scenario) -> Judged:
    """A response that earns nothing but losses, foreseen exactly."""
    rewards = [-1.0, -1.0, -1.0]
    foreseen = [-3.0, -2.0, -1.0]
    found = _loss(rewards=rewards, values=foreseen, vpreds=foreseen)
    earned = sequences.mc_returns([rational(r) for r in rewards], rational(1.0))[0]
    return Judged(holds(found["vf_loss"] != 0), {"loss": found["vf_loss"], "earned": earned})


def _circular(_: Scenario) -> Judged:
    found = exact_facts(refitted, REFITTED)
    moved = abs(found["first_value"][-1] - found["goal"]) < abs(found["first_value"][0] - found["goal"])
    return Judged(holds(not moved), {"values": found["first_value"], "goal": found["goal"]})


def _target_is_next_value(_: Scenario) -> Judged:
    """Whether R_t is what one step sees, r_t + γV_{t+1}."""
    found = exact_facts(quantities.gae, REFITTED)
    one = [formulas.critic_target(d, v) for d, v in zip(found["deltas"], found["values"], strict=True)]
    return Judged(holds(found["returns"] == one), {"returns": found["returns"], "one": one})


FACTS: dict[str, Check] = {
    **CHECKS,
    "critic_fits_returns": _fits_returns,
    "returns_teach_q": _returns_teach_q,
    "critic_label_is_the_score": _label_is_the_score,
    "critic_should_fit_advantages": _should_fit_advantages,
    "value_clip_takes_the_smaller_error": _takes_the_smaller,
    "value_clip_lowers_the_loss": _clip_lowers_the_loss,
    "critic_loss_is_plain_mse": _is_plain_mse,
    "first_loss_is_half_mean_squared_advantage": _first_loss_is_half_squared_advantage,
    "first_clip_fraction_is_zero": _first_clip_fraction_is_zero,
    "gradient_flows_through_returns": _gradient_through_returns,
    "no_gradient_outside_the_range": _no_gradient_outside,
    "low_value_loss_means_good_policy": _low_loss_is_good_policy,
    "fitting_returns_is_circular": _circular,
    "target_is_one_step_ahead": _target_is_next_value,
    **MORE,
    **JUDGED,
    **TARGET,
    **LOSS,
    **BETWEEN,
}
