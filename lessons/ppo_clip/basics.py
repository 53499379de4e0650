"""What is said of the clip first: what it is measured from, what it cuts and what not, what its fraction tells."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from math import exp, log
from typing import Any

from engine import formulas, quantities
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import PAIR, TAKEN
from lessons._weighed import weighed
from lessons.ppo_clip.checks import ABOVE, BAD, BELOW, EPS, GOOD, INSIDE
from lessons.ppo_clip.further import _clip, _objective, _rows, _slope

ONE, HAIR = Fraction(1), Fraction(1, 10**6)
ROUNDS = 5


def _from_reference(_: Scenario) -> Judged:
    """The ratio that is clipped, beside the one to the reference."""
    ratio = _clip()["ratio"][0]
    other = exp(_rows("new_logp")[0] - _rows("ref_logp")[0])
    return Judged(holds(close(ratio, other)), {"ratio": round(float(ratio), 4), "other": round(other, 4)})


def _rewards_cut(_: Scenario) -> Judged:
    """A reward of fifty for the only token, V being nought: what the objective is at ratio one."""
    reward = 50.0
    adv = alone("gae", rewards=[reward], values=[0.0], gamma=1, lam=1)["advantages"][0]
    found = _objective(ONE, Fraction(adv))
    return Judged(holds(found < reward), {"reward": reward, "found": found})


def _jumps(_: Scenario) -> Judged:
    edge = 1 + EPS
    below, above = (_objective(edge + by, GOOD) for by in (-HAIR, HAIR))
    return Judged(holds(above - below > 2 * HAIR), {"edge": edge, "below": float(below), "above": float(above)})


def _fades(_: Scenario) -> Judged:
    """By the ratio, ever nearer to the edge."""
    ratios = [ONE, INSIDE, 1 + EPS - 2 * HAIR]
    slopes = [_slope(ratio, GOOD) for ratio in ratios]
    return Judged(holds(slopes[0] > slopes[-1]), {"slopes": slopes, "edge": 1 + EPS, "beyond": _slope(ABOVE, GOOD)})


def _for_ever(_: Scenario) -> Judged:
    """A ratio that was beyond the edge and has come back with the parameters it shares."""
    before, after = (formulas.is_clipped(ratio, GOOD, EPS, EPS) for ratio in (ABOVE, INSIDE))
    return Judged(
        holds(before == after),
        {"high": ABOVE, "then": INSIDE, "before": _slope(ABOVE, GOOD), "after": _slope(INSIDE, GOOD)},
    )


def _high_is_bad(_: Scenario) -> Judged:
    """The example's movement fourfold in the usual range, and a tenth of it in a very narrow one."""
    moves = [new - old for old, new in zip(_rows("old_logp"), _rows("new_logp"), strict=True)]
    advantages = [float(a) for a in _clip()["advantages"]]
    shares, widest = [], []
    for times, eps in ((4.0, 0.2), (0.1, 0.002)):
        ratios = [exp(times * move) for move in moves]
        shares.append(alone("clip", ratio=ratios, advantages=advantages, eps=eps)["clipfrac"])
        widest.append(round(max(abs(r - 1) for r in ratios), 3))
    return Judged(
        weighed(widest[0] > 1, shares[1] >= shares[0] and widest[1] < 0.1), {"shares": shares, "widest": widest}
    )


def _loss_is_positive(_: Scenario) -> Judged:
    loss = -_objective(ONE, GOOD)
    return Judged(holds(loss >= 0), {"loss": loss, "bad": -_objective(ONE, BAD)})


def _others_move_freely(_: Scenario) -> Judged:
    """Three words, of which the first was sampled and is as likely as before, while the others change places."""
    old, new = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 2), Fraction(49, 100), Fraction(1, 100))
    ratios = [b / a for a, b in zip(old, new, strict=True)]
    same = _objective(ratios[0], GOOD) == _objective(ONE, GOOD)
    outside = max(ratios[1:]) > 1 + EPS
    return Judged(holds(same and outside), {"sampled": ratios[0], "others": ratios[1:]})


def _reads_the_old(_: Scenario) -> Judged:
    """The same current policy beside two old ones."""
    own = _clip()
    other = _clip(old_logp=TAKEN.new_logp)
    return Judged(holds(own["clipfrac"] != other["clipfrac"]), {"own": own["clipfrac"], "other": other["clipfrac"]})


def _scale_counts(_: Scenario) -> Judged:
    own = [float(a) for a in _clip()["advantages"]]
    shares = [_clip(advantages=[a * times for a in own])["clipfrac"] for times in (1, 10)]
    return Judged(holds(shares[0] != shares[1]), {"times": 10, "one": shares[0], "other": shares[1]})


def _replaces_penalty(_: Scenario) -> Judged:
    """A token that goes up by a tenth in every iteration: never clipped, since each begins at one again."""
    step = INSIDE
    clipped = [formulas.is_clipped(step, GOOD, EPS, EPS) for _ in range(ROUNDS)]
    whole = step**ROUNDS
    return Judged(
        holds(any(clipped) or whole <= 1 + EPS),
        {"step": step, "rounds": ROUNDS, "whole": round(float(whole), 4), "edge": 1 + EPS},
    )


def _stops_moving(_: Scenario) -> Judged:
    """A clipped token and a free one move with one parameter: a step along what is left of the slopes."""
    before = 1.25
    slopes = [_slope(Fraction(before), GOOD), _slope(ONE, GOOD)]
    after = before * exp(0.1 * float(sum(slopes)))
    return Judged(
        holds(close(before, after)),
        {"before": before, "after": round(after, 4), "own": slopes[0], "other": slopes[1]},
    )


def _unclipped_is_clipped(_: Scenario) -> Judged:
    """Of the running example's tokens: how many have a term that the clip decides."""
    found: dict[str, Any] = _clip()
    return Judged(holds(found["clipfrac"] == 1), {"share": found["clipfrac"]})


def _at_one(_: Scenario) -> Judged:
    """Good and bad, at ratio one."""
    terms = [_objective(ONE, adv) for adv in (2 * GOOD, 3 * BAD)]
    return Judged(holds(terms == [2 * GOOD, 3 * BAD]), {"good": terms[0], "bad": terms[1]})


def _padding_counts(_: Scenario) -> Judged:
    """Two real tokens, one of them clipped, and padding whose ratio is far out."""
    ratios, advantages = [1.5, 1.0, 9.0], [1, 1, 1]
    found = alone("clip", ratio=ratios, advantages=advantages, eps=0.2, mask=[1, 1, 0])["clipfrac"]
    unmasked = alone("clip", ratio=ratios, advantages=advantages, eps=0.2)["clipfrac"]
    return Judged(holds(found == unmasked), {"found": found, "unmasked": round(float(unmasked), 4)})


def _edge_by_whitened(_: Scenario) -> Judged:
    """The example's token whose raw advantage lies between nought and the batch's mean, and whose ratio has fallen."""
    found = quantities.facts("clip", PAIR).exact
    names = ("ratio", "advantages", "whitened")
    tokens = zip(*(chain(*found[name]) for name in names), strict=True)
    ratio, raw, white = next(token for token in tokens if token[1] > 0 > token[2])
    cut = [formulas.is_clipped(ratio, advantage, EPS, EPS) for advantage in (raw, white)]
    return Judged(holds(cut == [0, 1]), {"raw": raw, "white": white, "ratio": ratio, "edge": 1 - EPS})


def _good_form(_: Scenario) -> Judged:
    found = [(_objective(r, GOOD), min(r, 1 + EPS) * GOOD) for r in (BELOW, INSIDE, ABOVE)]
    return Judged(
        holds(all(a == b for a, b in found)), {"ratios": [BELOW, INSIDE, ABOVE], "found": [a for a, _ in found]}
    )


def _bad_form(_: Scenario) -> Judged:
    found = [(_objective(r, BAD), max(r, 1 - EPS) * BAD) for r in (BELOW, INSIDE, ABOVE)]
    return Judged(
        holds(all(a == b for a, b in found)), {"ratios": [BELOW, INSIDE, ABOVE], "found": [a for a, _ in found]}
    )


def _keeps_near(_: Scenario) -> Judged:
    """What is left of the push beyond the edge, and a ratio that others carry on all the same."""
    without, with_it = formulas.surrogate_term(ONE, GOOD), _slope(ABOVE, GOOD)
    after = 1.25 * exp(0.1 * float(_slope(ONE, GOOD)))
    return Judged(
        weighed(with_it == 0 < without, after > 1 + EPS),
        {"without": without, "with_it": with_it, "edge": 1 + EPS, "after": round(after, 4)},
    )


def _alters_probabilities(_: Scenario) -> Judged:
    """The ratios with a wide range and with a narrow one."""
    wide, narrow = _clip(eps=0.4), _clip(eps=0.05)
    return Judged(
        holds(wide["ratio"] != narrow["ratio"]),
        {"ratio": round(float(narrow["ratio"][0]), 4), "same": round(float(wide["ratio"][0]), 4),
         "wide": wide["clipfrac"], "narrow": narrow["clipfrac"]},
    )  # fmt: skip


def _log_is_clamped(_: Scenario) -> Judged:
    """A ratio of one, whose logarithm is nought: what a clamp of the logarithm to the same range would make of it."""
    low, high = float(1 - EPS), float(1 + EPS)
    clamped = min(max(0.0, low), high)
    found = _objective(ONE, GOOD)
    return Judged(holds(close(found, exp(clamped))), {"found": found, "wrong": round(exp(clamped), 4)})


def _rises_then_flat(_: Scenario) -> Judged:
    """A good token's slope below the range, inside and above."""
    slopes = [_slope(ratio, GOOD) for ratio in (BELOW, INSIDE, ABOVE)]
    return Judged(holds(slopes == [1, 1, 0]), {"ratios": [BELOW, INSIDE, ABOVE], "slopes": slopes})


def _flat_then_falls(_: Scenario) -> Judged:
    """A bad token's slope below the range, inside and above."""
    slopes = [_slope(ratio, BAD) for ratio in (BELOW, INSIDE, ABOVE)]
    return Judged(holds(slopes == [0, -1, -1]), {"ratios": [BELOW, INSIDE, ABOVE], "slopes": slopes})


def _same_both_ways(_: Scenario) -> Judged:
    """How many of the four cases beyond the range lose their gradient."""
    slopes = [_slope(ratio, adv) for ratio in (ABOVE, BELOW) for adv in (GOOD, BAD)]
    return Judged(holds(not any(slopes)), {"none": slopes.count(0), "cases": len(slopes)})


def _clip_or_penalty(_: Scenario) -> Judged:
    """A good token at four times its probability: what the clip leaves of the push, and what a KL penalty does."""
    share, far, step = 0.2, 4.0, 1e-6

    def kl(ratio: float) -> float:
        return sum(p * log(p / q) for p, q in ((share, share * ratio), (1 - share, 1 - share * ratio)))

    pull = (kl(far + step) - kl(far - step)) / (2 * step)
    weak, strong = (round(1 - beta * pull, 4) for beta in (0.1, 2.0))
    left = _slope(Fraction(4), GOOD)
    return Judged(weighed(weak > left == 0, strong < 0), {"ratio": 4, "clip": left, "weak": weak, "strong": strong})


BASICS: dict[str, Check] = {
    "clip_is_better_than_a_kl_penalty": _clip_or_penalty,
    "good_tokens_objective_rises_then_stays_flat": _rises_then_flat,
    "bad_tokens_objective_is_flat_then_falls": _flat_then_falls,
    "all_four_cases_outside_are_clipped": _same_both_ways,
    "clip_keeps_the_policy_near_the_old_one": _keeps_near,
    "clip_alters_the_probabilities": _alters_probabilities,
    "log_ratio_is_clipped_to_the_range": _log_is_clamped,
    "objective_at_ratio_one_is_the_advantage": _at_one,
    "padding_counts_in_the_clip_fraction": _padding_counts,
    "whitened_sign_decides_the_edge": _edge_by_whitened,
    "good_token_takes_the_smaller_of_ratio_and_upper_edge": _good_form,
    "bad_token_takes_the_larger_of_ratio_and_lower_edge": _bad_form,
    "range_is_around_the_reference": _from_reference,
    "rewards_are_clipped": _rewards_cut,
    "objective_jumps_at_the_edge": _jumps,
    "gradient_fades_towards_the_edge": _fades,
    "once_clipped_always_clipped": _for_ever,
    "high_clip_fraction_is_bad": _high_is_bad,
    "policy_loss_is_never_negative": _loss_is_positive,
    "only_sampled_tokens_are_limited": _others_move_freely,
    "clip_needs_the_old_log_probs": _reads_the_old,
    "scale_of_advantages_changes_the_clip_fraction": _scale_counts,
    "clip_replaces_the_kl_penalty": _replaces_penalty,
    "clipped_token_stops_moving": _stops_moving,
    "every_token_is_clipped": _unclipped_is_clipped,
}
