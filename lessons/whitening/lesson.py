"""Whitening: advantages in units of their own spread, for the actor only; the critic's targets take the raw ones."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Any

from engine import quantities, statistics
from engine.conventions import OPENRLHF, VERL_NEW, Rollout, run
from engine.errors import EngineError
from engine.example import BOTH, LAM, RUNNING
from engine.facts import Inputs, compute
from engine.mistakes import MISTAKES
from engine.ops import named
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario, scenario
from engine.scenario import scenario as validated
from lessons import _twins as twins
from lessons._at_hand import at_hand, batch_at_hand
from lessons._fact import Check, Judged, holds
from lessons._figure import over_responses
from lessons._first import first_response, numbers, worked_together
from lessons._lesson import Shown
from lessons.whitening.basics import BASICS
from lessons.whitening.checks import MORE
from lessons.whitening.claimed import CHECKS
from lessons.whitening.further import FURTHER
from lessons.whitening.judged import JUDGED
from lessons.whitening.projects import PROJECTS
from lessons.whitening.quantified import QUANTIFIED
from lessons.whitening.ranks import RANKS
from lessons.whitening.said import SAID
from lessons.whitening.steps import STEPS
from lessons.whitening.turns_on import TURNS_ON

QUANTITIES: tuple[str, ...] = ("whiten",)
TOGETHER = True
WRONG = ("whiten_population", "whiten_by_variance", "whiten_without_shift")
ONE = "whitened_variance_is_one"
PADDED = {"advantages": [1, 2, 4, 99], "mask": [1, 1, 1, 0]}
LEVEL = {"advantages": [0.5, 0.5, 0.5]}


def show(scenario: Scenario) -> Shown:
    facts = compute(whitening, scenario).beside(compute(level, validated(LEVEL)).under("constants"))
    found = {id: compute(MISTAKES[id].on("whiten"), scenario) for id in _possible(scenario)}
    names = ("whitened_mean_is_zero", ONE, "whitening_keeps_order", "returns_are_recovered_from_whitened_advantages")
    return Shown(
        facts=facts,
        work=worked_together(whitening, scenario),
        proofs={name: theorem(name) for name in names},
        counterexamples={name: counterexample(name) for name in ("whitening_keeps_sign",)},
        mistakes=found,
        figures={"before_and_after": over_responses("together", facts.numbers, "advantages", "whitened")},
        twins=(twins.whiten,),
    )


def whitening(x: Inputs) -> dict[str, Any]:
    found = quantities.whiten(x)
    rows = {"values": x["values"]} if x.has("values") else {}
    return {**found, **rows, "mean": named(found["mean"], "mean"), "T": x.scenario.length}


def level(x: Inputs) -> dict[str, Any]:
    """A batch whose advantages are all alike."""
    return {"advantages": x["advantages"], "whitened": quantities.whiten(x)["whitened"]}


def _possible(scenario: Scenario) -> list[str]:
    masked = ["whiten_mask_ignored"] if scenario.mask else []
    return [*WRONG, *masked, *(["whiten_before_returns"] if scenario.values else [])]


# ---------------------------------------------------------------- what learners claim


def _tried(given: Scenario) -> Scenario:
    """The learner's first response where it can be whitened and has a spread, else the running example's batch."""
    own = first_response(given) if given.advantages is not None else numbers(given)
    if own == RUNNING or own.length < 2:  # a single value has no sample variance
        return BOTH
    return own if compute(whitening, own).exact["std_sample"] else BOTH


def _facts(given: Scenario) -> dict[str, Any]:
    """In one list for all responses."""
    found = compute(whitening, _tried(given)).exact
    return {name: [*chain(*x)] if isinstance(x, list) and isinstance(x[0], list) else x for name, x in found.items()}


def _of(**given: Any) -> dict[str, Any]:
    return dict(compute(whitening, scenario(given)).exact)


def _mean_zero_std_one(given: Scenario) -> Judged:
    theorem("whitened_mean_is_zero"), theorem(ONE)
    found = compute(quantities.whiten, scenario({"advantages": [float(x) for x in _facts(given)["whitened"]]})).numbers
    settled = abs(found["mean"]) < 1e-6 and abs(found["std_sample"] - 1) < 1e-3
    return Judged(holds(settled), {"mean": round(found["mean"], 6), "std": round(found["std_sample"], 3)})


def _keeps_signs(_: Scenario) -> Judged:
    found = _facts(RUNNING)
    flipped = [(a, w) for a, w in zip(found["advantages"], found["whitened"], strict=True) if a * w < 0]
    return Judged(holds(not flipped), {"raw": flipped[-1][0], "whitened": flipped[-1][1]})


def _keeps_order(given: Scenario) -> Judged:
    theorem("whitening_keeps_order")
    found = _facts(given)
    pairs = sorted(zip(found["advantages"], found["whitened"], strict=True))
    kept = all(a[1] <= b[1] for a, b in pairwise(pairs))
    return Judged(holds(kept), {"largest": pairs[-1][0], "whitened": pairs[-1][1]})


def _returns_use_raw(_: Scenario) -> Judged:
    """The convention's own returns are the raw advantages plus the values."""
    counterexample("returns_may_use_whitened_advantages")
    raw = quantities.facts("gae", at_hand()).exact
    found = compute(MISTAKES["whiten_before_returns"].on("whiten"), batch_at_hand()).exact["returns"]
    wrong = found[0] if isinstance(found[0], list) else found
    rollout = Rollout(rewards=[raw["rewards"]], values=[raw["values"]], mask=[[1] * len(raw["values"])])
    outcome = run(rollout, VERL_NEW, gamma=at_hand().gamma, lam=LAM)
    same = all(abs(float(a - b)) < 1e-9 for a, b in zip(outcome.returns[0], raw["returns"], strict=True))
    return Judged(holds(same), {"right": raw["returns"][-1], "wrong": wrong[-1], "value": raw["values"][-1]})


def _sample_variance(_: Scenario) -> Judged:
    given = [1, 2, 4]
    found = _of(advantages=given)
    rollout = Rollout(rewards=[given], values=[[0, 0, 0]], mask=[[1, 1, 1]])
    verl, other = (run(rollout, project, gamma=0, lam=0).normalised[0] for project in (VERL_NEW, OPENRLHF))
    same = abs(float(verl[0] - found["whitened"][0])) < 1e-9 < abs(float(other[0] - found["whitened"][0]))
    return Judged(
        holds(same),
        {"given": given, "sample": found["whitened"][0], "population": found["whitened_population"][0]},
    )


def _padding_counts(_: Scenario) -> Judged:
    right = _of(**PADDED)["whitened"]
    wrong = compute(MISTAKES["whiten_mask_ignored"].on("whiten"), scenario(PADDED)).exact["whitened"]
    without = _of(advantages=PADDED["advantages"][:3])["whitened"]
    return Judged(
        holds(right[:3] != without),
        {"given": PADDED["advantages"], "right": right[0], "wrong": wrong[0]},
    )


def _by_response(_: Scenario) -> Judged:
    rows = [[1, 2], [4, 5]]
    found = _of(advantages=rows)["whitened"]
    alone = _of(advantages=rows[0])["whitened"]
    return Judged(holds(found[0] == alone), {"rows": rows, "together": found[0], "alone": alone})


def _positive_raw_is_pushed_up(_: Scenario) -> Judged:
    found = _facts(RUNNING)
    good = [t for t, raw in enumerate(found["advantages"]) if raw > 0]
    low = min(good, key=lambda t: found["whitened"][t])
    raw, given = found["advantages"][low], found["whitened"][low]
    return Judged(holds(not (raw > 0 > given)), {"raw": raw, "whitened": given, "mean": found["mean"]})


def _above_the_mean_is_positive(given: Scenario) -> Judged:
    found = _facts(given)
    pairs = list(zip(found["advantages"], found["whitened"], strict=True))
    same = all((a > found["mean"]) == (w > 0) for a, w in pairs)
    top = max(pairs)
    return Judged(holds(same), {"raw": top[0], "mean": found["mean"], "whitened": top[1]})


def _ignores_scale(given: Scenario) -> Judged:
    theorem("whitening_ignores_affine_maps")
    own = [float(x) for x in _facts(given)["advantages"]]
    once, tenfold = (_of(advantages=[scale * x for x in own])["whitened"] for scale in (1, 10))
    same = all(abs(float(a - b)) < 1e-3 for a, b in zip(once, tenfold, strict=True))
    return Judged(holds(same), {"once": round(float(once[0]), 3), "tenfold": round(float(tenfold[0]), 3), "scale": 10})


def _level_gives_nan(_: Scenario) -> Judged:
    found = _of(**LEVEL)
    return Judged(
        holds(any(w != w for w in found["whitened"])),  # only NaN differs from itself
        {"given": LEVEL["advantages"], "whitened": found["whitened"], "epsilon": statistics.WHITENING_EPSILON},
    )


def _one_token_can_be_whitened(_: Scenario) -> Judged:
    try:
        _of(advantages=[0.5])
    except EngineError:
        return Judged("false", {"count": 1})
    return Judged("true", {"count": 1})


def _only_a_learning_rate(_: Scenario) -> Judged:
    """A change of scale keeps every ratio of two advantages; whitening does not."""
    found = _facts(RUNNING)
    (a, b), (w, v) = found["advantages"][:2], found["whitened"][:2]
    return Judged(holds(a / b == w / v), {"before": a / b, "after": w / v})


FACTS: dict[str, Check] = {
    **CHECKS,
    "mean_zero_std_one": _mean_zero_std_one,
    "keeps_signs": _keeps_signs,
    "keeps_order": _keeps_order,
    "returns_use_raw_advantages": _returns_use_raw,
    "verl_divides_by_n_minus_one": _sample_variance,
    "padding_takes_part": _padding_counts,
    "each_response_by_itself": _by_response,
    "positive_raw_advantage_is_pushed_up": _positive_raw_is_pushed_up,
    "above_the_mean_is_positive": _above_the_mean_is_positive,
    "ignores_the_scale_of_rewards": _ignores_scale,
    "equal_advantages_give_nan": _level_gives_nan,
    "one_token_can_be_whitened": _one_token_can_be_whitened,
    "only_a_learning_rate": _only_a_learning_rate,
    **MORE,
    **FURTHER,
    **PROJECTS,
    **JUDGED,
    **STEPS,
    **TURNS_ON,
    **QUANTIFIED,
    **BASICS,
    **SAID,
    **RANKS,
}
