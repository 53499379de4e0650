"""The surrogate ρA before any clip: its terms, why ρ is 1 at first and there is a gradient all the same."""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any

from engine import drift, quantities
from engine.example import RUNNING
from engine.facts import Facts, Inputs, compute
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, lanes
from lessons._first import worked_together
from lessons._lesson import Shown
from lessons._policies import EXAMPLE, PAIR, TAKEN, first, moved, policies, started, tokens
from lessons._twin import Function
from lessons.surrogate.basics import BASICS
from lessons.surrogate.checks import MORE
from lessons.surrogate.claimed import CHECKS
from lessons.surrogate.engines import ENGINES
from lessons.surrogate.entropies import ENTROPIES
from lessons.surrogate.further import FURTHER
from lessons.surrogate.in_torch import IN_TORCH
from lessons.surrogate.judged import JUDGED
from lessons.surrogate.logged import LOGGED
from lessons.surrogate.quantified import QUANTIFIED
from lessons.surrogate.turns_on import TURNS_ON

QUANTITIES: tuple[str, ...] = ("surrogate",)
TOGETHER = True
MISTAKEN = ("ratio_without_exp", "ratio_upside_down", "ratio_to_reference")
BEFORE = 0.25  # the old policy of the small world
STEPS = 6


def show(scenario: Scenario) -> Shown:
    own = started(scenario)
    facts = compute(surrogate, own)
    if own.ratio is None:
        facts = facts.beside(compute(own_slopes(quantities.surrogate, "terms", "new_logp"), own))
    world = compute(drift.along(BEFORE, STEPS), RUNNING)
    return Shown(
        facts=facts.beside(world.under("counterexample")),
        work=worked_together(quantities.surrogate, own),
        proofs={
            "one": theorem("ratio_is_one_at_first_step"),
            "first": theorem("surrogate_gradient_is_policy_gradient_at_first_step"),
            "always": theorem("surrogate_gradient_is_policy_gradient_times_ratio"),
        },
        mistakes={id: compute(MISTAKES[id].program, own) for id in MISTAKEN if MISTAKES[id].possible(own)},
        figures={"along": _along(facts.numbers), "drift": _figure(world.numbers)},
        twins=_twins(facts),
    )


def _twins(facts: Facts) -> tuple[Function, ...]:
    whitened = "raw_surrogate" in facts.numbers
    return (twins.surrogate_whitened,) if whitened else (twins.surrogate, twins.surrogate_of_ratios)


def surrogate(x: Inputs) -> dict[str, Any]:
    """The surrogate, what it is worth before the first update, and both on advantages that are not whitened, or are."""
    found = {**policies(x), **quantities.surrogate(x)}
    advantages, mask, taken = found["advantages"], x.mask, quantities.taken(found)
    found |= {"at_first": x.on.masked_mean(taken, mask), "loss": -found["surrogate"]}
    found |= {"T": x.scenario.length, "tokens": tokens(x.scenario)}
    if taken is not advantages:
        found["weighed"] = found["terms"]  # by whitened advantages
        found["raw_at_first"] = x.on.masked_mean(advantages, mask)
        found["raw_surrogate"] = x.on.masked_mean(x.on.surrogates(found["ratio"], advantages, mask), mask)
    elif tokens(x.scenario) > 1:
        whitened = x.on.whiten(advantages, mask)
        found["whitened"] = whitened
        found["whitened_at_first"] = x.on.masked_mean(whitened, mask)
        found["whitened_surrogate"] = x.on.masked_mean(x.on.surrogates(found["ratio"], whitened, mask), mask)
    return found


_WEIGHTS = {True: ("whitened", "ratio_times_whitened"), False: ("advantages", "ratio_times_advantage")}


def _along(found: Any) -> Figure:
    weight, terms = _WEIGHTS["raw_surrogate" in found]
    return lanes({**found, terms: found["terms"]}, "ratio", weight, terms)


def _figure(world: Any) -> Figure:
    return Figure(
        "lines",
        x=tuple(world["p"]),
        series={name: tuple(world[name]) for name in ("promised", "earned")},
        x_name="p",
        y_name="number",
    )


# ---------------------------------------------------------------- what learners claim


def _found(scenario: Scenario) -> dict[str, Any]:
    return dict(compute(surrogate, scenario).exact)


def _unmoved(scenario: Scenario) -> Scenario:
    return scenario.merged({"new_logp": scenario.old_logp})


def _one_at_first(scenario: Scenario) -> Judged:
    theorem("ratio_is_one_at_first_step")
    own = moved(scenario)
    found = _found(_unmoved(own))["ratio"]
    return Judged(holds(first(found) == 1), {"first": first(found), "later": first(_found(own)["ratio"])})


def _always_one(_: Scenario) -> Judged:
    found = _found(TAKEN)["ratio"]
    return Judged(holds(all(x == 1 for x in found)), {"low": min(found), "high": max(found)})


def _slope() -> dict[str, Any]:
    """How fast the first token's term moves with its log-probability before the first update, and its advantage."""
    own = _unmoved(TAKEN)
    slopes = compute(own_slopes(surrogate, "terms", "new_logp"), own).exact["slopes"]
    return {"slope": slopes[0], "advantage": _found(own)["advantages"][0]}


def _no_gradient(_: Scenario) -> Judged:
    theorem("surrogate_gradient_is_policy_gradient_at_first_step")
    found = _slope()
    return Judged(holds(found["slope"] == 0), found)


def _same_gradient_at_first(_: Scenario) -> Judged:
    theorem("surrogate_gradient_is_policy_gradient_at_first_step")
    found = _slope()
    return Judged(holds(abs(found["slope"] - found["advantage"]) < 1e-9), found)


def _same_gradient_later(_: Scenario) -> Judged:
    """ρA against A, where the policy has moved."""
    theorem("surrogate_gradient_is_policy_gradient_times_ratio")
    found = _found(TAKEN)
    ratio = max(found["ratio"])
    t = found["ratio"].index(ratio)
    return Judged(
        holds(found["terms"][t] == found["advantages"][t]),
        {"ratio": ratio, "slope": found["terms"][t], "advantage": found["advantages"][t]},
    )


def _larger_is_better(_: Scenario) -> Judged:
    world = compute(drift.along(BEFORE, STEPS), RUNNING).exact
    return Judged(
        holds(world["earned"][-1] >= 0),
        {"promised": world["promised"][-1], "earned": world["earned"][-1], "p": world["p"][0]},
    )


def _zero_when_whitened(_: Scenario) -> Judged:
    found = _found(_unmoved(PAIR))
    return Judged(
        holds(abs(found["surrogate"]) < 1e-9),
        {"raw": found["raw_surrogate"], "whitened": abs(round(float(found["surrogate"]), 9))},
    )


def _is_the_reward(_: Scenario) -> Judged:
    """The ratio does not move when the rewards do."""
    scores = [[s + 1 for s in row] for row in PAIR.rows("scores")]
    before, after = (_found(s)["ratio"][0] for s in (PAIR, PAIR.merged({"scores": scores})))
    return Judged(holds(before != after), {"ratio": before[0]})


def _reference_below(scenario: Scenario) -> Judged:
    own = moved(scenario)
    own = own if own.ref_logp is not None else TAKEN
    wrong = compute(MISTAKES["ratio_to_reference"].program, own).exact
    right = _found(own)
    return Judged(
        holds(wrong["ratio"] == right["ratio"]), {"right": first(right["ratio"]), "wrong": first(wrong["ratio"])}
    )


def _is_the_loss(_: Scenario) -> Judged:
    found = _found(TAKEN)
    return Judged(holds(found["surrogate"] == found["loss"]), {"objective": found["surrogate"], "loss": found["loss"]})


def _per_token(_: Scenario) -> Judged:
    found = _found(EXAMPLE)["ratio"]
    whole = reduce(mul, found)
    return Judged(holds(len(found) == EXAMPLE.length), {"count": len(found), "first": found[0], "whole": whole})


FACTS: dict[str, Check] = {
    **CHECKS,
    "ratio_is_one_at_first": _one_at_first,
    "ratio_is_always_one": _always_one,
    "no_gradient_at_ratio_one": _no_gradient,
    "policy_gradient_at_first": _same_gradient_at_first,
    "policy_gradient_later_too": _same_gradient_later,
    "larger_surrogate_is_better_policy": _larger_is_better,
    "zero_at_first_when_whitened": _zero_when_whitened,
    "ratio_is_the_reward": _is_the_reward,
    "denominator_is_the_reference": _reference_below,
    "surrogate_is_the_loss": _is_the_loss,
    "ratio_is_per_token": _per_token,
    **MORE,
    **FURTHER,
    **JUDGED,
    **BASICS,
    **TURNS_ON,
    **QUANTIFIED,
    **LOGGED,
    **ENGINES,
    **ENTROPIES,
    **IN_TORCH,
}
