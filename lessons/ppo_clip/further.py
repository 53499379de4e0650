"""What learners conclude from the clip: what it is for, what it bounds, what the logs show, and who clips how."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log
from typing import Any

from engine import formulas, losses, quantities
from engine.losses import Clip
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._fact import Check, Judged, holds
from lessons._policies import PAIR, TAKEN
from lessons.ppo_clip.checks import ABOVE, BAD, BELOW, EPS, FLOOR, GOOD, INSIDE, STEP

FAR, FARTHER = Fraction(4), Fraction(8)
SHARE = Fraction(1, 5)  # of a good token under the old policy
NARROW, WIDE = Fraction(1, 10), Fraction(2, 5)


def _objective(ratio: Fraction, adv: Fraction, eps: Fraction = EPS) -> Any:
    return formulas.ppo_objective(ratio, adv, eps, eps)


def _slope(ratio: Fraction, adv: Fraction, eps: Fraction = EPS) -> Any:
    return (_objective(ratio + STEP, adv, eps) - _objective(ratio - STEP, adv, eps)) / (2 * STEP)


def _dual(ratio: Fraction, adv: Fraction, floor: Fraction = FLOOR) -> Any:
    return formulas.dual_clip_objective(ratio, adv, EPS, EPS, floor)


def _dual_slope(ratio: Fraction, adv: Fraction, floor: Fraction) -> Any:
    return (_dual(ratio + STEP, adv, floor) - _dual(ratio - STEP, adv, floor)) / (2 * STEP)


def _clip(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("clip", TAKEN.merged(changes)).exact)


def _rows(name: str) -> list[float]:
    return list(TAKEN.rows(name)[0])


def _approx_kl(old: list[float]) -> float:
    return round(float(losses.approx_kl(_rows("new_logp"), old, [1] * TAKEN.length)), 6)


def _kl_to_reference(_: Scenario) -> Judged:
    """The logged number against the same formula with the reference in the place of the old policy."""
    logged, other = _approx_kl(_rows("old_logp")), _approx_kl(_rows("ref_logp"))
    return Judged(holds(logged == other), {"logged": logged, "other": other})


def _kl_below_zero(_: Scenario) -> Judged:
    """A policy under which every sampled token has become likelier."""
    new = [x + 0.01 for x in _rows("old_logp")]
    found = round(float(losses.approx_kl(new, _rows("old_logp"), [1] * TAKEN.length)), 6)
    return Judged(holds(found >= 0), {"found": found})


def _larger_steps(_: Scenario) -> Judged:
    """The example's movement, halved, whole, and fourfold."""

    moves = [new - old for old, new in zip(_rows("old_logp"), _rows("new_logp"), strict=True)]
    advantages = [float(a) for a in _clip()["advantages"]]

    def fraction(times: float) -> Any:
        ratios = [exp(times * move) for move in moves]
        return alone("clip", ratio=ratios, advantages=advantages, eps=float(EPS))["clipfrac"]

    shares = [fraction(times) for times in (0.5, 1.0, 4.0)]
    return Judged(holds(shares == sorted(shares) and shares[0] < shares[-1]), {"shares": shares})


def _kl_constraint(_: Scenario) -> Judged:
    """A good token at the edge and far beyond it: the objective is the same, the KL is not."""

    def kl(ratio: Fraction) -> float:
        new = SHARE * ratio
        return sum(float(p) * log(p / q) for p, q in ((SHARE, new), (1 - SHARE, 1 - new)))

    near, far = (round(kl(ratio), 4) for ratio in (1 + EPS, FAR))
    same = _objective(1 + EPS, GOOD) == _objective(FAR, GOOD)
    return Judged(
        holds(not (same and far > near)),
        {"edge": 1 + EPS, "far": FAR, "near_kl": near, "far_kl": far, "objective": _objective(FAR, GOOD)},
    )


def _no_incentive(_: Scenario) -> Judged:
    theorem("gradient_is_zero_for_good_token_above"), theorem("gradient_is_zero_for_bad_token_below")
    good, bad = _slope(ABOVE, GOOD), _slope(BELOW, BAD)
    return Judged(
        holds(good == bad == 0),
        {"high": ABOVE, "low": BELOW, "good": good, "bad": bad, "inside": _slope(INSIDE, GOOD)},
    )


def _symmetric_in_logs(_: Scenario) -> Judged:
    up, down = log(1 + EPS), log(1 - EPS)
    return Judged(holds(abs(up + down) < 1e-9), {"up": round(up, 4), "down": round(down, 4)})


def _by_sequence(_: Scenario) -> Judged:
    """Two ratios whose product is one: by the sequence nothing would be clipped."""
    ratios = [Fraction(2), Fraction(1, 2)]
    by_token = [formulas.is_clipped(ratio, GOOD, EPS, EPS) for ratio in ratios]
    whole = formulas.is_clipped(ratios[0] * ratios[1], GOOD, EPS, EPS)
    return Judged(
        holds(max(by_token) == whole), {"ratios": ratios, "product": ratios[0] * ratios[1], "clipped": by_token}
    )


def _leave_the_mean(_: Scenario) -> Judged:
    """A clipped token beside one at ratio 1: the mean over two, or over one."""
    found = alone("clip", ratio=[1.5, 1], advantages=[1, 1], eps=0.2)
    kept = found["objective_terms"][1]
    return Judged(
        holds(found["objective"] == kept),
        {"terms": found["objective_terms"], "mean": found["objective"], "kept": kept},
    )


def _loss_is_zero(_: Scenario) -> Judged:
    loss = -_objective(ABOVE, GOOD)
    return Judged(holds(loss == 0), {"ratio": ABOVE, "loss": loss, "slope": _slope(ABOVE, GOOD)})


def _pure_on_policy(_: Scenario) -> Judged:
    """One step on the whole batch: the policy that is updated is still the one that wrote."""
    found = _clip(new_logp=TAKEN.old_logp)
    same = found["objective_terms"] == found["unclipped"]
    return Judged(holds(same and found["clipfrac"] == 0), {"ratio": found["ratio"][0], "fraction": found["clipfrac"]})


def _floor_above_one(_: Scenario) -> Judged:
    """With a constant below 1 a bad token has no gradient even before the first update."""
    small, usual = (_dual_slope(Fraction(1), BAD, floor) for floor in (Fraction(1, 2), FLOOR))
    return Judged(
        holds(small == 0 != usual), {"constant": Fraction(1, 2), "small": small, "floor": FLOOR, "usual": usual}
    )


def _dual_where(_: Scenario) -> Judged:
    theorem("dual_clip_leaves_good_tokens_alone")
    acts = {(adv, ratio): _dual(ratio, adv) != _objective(ratio, adv) for adv in (GOOD, BAD) for ratio in (FAR, INSIDE)}
    only = acts == {(GOOD, FAR): False, (GOOD, INSIDE): False, (BAD, FAR): True, (BAD, INSIDE): False}
    return Judged(
        holds(only), {"far": FAR, "plain": _objective(FAR, BAD), "dual": _dual(FAR, BAD), "good": _dual(FAR, GOOD)}
    )


def _value_clip_is_same(_: Scenario) -> Judged:
    """Each of the two ranges moved by itself, and what moves with it."""
    policy = [_clip(cliprange_value=r)["objective"] for r in (0.07, 0.5)]
    value = [quantities.facts("value_loss", PAIR.merged({"eps": e})).exact["vf_loss"] for e in (0.07, 0.5)]
    own = [quantities.facts("value_loss", PAIR.merged({"cliprange_value": r})).exact["vf_loss"] for r in (0.07, 0.5)]
    return Judged(
        holds(policy[0] != policy[1] and value[0] != value[1]),
        {"policy": policy[0], "value": value[0], "own": own},
    )


def _wider_for_large(_: Scenario) -> Judged:
    """Where the gradient ends, for advantages that differ hundredfold."""
    slopes = [_slope(1 + EPS + STEP * 2, adv) for adv in (GOOD, 100 * GOOD)]
    below = [_slope(1 + EPS - STEP * 2, adv) for adv in (GOOD, 100 * GOOD)]
    return Judged(holds(not (slopes == [0, 0] and 0 not in below)), {"edge": 1 + EPS, "small": 1, "large": 100})


def _good_is_capped(_: Scenario) -> Judged:
    found = [_objective(ratio, GOOD) for ratio in (ABOVE, FAR, FARTHER)]
    return Judged(holds(set(found) == {(1 + EPS) * GOOD}), {"ratios": [ABOVE, FAR, FARTHER], "found": found})


def _bad_tops_out(_: Scenario) -> Judged:
    found = [_objective(ratio, BAD) for ratio in (Fraction(1, 10), BELOW, 1 - EPS, Fraction(1), ABOVE)]
    return Judged(
        holds(max(found) == (1 - EPS) * BAD == found[0]), {"found": found, "edge": 1 - EPS, "top": max(found)}
    )


def _corrects(_: Scenario) -> Judged:
    """Moved the wrong way: a good token that fell, a bad one that rose."""
    good, bad = _slope(BELOW, GOOD), _slope(ABOVE, BAD)
    return Judged(holds(good > 0 > bad), {"low": BELOW, "good": good, "high": ABOVE, "bad": bad})


def _wider_allows_more(_: Scenario) -> Judged:
    tops = [_objective(FAR, GOOD, eps) for eps in (NARROW, WIDE)]
    return Judged(holds(tops[0] < tops[1]), {"widths": [NARROW, WIDE], "tops": tops})


def _narrow_is_better(_: Scenario) -> Judged:
    """A good token at a ratio that has hardly moved: what is left to learn from."""
    ratio = Fraction(51, 50)
    narrow, usual = _slope(ratio, GOOD, Fraction(1, 100)), _slope(ratio, GOOD)
    return Judged(holds(narrow >= usual), {"ratio": ratio, "narrow": narrow, "usual": usual, "eps": Fraction(1, 100)})


def _around_one(_: Scenario) -> Judged:
    low, high = (formulas.clipped_term(ratio, GOOD, EPS, EPS) for ratio in (Fraction(0), FAR))
    return Judged(holds((low + high) / 2 == 1), {"low": low, "high": high, "middle": (low + high) / 2})


def _fraction_in_range(_: Scenario) -> Judged:
    """All tokens clipped, none, and the example."""
    every = alone("clip", ratio=[2, 2], advantages=[1, 1], eps=0.2)["clipfrac"]
    none = alone("clip", ratio=[1, 1], advantages=[1, 1], eps=0.2)["clipfrac"]
    example = _clip()["clipfrac"]
    return Judged(holds(0 == none <= example <= every == 1), {"every": every, "none": none, "example": example})


def _reverses(_: Scenario) -> Judged:
    """The sign of every slope beside that of the plain surrogate."""
    grid = [(ratio, adv) for ratio in (Fraction(1, 10), BELOW, INSIDE, ABOVE, FAR) for adv in (GOOD, BAD)]
    slopes = [(_slope(ratio, adv), adv) for ratio, adv in grid]
    return Judged(
        holds(any(slope * adv < 0 for slope, adv in slopes)),
        {"cases": len(grid), "slopes": sorted({s for s, _ in slopes})},
    )


def _is_cpi_without(_: Scenario) -> Judged:
    """With a range that no ratio leaves."""
    found = _clip(eps_low=0.999, eps_high=1000.0)
    return Judged(
        holds(found["objective_terms"] == found["unclipped"]),
        {"wide": found["objective"], "plain": quantities.facts("surrogate", TAKEN).exact["surrogate"]},
    )


def _rare_gain_little(_: Scenario) -> Judged:
    rare, common = Fraction(1, 100), Fraction(1, 2)
    gains = [p * (1 + EPS) - p for p in (rare, common)]
    return Judged(holds(gains[0] < gains[1]), {"rare": rare, "common": common, "gains": gains})


def _minus_ratio_advantage(_: Scenario) -> Judged:
    """Inside the range it is; where the clip decides it is not."""
    inside, outside = ((-_objective(ratio, GOOD), -formulas.surrogate_term(ratio, GOOD)) for ratio in (INSIDE, ABOVE))
    verdict = "depends" if inside[0] == inside[1] and outside[0] != outside[1] else holds(outside[0] == outside[1])
    return Judged(
        verdict, {"ratio": INSIDE, "inside": inside[0], "high": ABOVE, "taken": outside[0], "plain": outside[1]}
    )


def _min_of_two(_: Scenario) -> Judged:
    found = _clip()
    pairs = list(zip(found["unclipped"], found["clipped"], found["objective_terms"], strict=True))
    t = max(range(len(pairs)), key=lambda i: abs(pairs[i][0] - pairs[i][1]))
    return Judged(
        holds(all(min(a, b) == taken for a, b, taken in pairs)),
        {"plain": pairs[t][0], "clipped": pairs[t][1], "taken": pairs[t][2]},
    )


def _epochs_clip_more(_: Scenario) -> Judged:
    """A good token that every step takes a little further: after how many of them its gradient ends."""
    ratio, steps = Fraction(1), 0
    while _slope(ratio, GOOD):
        ratio, steps = ratio + Fraction(3, 50), steps + 1
    one = losses.clip_fraction([Fraction(53, 50)], [GOOD], [1], clip=Clip(EPS, EPS))
    last = losses.clip_fraction([ratio], [GOOD], [1], clip=Clip(EPS, EPS))
    return Judged(holds(one < last), {"steps": steps, "one": one, "last": last, "ratio": ratio})


FURTHER: dict[str, Check] = {
    "logged_kl_is_to_the_reference": _kl_to_reference,
    "logged_kl_cannot_be_negative": _kl_below_zero,
    "larger_steps_clip_more": _larger_steps,
    "clip_is_a_hard_kl_constraint": _kl_constraint,
    "removes_the_incentive_to_go_further": _no_incentive,
    "range_is_symmetric_in_log_probability": _symmetric_in_logs,
    "ratio_of_the_whole_response_is_clipped": _by_sequence,
    "clipped_tokens_leave_the_mean": _leave_the_mean,
    "clipped_token_has_zero_loss": _loss_is_zero,
    "never_acts_with_one_step_per_batch": _pure_on_policy,
    "dual_clip_constant_must_exceed_one": _floor_above_one,
    "dual_clip_acts_on_bad_tokens_far_above_only": _dual_where,
    "value_clipping_shares_the_range": _value_clip_is_same,
    "larger_advantage_has_a_wider_range": _wider_for_large,
    "good_token_earns_at_most_upper_edge": _good_is_capped,
    "bad_token_earns_at_most_lower_edge": _bad_tops_out,
    "wrong_moves_can_be_corrected": _corrects,
    "larger_epsilon_allows_larger_moves": _wider_allows_more,
    "smaller_epsilon_is_always_better": _narrow_is_better,
    "range_is_centred_at_one": _around_one,
    "clip_fraction_lies_in_zero_to_one": _fraction_in_range,
    "clip_can_reverse_a_gradient": _reverses,
    "without_clip_it_is_the_surrogate": _is_cpi_without,
    "rare_tokens_can_gain_little": _rare_gain_little,
    "loss_is_minus_ratio_times_advantage": _minus_ratio_advantage,
    "objective_is_the_smaller_of_two_terms": _min_of_two,
    "more_epochs_clip_more": _epochs_clip_more,
}
