"""One PPO iteration, stage by stage: what actor, reference, critic and reward write into the batch, and the updates."""

from __future__ import annotations

from functools import partial
from typing import Any

from engine import formulas, quantities
from engine.errors import EngineError
from engine.facts import Facts, Inputs, compute
from engine.losses import Clip
from engine.mistakes import MISTAKES
from engine.models.runs import observed
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import Figure, lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons._policies import tokens
from lessons.ppo_loop.checks import FACTS

__all__ = ["FACTS", "MISTAKEN", "QUANTITIES", "TOGETHER", "show"]

QUANTITIES: tuple[str, ...] = ()
TOGETHER = True
MISTAKEN = ("mc_for_returns", "mc_for_gae_as_if_lam_were_one", "delta_for_advantage")


def show(scenario: Scenario) -> Shown:
    own = named(scenario)
    facts = iteration(own).beside(compute(rollout, _richer(own)).under("counterexample"))
    return Shown(
        facts=facts,
        work=worked(quantities.gae, own),
        mistakes={id: compute(MISTAKES[id].on("gae"), own) for id in MISTAKEN},
        proofs={"one": theorem("ratio_is_one_at_first_step")},
        figures={"stages": _figure(facts.numbers)},
        twins=(twins.pipeline, twins.gae) if _whole(scenario) else (twins.gae,),
        iteration=partial(observed, first_response(scenario)),
    )


def _whole(own: Scenario) -> bool:
    """Whether one twin can run from scores to whitened advantages: more than a token, and nothing masked."""
    return own.mask is None and own.length * len(own.rows("values")) > 1


def named(scenario: Scenario) -> Scenario:
    """The rollout under one set of names; before any update the new numbers are the old ones."""
    old = scenario.old_logp if scenario.old_logp is not None else scenario.logp
    values = scenario.values if scenario.values is not None else scenario.old_values
    if values is None:
        raise EngineError("missing", field="values")
    made = {"rewards": None} if scenario.scores is not None else {}
    started = {} if old is None else {"new_logp": scenario.new_logp or old}
    return scenario.merged(
        {**made, **started, "logp": None, "old_logp": old, "values": values, "vpreds": scenario.vpreds or values}
        | {"old_values": None, "advantages": None, "returns": None, "ratio": None}
    )


def iteration(own: Scenario) -> Facts:
    """The rollout's stage, then the updates on its numbers, before the first of them and after."""
    first, after = compute(update, _unmoved(own)), compute(update, own)
    return compute(rollout, own).beside(first.under("first")).beside(after.under("after"))


def rollout(x: Inputs) -> dict[str, Any]:
    """What is written once: by the models, and by the arithmetic between them."""
    found = {name: x[name] for name in ("old_logp", "ref_logp", "values", "scores") if x.has(name)}
    if x.has("kl_values") or x.has("old_logp", "ref_logp"):
        found["kl"] = quantities.kl(x)
    r = found["rewards"] = quantities.rewards(x)
    found["deltas"] = x.on.td_errors(r, x["values"], x.mask, gamma=x["gamma"])
    found["advantages"], found["returns"] = x.on.gae(r, x["values"], x.mask, gamma=x["gamma"], lam=x["lam"])
    if tokens(x.scenario) > 1:
        found["whitened"] = x.on.whiten(found["advantages"], x.mask)
    return {**found, "T": x.scenario.length}


def update(x: Inputs) -> dict[str, Any]:
    """One mini-step: what critic and actor say now, their losses on the rollout's numbers, and what is logged."""
    made = rollout(x)
    advantages, returns, mask = made.get("whitened", made["advantages"]), made["returns"], x.mask
    vpreds, values, cliprange = x["vpreds"], x["values"], x["cliprange_value"]
    errors = x.on.value_errors(vpreds, values, returns, mask, cliprange=cliprange)
    found = {
        "vpreds": vpreds,
        "vf_loss": formulas.value_loss_term(x.on.masked_mean(errors, mask)),
        "vf_clipfrac": x.on.value_clip_fraction(vpreds, values, returns, mask, cliprange=cliprange),
    }
    if not x.has("new_logp", "old_logp"):
        return found
    low, high = (x[name if x.has(name) else "eps"] for name in ("eps_low", "eps_high"))
    ratio = x.on.ratios(x["new_logp"], x["old_logp"], mask)
    terms = x.on.objectives(ratio, advantages, mask, clip=Clip(low, high))
    return {
        **found,
        "new_logp": x["new_logp"],
        "ratio": ratio,
        "pg_loss": -x.on.masked_mean(terms, mask),
        "pg_clipfrac": x.on.clip_fraction(ratio, advantages, mask, clip=Clip(low, high)),
        "approx_kl": x.on.approx_kl(x["new_logp"], x["old_logp"], mask),
    }


def _richer(own: Scenario) -> Scenario:
    """The same response and the same values, one point more on every token."""
    name = "rewards" if own.scores is None else "scores"
    if getattr(own, name) is None:
        raise EngineError("missing", field="rewards")
    return own.merged({name: [[x + 1 for x in row] for row in own.rows(name)]})


def _unmoved(batch: Scenario) -> Scenario:
    return batch.merged({"vpreds": batch.values, "new_logp": batch.old_logp})


def _figure(found: Any) -> Figure:
    names = ("scores", "kl", "rewards", "values", "deltas", "advantages", "returns", "whitened")
    return lanes(found, *names)
