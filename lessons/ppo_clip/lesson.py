"""The clipped objective: the smaller of two terms, what it leaves of the gradient by sign, and the dual clip."""

from __future__ import annotations

from typing import Any

from engine import formulas, quantities
from engine.facts import Inputs, compute, work
from engine.losses import Clip
from engine.mistakes import MISTAKES
from engine.mistakes.mistake import each
from engine.ops import Number
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario, scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, lanes
from lessons._first import worked_together
from lessons._lesson import Shown
from lessons._policies import first, moved, policies, started
from lessons.ppo_clip.in_torch import IN_TORCH
from lessons.ppo_clip.projects import PROJECTS

QUANTITIES: tuple[str, ...] = ("clip",)
TOGETHER = True
MISTAKEN = (
    "clip_always", "clip_max_for_min", "clip_fraction_of_any_ratio", "clip_bounds_swap", "objective_sign_flipped",
    "ratio_upside_down",
)  # fmt: skip
FLOOR = 3.0  # verl's clip_ratio_c
GRID = tuple(k / 10 for k in range(41))
CASES = scenario({"ratio": [1.5, 0.5, 0.5, 1.5, 10], "advantages": [1, 1, -1, -1, -1], "eps": 0.2})


def show(learners: Scenario) -> Shown:
    own = started(learners)
    facts, plane = compute(clipped, own), compute(clipped, _plane(own))
    ranges = work(clipped, CASES.merged(ranges_of(own)))
    return Shown(
        facts=facts.beside(compute(clipped, CASES).under("constants")).beside(plane.under("grid")),
        work=worked_together(quantities.clip, own),
        proofs={
            "cases": theorem("clipped_objective_in_four_cases"),
            "below": theorem("clipped_objective_is_pessimistic"),
            "good_above": theorem("gradient_is_zero_for_good_token_above"),
            "good_below": theorem("gradient_is_advantage_for_good_token_below_upper_edge"),
            "bad_below": theorem("gradient_is_zero_for_bad_token_below"),
            "bad_above": theorem("gradient_is_advantage_for_bad_token_above_lower_edge"),
        },
        counterexamples={"outside": counterexample("gradient_is_zero_wherever_ratio_is_outside")},
        mistakes={id: compute(MISTAKES[id].on("clip"), own) for id in MISTAKEN if MISTAKES[id].possible(own)},
        figures={"along": _along(facts.numbers), "plane": _figure(plane.numbers)},
        twins=(twins.clip_whitened if "whitened" in facts.numbers else twins.clip,),
        formulas={name: ranges[name].working("latex") for name in ("lower", "upper")},
    )


def ranges_of(own: Scenario) -> dict[str, float]:
    return {name: x for name in ("eps", "eps_low", "eps_high") if (x := getattr(own, name)) is not None}


def clipped(x: Inputs) -> dict[str, Any]:
    """The clipped objective, how much the clip takes away, what is left of the gradient, and the dual clip."""
    found = {**policies(x), **quantities.clip(x), "T": x.scenario.length}
    ratio, advantages, mask = found["ratio"], quantities.taken(found), x.mask
    low, high = (x[name if x.has(name) else "eps"] for name in ("eps_low", "eps_high"))
    dual = x.on.objectives(ratio, advantages, mask, clip=Clip(low, high, x.number("floor", FLOOR)))
    if advantages is not found["advantages"]:
        found["weighed"] = found["unclipped"]  # by whitened advantages
        found["raw_clipfrac"] = x.on.clip_fraction(ratio, found["advantages"], mask, clip=Clip(low, high))

    def slope(ratio_t: Number, adv_t: Number) -> Number:
        """By log π: ρA, or nothing where the clip decides."""
        return (1 - formulas.is_clipped(ratio_t, adv_t, low, high)) * formulas.surrogate_term(ratio_t, adv_t)

    return {
        **found,
        "lower": 1 - low,
        "upper": 1 + high,
        "surrogate": x.on.masked_mean(found["unclipped"], mask),
        "loss": -found["objective"],
        "taken_off": each(x.on, lambda a, b: a - b, mask, found["unclipped"], found["objective_terms"]),
        "slopes": each(x.on, slope, mask, ratio, advantages),
        "dual_terms": dual,
        "dual_objective": x.on.masked_mean(dual, mask),
    }


def _plane(own: Scenario) -> Scenario:
    """Every ratio of the grid, for a good token and for a bad one, with the learner's range."""
    count = len(GRID)
    return scenario({"ratio": [GRID, GRID], "advantages": [[1.0] * count, [-1.0] * count], **ranges_of(own)})


def _along(found: Any) -> Figure:
    return lanes(found, "ratio", "whitened" if "whitened" in found else "advantages", "objective_terms")


def _figure(plane: Any) -> Figure:
    good, bad = plane["objective_terms"]
    series = {"good_token": tuple(good), "bad_token": tuple(bad), "bad_token_dual": tuple(plane["dual_terms"][1])}
    return Figure("lines", x=GRID, series=series, x_name="ratio", y_name="objectives")


# ---------------------------------------------------------------- what learners claim


def _none_at_first(learners: Scenario) -> Judged:
    own = moved(learners)
    found = compute(clipped, own.merged({"new_logp": own.old_logp, "ratio": None})).exact
    return Judged(holds(found["clipfrac"] == 0), {"ratio": first(found["ratio"]), "clipfrac": found["clipfrac"]})


FACTS: dict[str, Check] = {
    "nothing_clipped_at_first": _none_at_first,
    **PROJECTS,
    **IN_TORCH,
}
