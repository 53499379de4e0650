"""More of what learners claim of ρA: what the ratio is and is not, where the gradient goes, what the mean is over."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import log
from typing import Any

from engine import drift, formulas, losses, quantities
from engine.facts import compute
from engine.losses import Aggregation
from engine.mistakes import MISTAKES
from engine.mistakes.mistake import reading
from engine.proofs import theorem
from engine.proofs.programs import expected
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._fact import Check, Judged, holds
from lessons._policies import TAKEN

OLD, NEW = (Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 2), Fraction(1, 2))  # of two tokens
UNMOVED = TAKEN.merged({"new_logp": TAKEN.old_logp})


@cache
def _slopes(scenario: Scenario) -> list[Any]:
    return list(compute(own_slopes(quantities.surrogate, "terms", "new_logp"), scenario).exact["slopes"])


def _can_be_negative(_: Scenario) -> Judged:
    """However far the log-probabilities lie apart."""
    far = quantities.facts("surrogate", TAKEN.merged({"new_logp": [-30.0] * TAKEN.length})).numbers["ratio"]
    example = quantities.facts("surrogate", TAKEN).exact["ratio"]
    return Judged(holds(min(far) < 0), {"low": min(example), "high": max(example)})


def _above_one_means_good(_: Scenario) -> Judged:
    ratio, adv = Fraction(3, 2), Fraction(-1)
    term = formulas.surrogate_term(ratio, adv)
    return Judged(holds(term > 0), {"ratio": ratio, "advantage": adv, "term": term})


def _is_difference(_: Scenario) -> Judged:
    ratio, difference = NEW[0] / OLD[0], NEW[0] - OLD[0]
    return Judged(holds(ratio == difference), {"old": OLD[0], "new": NEW[0], "ratio": ratio, "difference": difference})


def _bad_goes_down(_: Scenario) -> Judged:
    theorem("surrogate_gradient_is_policy_gradient_times_ratio")
    own = UNMOVED.merged({"advantages": [-1.0, *([1.0] * (TAKEN.length - 1))]})
    slopes = _slopes(own)
    return Judged(holds(slopes[0] < 0 < slopes[1]), {"bad": slopes[0], "good": slopes[1]})


def _mean_is_one(_: Scenario) -> Judged:
    ratios = [new / old for new, old in zip(NEW, OLD, strict=True)]
    mean = expected(OLD, lambda i: ratios[i])
    return Judged(holds(mean == 1), {"old": list(OLD), "new": list(NEW), "ratios": ratios, "mean": mean})


def _exact_off_policy(_: Scenario) -> Judged:
    promised, earned = drift.promised(OLD[0], NEW[0]), drift.earned(OLD[0], NEW[0])
    return Judged(holds(promised == earned), {"old": OLD[0], "new": NEW[0], "promised": promised, "earned": earned})


def _through_the_old(_: Scenario) -> Judged:
    """If the old moved along with the new one, nothing would be left of the slope."""

    together = reading(old_logp=lambda x: x["new_logp"])(quantities.surrogate)
    slope = _slopes(UNMOVED)[0]
    both = compute(own_slopes(together, "terms", "new_logp"), UNMOVED).exact["slopes"][0]
    return Judged(holds(slope == both), {"slope": slope, "both": both})


def _old_over_new(_: Scenario) -> Judged:
    right = quantities.facts("surrogate", TAKEN).exact["ratio"]
    wrong = compute(MISTAKES["ratio_upside_down"].program, TAKEN).exact["ratio"]
    return Judged(holds(right == wrong), {"right": right[0], "wrong": wrong[0]})


def _exp_of_difference(_: Scenario) -> Judged:
    new, old = float(NEW[0]), float(OLD[0])
    by_logs = formulas.ratio(log(new), log(old))
    return Judged(holds(abs(by_logs - new / old) < 1e-9), {"old": old, "new": new, "ratio": round(by_logs, 9)})


def _mean_over_tokens(_: Scenario) -> Judged:
    """By the mode: the same two responses, of three tokens and of one."""
    terms, masks = [[1, 2, 3], [4, 0, 0]], [[1, 1, 1], [1, 0, 0]]
    by_mode = [
        losses.aggregate([[Fraction(x) for x in row] for row in terms], masks, mode)
        for mode in (Aggregation.TOKEN_MEAN, Aggregation.SEQ_MEAN_TOKEN_MEAN, Aggregation.TOKEN_SUM)
    ]
    return Judged(
        "depends" if len(set(by_mode)) == len(by_mode) else "true",
        {"long": terms[0], "short": terms[1][:1], "token": by_mode[0], "response": by_mode[1], "sum": by_mode[2]},
    )


def _log_form_is_equal(_: Scenario) -> Judged:
    """ρA and log π · A at the first step: the same slope, not the same number."""
    found = quantities.facts("surrogate", UNMOVED).exact
    by_log = UNMOVED.rows("new_logp")[0][0] * float(found["advantages"][0])
    return Judged(
        holds(abs(by_log - float(found["terms"][0])) < 1e-9),
        {"ratio_form": found["terms"][0], "log_form": round(by_log, 6), "slope": _slopes(UNMOVED)[0]},
    )


def _constant_is_harmless(_: Scenario) -> Judged:
    """One more on every advantage: each sampled token's slope moves by it; only the mean over tokens does not."""
    own = TAKEN.rows("advantages")[0]
    before = _slopes(UNMOVED)[0]
    after = _slopes(UNMOVED.merged({"advantages": [a + 1 for a in own]}))[0]
    # E[A ∇log π] with a constant in the place of A: Σ π ∇log π = Σ ∇π, where the probabilities' changes cancel.
    change = Fraction(1, 100)
    mean = expected(OLD, lambda i: (change if i else -change) / OLD[i])
    return Judged(
        "depends" if before != after and mean == 0 else holds(before == after),
        {"before": before, "after": after, "mean": mean},
    )


MORE: dict[str, Check] = {
    "ratio_can_be_negative": _can_be_negative,
    "ratio_above_one_means_good_token": _above_one_means_good,
    "ratio_is_a_difference": _is_difference,
    "negative_advantage_lowers_the_token": _bad_goes_down,
    "mean_ratio_is_one": _mean_is_one,
    "ratio_makes_the_surrogate_exact": _exact_off_policy,
    "gradient_flows_through_the_old_policy": _through_the_old,
    "ratio_is_old_over_new": _old_over_new,
    "ratio_is_exp_of_log_difference": _exp_of_difference,
    "surrogate_is_the_mean_over_tokens": _mean_over_tokens,
    "log_form_has_the_same_value": _log_form_is_equal,
    "a_constant_on_all_advantages_is_harmless": _constant_is_harmless,
}
