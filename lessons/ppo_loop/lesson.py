"""One PPO iteration, stage by stage: what actor, reference, critic and reward write into the batch, and the updates."""

from __future__ import annotations

from functools import partial
from typing import Any

from engine import formulas, quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Facts, Inputs, compute
from engine.losses import Clip
from engine.mistakes import MISTAKES
from engine.models.runs import observed
from engine.proofs import theorem
from engine.scenario import Scenario
from engine.slopes import total_slopes
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons._policies import tokens
from lessons.ppo_loop.between import BETWEEN
from lessons.ppo_loop.checks import MORE
from lessons.ppo_loop.counted import COUNTED
from lessons.ppo_loop.fixed import FIXED
from lessons.ppo_loop.further import FURTHER
from lessons.ppo_loop.judged import JUDGED
from lessons.ppo_loop.turns_on import TURNS_ON
from lessons.ppo_loop.whole import WHOLE

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


# ---------------------------------------------------------------- what learners claim


EXAMPLE = named(RUNNING)


def _found() -> dict[str, Any]:
    return dict(iteration(EXAMPLE).exact)


def _batch() -> Scenario:
    """What the updates are given: numbers, whatever they were made from."""
    made = compute(rollout, EXAMPLE).numbers
    return EXAMPLE.merged({"advantages": made["whitened"], "returns": made["returns"]})


def _two_are_trained(_: Scenario) -> Judged:
    """The losses move with what actor and critic say now, and not with what the reference said."""
    batch = _batch()
    actor, critic, reference = (
        compute(total_slopes(_terms, (name,), of), batch).exact[name]
        for name, of in (("actor", "new_logp"), ("critic", "vpreds"), ("actor", "ref_logp"))
    )
    return Judged(
        holds(actor != 0 and critic != 0 and reference == 0),
        {"actor": actor, "critic": critic, "reference": reference},
    )


def _terms(x: Inputs) -> dict[str, Any]:
    ratio = x.on.ratios(x["new_logp"], x["old_logp"], x.mask)
    return {
        "actor": x.on.surrogates(ratio, x["advantages"], x.mask),
        "critic": x.on.value_errors(x["vpreds"], x["values"], x["returns"], x.mask, cliprange=None),
    }


def _reference_generates(_: Scenario) -> Judged:
    found = _found()
    return Judged("false", {"token": EXAMPLE.length, "ref": found["ref_logp"][0], "old": found["old_logp"][0]})


def _critic_scores_once(_: Scenario) -> Judged:
    found = _found()
    scored = sum(1 for x in found["scores"] if x)
    return Judged(holds(scored > len(found["values"])), {"scored": scored, "valued": len(found["values"])})


def _values_are_renewed(_: Scenario) -> Judged:
    """What the critic says after an update does not move the advantages of this iteration."""
    later = EXAMPLE.merged({"vpreds": [v + 1 for v in EXAMPLE.rows("vpreds")[0]]})
    before, after = (iteration(s).exact for s in (EXAMPLE, later))
    return Judged(
        holds(before["advantages"] != after["advantages"]),
        {"value": before["values"][0], "vpred": before["after"]["vpreds"][0], "advantage": before["advantages"][0]},
    )


def _critic_puts_out_advantages(_: Scenario) -> Judged:
    """The same values under another score."""
    other = EXAMPLE.merged({"scores": [*EXAMPLE.rows("scores")[0][:-1], 0.0]})
    right, wrong = (iteration(s).exact["advantages"][0] for s in (EXAMPLE, other))
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _actor_runs_once(_: Scenario) -> Judged:
    found = _found()
    return Judged(
        holds(found["after"]["new_logp"] == found["old_logp"]),
        {"old": found["old_logp"][0], "new": found["after"]["new_logp"][0]},
    )


def _resampled_every_step(_: Scenario) -> Judged:
    """Responses of the current policy would leave every ratio at 1."""
    found = _found()
    return Judged(
        holds(all(x == 1 for x in found["after"]["ratio"])),
        {"first": found["first"]["ratio"][0], "after": found["after"]["ratio"][0]},
    )


def _rule_is_enough(_: Scenario) -> Judged:
    found = compute(rollout, EXAMPLE)
    return Judged(holds("scores" in found.used), {"score": found.exact["scores"][-1]})


def _one_shape(_: Scenario) -> Judged:
    found = _found()
    names = ("old_logp", "ref_logp", "values", "scores", "rewards", "advantages", "returns")
    return Judged(holds(len({len(found[name]) for name in names}) == 1), {"count": len(found["values"])})


def _first_step_is_quiet(_: Scenario) -> Judged:
    found = _found()["first"]
    return Judged(
        holds(found["pg_clipfrac"] == found["approx_kl"] == 0 and abs(found["pg_loss"]) < 1e-9),
        {"ratio": found["ratio"][0], "clipfrac": found["pg_clipfrac"], "kl": found["approx_kl"],
         "loss": abs(round(float(found["pg_loss"]), 9))},
    )  # fmt: skip


def _generation_gives_old_log_probs(_: Scenario) -> Judged:
    return Judged("depends", {"old": _found()["old_logp"][0]})


def _old_log_probs_stay(_: Scenario) -> Judged:
    """What the actor says after an update is another list; the old one stays below the ratio."""
    later = EXAMPLE.merged({"new_logp": [x - 1 for x in EXAMPLE.rows("new_logp")[0]]})
    before, after = (iteration(s).exact["old_logp"][0] for s in (EXAMPLE, later))
    return Judged(holds(before == after), {"old": before, "new": later.rows("new_logp")[0][0]})


def _critic_puts_out_one_number(_: Scenario) -> Judged:
    values = _found()["values"]
    return Judged(
        holds(len(values) == EXAMPLE.length),
        {"count": EXAMPLE.length, "values": len(values), "first": values[0]},
    )


def _sampling_comes_first(_: Scenario) -> Judged:
    """Without what was sampled nothing can be computed."""
    found = _found()
    return Judged(holds(len(found["advantages"]) == len(found["old_logp"])), {"count": len(found["old_logp"])})


FACTS: dict[str, Check] = {
    "actor_and_critic_are_trained": _two_are_trained,
    "reference_generates": _reference_generates,
    "reward_by_token_critic_once": _critic_scores_once,
    "values_are_renewed": _values_are_renewed,
    "critic_puts_out_advantages": _critic_puts_out_advantages,
    "actor_runs_once": _actor_runs_once,
    "resampled_every_step": _resampled_every_step,
    "a_rule_can_score": _rule_is_enough,
    "all_of_one_shape": _one_shape,
    "first_step_is_quiet": _first_step_is_quiet,
    "generation_gives_old_log_probs": _generation_gives_old_log_probs,
    **MORE,
    **FURTHER,
    **FIXED,
    "old_log_probs_stay": _old_log_probs_stay,
    "critic_puts_out_one_number": _critic_puts_out_one_number,
    "sampling_comes_first": _sampling_comes_first,
    **JUDGED,
    **BETWEEN,
    **TURNS_ON,
    **WHOLE,
    **COUNTED,
}
