"""Whitening: advantages in units of their own spread, for the actor only; the critic's targets take the raw ones."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Any

from engine import quantities, statistics
from engine.errors import EngineError
from engine.example import BOTH, RUNNING
from engine.facts import Inputs, compute
from engine.mistakes import MISTAKES
from engine.ops import named
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario, scenario
from engine.scenario import scenario as validated
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import over_responses
from lessons._first import first_response, numbers, worked_together
from lessons._lesson import Shown
from lessons.whitening.projects import PROJECTS

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


def _keeps_order(given: Scenario) -> Judged:
    theorem("whitening_keeps_order")
    found = _facts(given)
    pairs = sorted(zip(found["advantages"], found["whitened"], strict=True))
    kept = all(a[1] <= b[1] for a, b in pairwise(pairs))
    return Judged(holds(kept), {"largest": pairs[-1][0], "whitened": pairs[-1][1]})


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


def _epsilon_guards(_: Scenario) -> Judged:
    """With it equal numbers come out as zeros; without it there is nothing to divide by."""
    found = _of(advantages=[0.5, 0.5])
    spread, white = float(found["std_sample"]), [float(x) for x in found["whitened"]]
    return Judged(
        holds(spread == 0 and not any(white)),
        {"epsilon": statistics.WHITENING_EPSILON, "variance": spread, "found": white},
    )


def _running_statistics(_: Scenario) -> Judged:
    """The same batch whitened first, and again after a quite different one."""
    batches = {"first": [1, 2, 4], "between": [100, 300, 500], "again": [1, 2, 4]}
    found = {name: [round(float(x), 4) for x in _of(advantages=a)["whitened"]] for name, a in batches.items()}
    return Judged(holds(found["first"] != found["again"]), found)


def _one_token_can_be_whitened(_: Scenario) -> Judged:
    try:
        _of(advantages=[0.5])
    except EngineError:
        return Judged("false", {"count": 1})
    return Judged("true", {"count": 1})


FACTS: dict[str, Check] = {
    "mean_zero_std_one": _mean_zero_std_one,
    "keeps_order": _keeps_order,
    "above_the_mean_is_positive": _above_the_mean_is_positive,
    "ignores_the_scale_of_rewards": _ignores_scale,
    "equal_advantages_give_nan": _level_gives_nan,
    "epsilon_guards_against_zero": _epsilon_guards,
    "one_token_can_be_whitened": _one_token_can_be_whitened,
    "uses_running_statistics": _running_statistics,
    **PROJECTS,
}
