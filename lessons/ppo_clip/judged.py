"""Questions of judgement about the clip, and claims that swap its parts: a case for and a case against, computed."""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import Any

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed
from lessons.ppo_clip.checks import ABOVE, BAD, BELOW, EPS, FLOOR, GOOD, INSIDE, STEP

FAR, NARROW, WIDE = Fraction(10), Fraction(1, 100), Fraction(7, 25)
BEYOND, HARDLY = Fraction(5, 4), Fraction(51, 50)
SHARE = Fraction(1, 2)


def _objective(ratio: Fraction, adv: Fraction, low: Fraction = EPS, high: Fraction | None = None) -> Any:
    return formulas.ppo_objective(ratio, adv, low, low if high is None else high)


def _slope(ratio: Fraction, adv: Fraction, low: Fraction = EPS, high: Fraction | None = None) -> Any:
    return (_objective(ratio + STEP, adv, low, high) - _objective(ratio - STEP, adv, low, high)) / (2 * STEP)


def _needed(_: Scenario) -> Judged:
    """One step on fresh samples, ratio one; and a good token that many steps have carried far."""
    first = [_objective(Fraction(1), adv) == formulas.surrogate_term(Fraction(1), adv) for adv in (GOOD, BAD)]
    with_it, without = _objective(FAR, GOOD), formulas.surrogate_term(FAR, GOOD)
    return Judged(
        weighed(without > with_it, all(first)),
        {"one": _objective(Fraction(1), GOOD), "far": FAR, "with_it": with_it, "without": without},
    )


def _good_only(_: Scenario) -> Judged:
    slopes = {adv: _slope(ratio, adv) for ratio, adv in ((ABOVE, GOOD), (BELOW, BAD))}
    return Judged(
        holds(slopes[GOOD] == 0 != slopes[BAD]),
        {"high": ABOVE, "low": BELOW, "good": slopes[GOOD], "bad": slopes[BAD]},
    )


def _minimum_of_ratios(_: Scenario) -> Judged:
    """The smaller ratio first and the advantage afterwards."""

    def swapped(ratio: Fraction, adv: Fraction) -> Any:
        return min(ratio, formulas.clipped_term(ratio, GOOD, EPS, EPS)) * adv

    return Judged(
        holds(all(swapped(r, a) == _objective(r, a) for r in (ABOVE, BELOW) for a in (GOOD, BAD))),
        {"ratio": ABOVE, "good": swapped(ABOVE, GOOD), "bad": swapped(ABOVE, BAD), "right": _objective(ABOVE, BAD)},
    )


def _wider_above_is_better(_: Scenario) -> Judged:
    """What it lets a good token go on learning, and how far from the old policy it lets it go."""
    usual, wide = (_slope(BEYOND, GOOD, EPS, high) for high in (EPS, WIDE))

    def kl(ratio: Fraction) -> float:
        new = SHARE * ratio
        return round(float(sum(float(p) * log(p / q) for p, q in ((SHARE, new), (1 - SHARE, 1 - new)))), 4)

    kls = [kl(1 + EPS), kl(1 + WIDE)]
    return Judged(
        weighed(wide > usual, kls[1] > kls[0]),
        {"ratio": BEYOND, "usual": usual, "wide": wide, "kls": kls, "high": WIDE},
    )


def _improvement_is_certain(_: Scenario) -> Judged:
    """A token that scores 0 beside one that scores 1, and an estimate that calls the first one good."""
    before, after = (1 - SHARE * ratio for ratio in (Fraction(1), 1 + EPS))
    earned = _objective(1 + EPS, GOOD) - _objective(Fraction(1), GOOD)
    return Judged(holds(not (earned > 0 and after < before)), {"earned": earned, "before": before, "after": after})


def _dual_is_needed(_: Scenario) -> Judged:
    plain = [_objective(ratio, BAD) for ratio in (ABOVE, FAR)]
    dual = [formulas.dual_clip_objective(ratio, BAD, EPS, EPS, FLOOR) for ratio in (ABOVE, FAR)]
    return Judged(
        weighed(dual[1] > plain[1], dual[0] == plain[0]),
        {"near": ABOVE, "same": plain[0], "far": FAR, "plain": plain[1], "dual": dual[1]},
    )


def _smaller_is_better(_: Scenario) -> Judged:
    """How far it lets a token be pushed, and how soon it stops learning."""
    tops = [_objective(FAR, GOOD, eps) for eps in (NARROW, EPS)]
    slopes = [_slope(HARDLY, GOOD, eps) for eps in (NARROW, EPS)]
    return Judged(
        weighed(tops[0] < tops[1], slopes[0] < slopes[1]),
        {"eps": [NARROW, EPS], "tops": tops, "ratio": HARDLY, "slopes": slopes},
    )


def _centre_moves(_: Scenario) -> Judged:
    """Two mini-steps, each of which makes the token likelier by the same factor."""
    step = Fraction(23, 20)
    by_old, by_last = (formulas.is_clipped(ratio, GOOD, EPS, EPS) for ratio in (step * step, step))
    return Judged(holds(by_old == by_last), {"step": step, "ratio": step * step})


def _epsilon_scales(_: Scenario) -> Judged:
    slopes = [_slope(INSIDE, GOOD, eps) for eps in (EPS, 2 * EPS)]
    return Judged(holds(slopes[0] != slopes[1]), {"ratio": INSIDE, "eps": [EPS, 2 * EPS], "slopes": slopes})


JUDGED: dict[str, Check] = {
    "clipping_is_needed": _needed,
    "clip_is_for_good_tokens_only": _good_only,
    "minimum_is_taken_of_the_ratios": _minimum_of_ratios,
    "clip_higher_is_better": _wider_above_is_better,
    "clip_guarantees_improvement": _improvement_is_certain,
    "dual_clip_is_needed": _dual_is_needed,
    "smaller_epsilon_is_better": _smaller_is_better,
    "range_is_centred_on_the_last_mini_step": _centre_moves,
    "epsilon_scales_the_gradient": _epsilon_scales,
}
