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
from lessons._policies import TAKEN, first, moved, policies, started
from lessons.ppo_clip.basics import BASICS
from lessons.ppo_clip.beyond import BEYOND
from lessons.ppo_clip.bounds import BOUNDS
from lessons.ppo_clip.checks import MORE
from lessons.ppo_clip.claimed import CHECKS
from lessons.ppo_clip.further import FURTHER
from lessons.ppo_clip.judged import JUDGED
from lessons.ppo_clip.projects import PROJECTS
from lessons.ppo_clip.quantified import QUANTIFIED
from lessons.ppo_clip.turns_on import TURNS_ON

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


def _found(own: Scenario) -> dict[str, Any]:
    return dict(compute(clipped, own).exact)


def _case(place: int) -> dict[str, Any]:
    """One of the fixed cases: its ratio, its advantage, the two terms, the smaller one, the slope."""
    found = _found(CASES)
    names = ("ratio", "advantages", "unclipped", "clipped", "objective_terms", "slopes", "dual_terms")
    return {name: found[name][place] for name in names}


GOOD_ABOVE, GOOD_BELOW, BAD_BELOW, BAD_ABOVE, FAR = range(5)


def _no_gradient_outside(_: Scenario) -> Judged:
    counterexample("gradient_is_zero_wherever_ratio_is_outside")
    good, bad = _case(GOOD_BELOW), _case(BAD_ABOVE)
    return Judged(
        holds(good["slopes"] == bad["slopes"] == 0),
        {"low": good["ratio"], "good": good["slopes"], "high": bad["ratio"], "bad": bad["slopes"]},
    )


def _no_gradient_for_good_above(_: Scenario) -> Judged:
    theorem("gradient_is_zero_for_good_token_above")
    found = _case(GOOD_ABOVE)
    return Judged(holds(found["slopes"] == 0), {"ratio": found["ratio"], "term": found["objective_terms"]})


def _good_below_keeps_gradient(_: Scenario) -> Judged:
    theorem("gradient_is_advantage_for_good_token_below_upper_edge")
    found = _case(GOOD_BELOW)
    return Judged(
        holds(found["slopes"] == found["unclipped"]),
        {"ratio": found["ratio"], "taken": found["objective_terms"], "other": found["clipped"]},
    )


def _bad_above_is_unclipped(_: Scenario) -> Judged:
    theorem("gradient_is_advantage_for_bad_token_above_lower_edge")
    found = _case(BAD_ABOVE)
    return Judged(
        holds(found["objective_terms"] == found["unclipped"]),
        {"ratio": found["ratio"], "taken": found["objective_terms"], "other": found["clipped"]},
    )


def _ratio_stays_inside(_: Scenario) -> Judged:
    """A token that is clipped, and one that is not, moved by the same parameter."""
    found = _found(scenario({"ratio": [1.25, 1], "advantages": [1, 1], "eps": 0.2}))
    example = _found(TAKEN)
    return Judged(
        holds(max(example["ratio"]) <= example["upper"] and sum(found["slopes"]) <= 0),
        {"ratio": max(example["ratio"]), "upper": example["upper"], "own": found["slopes"][0],
         "others": found["slopes"][1]},
    )  # fmt: skip


def _fraction_of_ratios_outside(_: Scenario) -> Judged:
    wrong = compute(MISTAKES["clip_fraction_of_any_ratio"].program, TAKEN).exact["clipfrac"]
    right = _found(TAKEN)["clipfrac"]
    return Judged(holds(wrong == right), {"right": right, "wrong": wrong})


def _dual_acts_on_good(_: Scenario) -> Judged:
    theorem("dual_clip_leaves_good_tokens_alone")
    good, far = _case(GOOD_ABOVE), _case(FAR)
    return Judged(
        holds(good["dual_terms"] != good["objective_terms"]),
        {"ratio": far["ratio"], "plain": far["objective_terms"], "dual": far["dual_terms"]},
    )


def _none_at_first(learners: Scenario) -> Judged:
    own = moved(learners)
    found = _found(own.merged({"new_logp": own.old_logp, "ratio": None}))
    return Judged(holds(found["clipfrac"] == 0), {"ratio": first(found["ratio"]), "clipfrac": found["clipfrac"]})


def _never_above_surrogate(_: Scenario) -> Judged:
    theorem("clipped_objective_is_pessimistic")
    found = _found(TAKEN)
    return Judged(
        holds(found["objective"] <= found["surrogate"]),
        {"clipped": found["objective"], "unclipped": found["surrogate"]},
    )


def _minimum_is_redundant(_: Scenario) -> Judged:
    found = _case(BAD_ABOVE)
    return Judged(
        holds(found["clipped"] == found["objective_terms"]),
        {"ratio": found["ratio"], "alone": found["clipped"], "taken": found["objective_terms"]},
    )


def _max_of_losses(_: Scenario) -> Judged:
    """−max(−a, −b) is min(a, b)."""
    found = _found(CASES)
    pairs = list(zip(found["unclipped"], found["clipped"], found["objective_terms"], strict=True))
    same = all(-max(-a, -b) == taken for a, b, taken in pairs)
    return Judged(holds(same), dict(zip(("one", "other", "taken"), pairs[0], strict=True)))


def _loss_of_log_ratio(_: Scenario) -> Judged:
    right = _found(TAKEN)
    wrong = compute(MISTAKES["ratio_without_exp"].on("clip"), TAKEN).exact
    return Judged(
        holds(wrong["unclipped"] == right["unclipped"]),
        {"ratio": right["ratio"][0], "log": wrong["ratio"][0], "right": right["unclipped"][0],
         "wrong": wrong["unclipped"][0]},
    )  # fmt: skip


def _clips_the_gradient(_: Scenario) -> Judged:
    found = _case(GOOD_ABOVE)
    return Judged(holds(found["slopes"] != 0), {"ratio": found["ratio"], "slope": found["slopes"]})


FACTS: dict[str, Check] = {
    **CHECKS,
    "no_gradient_outside": _no_gradient_outside,
    "no_gradient_for_good_above": _no_gradient_for_good_above,
    "good_below_keeps_gradient": _good_below_keeps_gradient,
    "bad_above_is_unclipped": _bad_above_is_unclipped,
    "ratio_stays_inside": _ratio_stays_inside,
    "fraction_of_ratios_outside": _fraction_of_ratios_outside,
    "dual_acts_on_good_tokens": _dual_acts_on_good,
    "nothing_clipped_at_first": _none_at_first,
    "never_above_surrogate": _never_above_surrogate,
    "minimum_is_redundant": _minimum_is_redundant,
    "max_of_losses_is_min": _max_of_losses,
    "loss_of_log_ratio": _loss_of_log_ratio,
    "clips_the_gradient": _clips_the_gradient,
    **MORE,
    **FURTHER,
    **PROJECTS,
    **JUDGED,
    **BASICS,
    **TURNS_ON,
    **QUANTIFIED,
    **BEYOND,
    **BOUNDS,
}
