"""From scores to what the actor is given: every list of one response, in the order in which it is made."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.example import batch_of
from engine.facts import Facts, Inputs, Program, compute
from engine.mistakes import MISTAKES
from engine.proofs.returns import advantage_plus_value_is_lambda_return
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import Figure, lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.token_pipeline.scored import SCORED
from lessons.token_pipeline.verls import VERLS

QUANTITIES: tuple[str, ...] = ("pipeline",)
_TWINS = {True: twins.pipeline, False: twins.rewarded}  # by whether the response is a batch of its own
FACTS: dict[str, Check] = {**SCORED, **VERLS}
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
