"""From scores to what the actor is given: every list of one response, in the order in which it is made."""

from __future__ import annotations

from typing import Any

from engine import formulas, quantities
from engine.example import batch_of
from engine.facts import Facts, Inputs, Program, compute
from engine.mistakes import MISTAKES
from engine.proofs.returns import advantage_plus_value_is_lambda_return
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, lanes
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.token_pipeline.checks import MORE
from lessons.token_pipeline.claimed import CHECKS
from lessons.token_pipeline.effects import EFFECTS
from lessons.token_pipeline.judged import JUDGED
from lessons.token_pipeline.parts import PARTS
from lessons.token_pipeline.turns_on import TURNS
from lessons.token_pipeline.whole import WHOLE

QUANTITIES: tuple[str, ...] = ("pipeline",)
_TWINS = {True: twins.pipeline, False: twins.rewarded}  # by whether the response is a batch of its own
MISTAKEN = ("whiten_before_returns", "bootstrap_forgotten", "lam_forgotten_leaves_mc")


def show(scenario: Scenario) -> Shown:
    return Shown(
        facts=_among_its_batch(pipeline, scenario),
        work=worked(before_whitening, scenario),
        proofs={"returns": advantage_plus_value_is_lambda_return()},
        mistakes={
            id: _among_its_batch(MISTAKES[id].on("gae"), scenario) for id in MISTAKEN if MISTAKES[id].possible(scenario)
        },
        figures={"lists": _figure(scenario)},
        twins=(_TWINS[_alone(scenario)], twins.gae) if _whole(scenario) else (twins.gae,),
    )


def _alone(scenario: Scenario) -> bool:
    return batch_of(scenario) == scenario


def _among_its_batch(program: Program, scenario: Scenario) -> Facts:
    """The example's response is whitened together with the wrong one; a learner's is all that there is."""
    found = compute(program, batch_of(scenario))
    return found if _alone(scenario) else found.of_first()


def _whole(own: Scenario) -> bool:
    """Whether one twin can run from scores to whitened advantages: more than a token, and nothing masked."""
    return own.mask is None and own.length * len(own.rows("values")) > 1


def before_whitening(x: Inputs) -> dict[str, Any]:
    """All that is made before the whole batch is looked at. A learner may start from rewards."""
    scored = {"scores": x["scores"]} if x.has("scores") else {}
    penalised = (
        {} if x.has("rewards") and not x.has("kl_values") and not x.has("ref_logp") else {"kl": quantities.kl(x)}
    )
    return {**scored, **penalised, **quantities.gae(x)}


def pipeline(x: Inputs) -> dict[str, Any]:
    found = before_whitening(x)
    if _tokens(x.scenario) > 1:
        found["whitened"] = x.on.whiten(found["advantages"], x.mask)
        found["responses"] = len(x.scenario.rows("values"))
        found["mean"] = x.on.masked_mean(found["advantages"], x.mask)
    return found


def _tokens(scenario: Scenario) -> int:
    """Real tokens in the whole batch: what whitening takes its mean over."""
    if scenario.mask is None:
        return scenario.length * len(scenario.rows("values" if scenario.values else "rewards") or ())
    return int(sum(map(sum, scenario.rows("mask"))))


def _figure(scenario: Scenario) -> Figure:
    batch = batch_of(first_response(scenario))
    found = compute(pipeline if batch.batched else before_whitening, batch).numbers
    return lanes(found, "scores", "kl", "rewards", "values", "deltas", "advantages", "returns", "whitened")


# ---------------------------------------------------------------- what learners claim


def _found(scenario: Scenario, **changes: Any) -> dict[str, Any]:
    return dict(compute(pipeline, numbers(scenario).merged(changes)).exact)


def _scored(scenario: Scenario) -> Scenario:
    """The learner's response where it has scores, else the running example's."""
    own = numbers(scenario)
    return own if own.scores is not None else numbers(Scenario())


def _only_the_last_token_is_scored(scenario: Scenario) -> Judged:
    scores = _scored(scenario).scores or ()
    return Judged(
        "true" if not any(scores[:-1]) else "depends", {"last": scores[-1], "others": sum(bool(x) for x in scores[:-1])}
    )


def _rewards_are_scores_less_kl(scenario: Scenario) -> Judged:
    own = _scored(scenario)
    found = _found(own)
    rows = zip(found["scores"], found["kl"], found["rewards"], strict=True)
    same = all(close(formulas.token_reward(s, k, own.beta), r) for s, k, r in rows)
    return Judged(holds(same), {"score": found["scores"][0], "kl": found["kl"][0], "reward": found["rewards"][0]})


def _unscored_tokens_learn_nothing(scenario: Scenario) -> Judged:
    found = _found(_scored(scenario))
    learnt = [a for s, a in zip(found["scores"], found["advantages"], strict=True) if s == 0]
    return Judged(holds(not any(learnt)), {"advantage": max(learnt, key=abs) if learnt else 0, "count": len(learnt)})


def _advantage_is_the_reward(_: Scenario) -> Judged:
    found = _found(Scenario())
    return Judged(
        holds(found["rewards"] == found["advantages"]),
        {"reward": found["rewards"][0], "advantage": found["advantages"][0]},
    )


def _returns_are_advantage_plus_value(scenario: Scenario) -> Judged:
    found = _found(scenario)
    rows = list(zip(found["returns"], found["advantages"], found["values"], strict=True))
    same = all(close(r, formulas.critic_target(a, v)) for r, a, v in rows)
    return Judged(holds(same), dict(zip(("target", "advantage", "value"), rows[0], strict=True)))


def _returns_use_whitened(_: Scenario) -> Judged:
    found = _found(Scenario())
    wrong = _among_its_batch(MISTAKES["whiten_before_returns"].on("gae"), numbers(Scenario())).exact["returns"]
    return Judged(holds(wrong == found["returns"]), {"right": found["returns"][0], "wrong": wrong[0]})


def _values_enter_the_rewards(_: Scenario) -> Judged:
    own = numbers(Scenario())
    moved = _found(own, values=[v + 1 for v in own.rows("values")[0]])
    return Judged(holds(moved["rewards"] != _found(own)["rewards"]), {"reward": moved["rewards"][0]})


def _every_token_has_a_reward(scenario: Scenario) -> Judged:
    found = _found(_scored(scenario))["rewards"]
    return Judged(
        "true" if all(found) else "depends", {"count": sum(bool(r) for r in found), "T": len(found), "first": found[0]}
    )


FACTS: dict[str, Check] = {
    **CHECKS,
    "only_the_last_token_is_scored": _only_the_last_token_is_scored,
    "rewards_are_scores_less_kl": _rewards_are_scores_less_kl,
    "unscored_tokens_learn_nothing": _unscored_tokens_learn_nothing,
    "advantage_is_the_reward": _advantage_is_the_reward,
    "returns_are_advantage_plus_value": _returns_are_advantage_plus_value,
    "returns_use_whitened_advantages": _returns_use_whitened,
    "values_enter_the_rewards": _values_enter_the_rewards,
    "every_token_has_a_reward": _every_token_has_a_reward,
    **MORE,
    **JUDGED,
    **EFFECTS,
    **PARTS,
    **TURNS,
    **WHOLE,
}
