"""The surrogate ρA before any clip: its terms, why ρ is 1 at first and there is a gradient all the same."""

from __future__ import annotations

from typing import Any

from engine import drift, quantities
from engine.example import RUNNING
from engine.facts import Facts, Inputs, compute
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import Figure, lanes
from lessons._first import worked_together
from lessons._lesson import Shown
from lessons._policies import policies, started, tokens
from lessons._twin import Function
from lessons.surrogate.checks import CHECKS

QUANTITIES: tuple[str, ...] = ("surrogate",)
TOGETHER = True
MISTAKEN = ("ratio_without_exp", "ratio_upside_down", "ratio_to_reference")
BEFORE = 0.25  # the old policy of the small world
STEPS = 6
FACTS: dict[str, Check] = CHECKS


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
