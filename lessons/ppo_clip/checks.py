"""More of what learners claim of the clip: each side of it, its width, and what it is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, quantities
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._policies import TAKEN

EPS, FLOOR, STEP = Fraction(1, 5), Fraction(3), Fraction(1, 10**6)
WIDTHS = (0.1, 0.2, 0.4)
ABOVE, BELOW, INSIDE = Fraction(3, 2), Fraction(1, 2), Fraction(11, 10)
GOOD, BAD = Fraction(1), Fraction(-1)


def _objective(ratio: Fraction, adv: Fraction, eps: Fraction = EPS) -> Any:
    return formulas.ppo_objective(ratio, adv, eps, eps)


def _dual(ratio: Fraction, adv: Fraction) -> Any:
    return formulas.dual_clip_objective(ratio, adv, EPS, EPS, FLOOR)


def _slope(ratio: Fraction, adv: Fraction, objective: Any = _objective) -> Any:
    """By the ratio."""
    return (objective(ratio + STEP, adv) - objective(ratio - STEP, adv)) / (2 * STEP)


def _bad_below(_: Scenario) -> Judged:
    theorem("gradient_is_zero_for_bad_token_below")
    slope = _slope(BELOW, BAD)
    return Judged(holds(slope == 0), {"ratio": BELOW, "term": _objective(BELOW, BAD), "slope": slope})


def _one_edge_by_sign(_: Scenario) -> Judged:
    """Which of the two edges changes the objective, by the sign of the advantage."""
    theorem("clipped_objective_in_four_cases")
    acts = {
        (adv, ratio): _objective(ratio, adv) != formulas.surrogate_term(ratio, adv)
        for adv in (GOOD, BAD)
        for ratio in (ABOVE, BELOW)
    }
    expected = {(GOOD, ABOVE): True, (GOOD, BELOW): False, (BAD, ABOVE): False, (BAD, BELOW): True}
    found = {"high": ABOVE, "low": BELOW, "good_high": _objective(ABOVE, GOOD), "good_low": _objective(BELOW, GOOD)}
    return Judged(
        holds(acts == expected), {**found, "bad_high": _objective(ABOVE, BAD), "bad_low": _objective(BELOW, BAD)}
    )


def _inside_nothing(_: Scenario) -> Judged:
    terms = {adv: (_objective(INSIDE, adv), formulas.surrogate_term(INSIDE, adv)) for adv in (GOOD, BAD)}
    same = all(a == b for a, b in terms.values())
    return Judged(holds(same), {"ratio": INSIDE, "good": terms[GOOD][0], "bad": terms[BAD][0]})


def _wider_clips_more(_: Scenario) -> Judged:
    shares = [quantities.facts("clip", TAKEN.merged({"eps": eps})).exact["clipfrac"] for eps in WIDTHS]
    return Judged(holds(shares[0] < shares[-1]), {"widths": list(WIDTHS), "shares": shares})


def _no_width_no_learning(_: Scenario) -> Judged:
    """At ratio 1 the clip with ε = 0 does not decide: both terms are the advantage."""
    clipped = formulas.is_clipped(Fraction(1), GOOD, Fraction(0), Fraction(0))
    later = formulas.is_clipped(INSIDE, GOOD, Fraction(0), Fraction(0))
    slope = (1 - clipped) * GOOD
    return Judged(holds(slope == 0), {"slope": slope, "ratio": INSIDE, "later": (1 - later) * GOOD})


def _pulled_back(_: Scenario) -> Judged:
    """Whether the gradient of a good token above the edge points down."""
    slope = _slope(ABOVE, GOOD)
    return Judged(holds(slope < 0), {"ratio": ABOVE, "slope": slope, "upper": 1 + EPS})


def _advantage_is_clipped(_: Scenario) -> Judged:
    large = Fraction(10)
    taken = _objective(Fraction(1), large)
    return Judged(holds(taken != large), {"advantage": large, "ratio": 1, "taken": taken})


def _no_fraction_no_learning(_: Scenario) -> Judged:
    """Before the first update nothing is clipped and every token has a slope."""
    found = quantities.facts("clip", TAKEN.merged({"new_logp": TAKEN.old_logp})).exact
    slopes = [formulas.surrogate_term(r, a) for r, a in zip(found["ratio"], found["advantages"], strict=True)]
    return Judged(holds(not any(slopes)), {"fraction": found["clipfrac"], "slope": slopes[0]})


def _absolute_range(_: Scenario) -> Judged:
    """How far a probability may rise before the clip acts: a rare token's and a common one's."""
    rare, common = Fraction(1, 100), Fraction(1, 2)
    edges = [p * (1 + EPS) for p in (rare, common)]
    return Judged(
        holds(edges[0] - rare == edges[1] - common),
        {"rare": rare, "common": common, "rare_edge": edges[0], "common_edge": edges[1], "eps": EPS},
    )


def _dual_limits_bad(_: Scenario) -> Judged:
    theorem("dual_clip_bounds_bad_tokens"), theorem("dual_clip_gradient_is_zero_beyond_floor")
    far = Fraction(10)
    plain, dual = _objective(far, BAD), _dual(far, BAD)
    return Judged(
        holds(plain < dual == FLOOR * BAD and _slope(far, BAD, _dual) == 0),
        {"ratio": far, "plain": plain, "dual": dual, "slope": _slope(far, BAD, _dual)},
    )


def _bounded_below(_: Scenario) -> Judged:
    counterexample("clip_bounds_the_objective")
    near, far = (_objective(Fraction(ratio), BAD) for ratio in (10, 100))
    return Judged(holds(near == far), {"near": near, "far": far, "upper": _objective(Fraction(100), GOOD)})


def _zero_advantage(_: Scenario) -> Judged:
    slopes = [_slope(ratio, Fraction(0)) for ratio in (BELOW, INSIDE, ABOVE)]
    return Judged(holds(not any(slopes)), {"ratios": [BELOW, INSIDE, ABOVE], "slopes": slopes})


def _wider_above(_: Scenario) -> Judged:
    """The upper edge raised alone, as DAPO does: a good token that was clipped, and a bad one."""
    ratio, wide = Fraction(5, 4), Fraction(7, 25)
    good, bad = (formulas.ppo_objective(ratio, adv, EPS, wide) for adv in (GOOD, BAD))
    low = formulas.ppo_objective(BELOW, BAD, EPS, wide)
    more = good > _objective(ratio, GOOD) and bad == _objective(ratio, BAD) and low == _objective(BELOW, BAD)
    return Judged(holds(more), {"ratio": ratio, "usual": _objective(ratio, GOOD), "wide": wide, "good": good})


def _as_without_clip(_: Scenario) -> Judged:
    """Before the first update the clipped objective and the plain one agree."""
    found = quantities.facts("clip", TAKEN.merged({"new_logp": TAKEN.old_logp})).exact
    return Judged(
        holds(found["objective_terms"] == found["unclipped"]),
        {"clipped": found["objective_terms"][0], "plain": found["unclipped"][0]},
    )


def _whole_response(_: Scenario) -> Judged:
    """A token beyond the edge beside one at ratio 1."""
    clipped = [formulas.is_clipped(ratio, GOOD, EPS, EPS) for ratio in (ABOVE, Fraction(1))]
    return Judged(
        holds(clipped[0] == clipped[1] == 1),
        {"ratio": ABOVE, "own": _slope(ABOVE, GOOD), "other": _slope(Fraction(1), GOOD)},
    )


MORE: dict[str, Check] = {
    "bad_below_has_no_gradient": _bad_below,
    "good_upper_edge_bad_lower_edge": _one_edge_by_sign,
    "inside_the_range_nothing_is_clipped": _inside_nothing,
    "larger_epsilon_clips_more": _wider_clips_more,
    "epsilon_zero_means_no_learning": _no_width_no_learning,
    "clipped_token_is_pulled_back": _pulled_back,
    "advantage_is_clipped": _advantage_is_clipped,
    "zero_clip_fraction_means_no_learning": _no_fraction_no_learning,
    "range_is_in_absolute_probability": _absolute_range,
    "dual_clip_limits_bad_tokens": _dual_limits_bad,
    "objective_is_bounded_below": _bounded_below,
    "zero_advantage_has_no_gradient": _zero_advantage,
    "clip_higher_lets_good_tokens_rise_further": _wider_above,
    "first_step_is_as_without_clip": _as_without_clip,
    "one_clipped_token_stops_the_response": _whole_response,
}
