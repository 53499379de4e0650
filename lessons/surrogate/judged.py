"""Questions of judgement about the surrogate, and its parts swapped: cases for and against, computed."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

from engine import drift, formulas, quantities
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE, TAKEN
from lessons._weighed import weighed

OLD, NEAR, FAR = Fraction(3, 4), Fraction(5, 8), Fraction(1, 8)


def _found(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("surrogate", TAKEN.merged(changes)).exact)


def _needs_ratio(_: Scenario) -> Judged:
    """At the first step ρ is one everywhere; later it is what tells the terms apart."""
    first, later = _found(new_logp=TAKEN.old_logp)["ratio"], _found()["ratio"]
    return Judged(
        weighed(any(r != 1 for r in later), all(r == 1 for r in first)),
        {"first": first[0], "later": round(float(later[0]), 4)},
    )


def _reuse_is_better(_: Scenario) -> Judged:
    """One batch used for a small move and for a large one: what is earned."""
    near, far = drift.earned(OLD, NEAR), drift.earned(OLD, FAR)
    return Judged(weighed(near > 0, far < near), {"old": OLD, "near": NEAR, "far": FAR, "small": near, "large": far})


def _token_over_sequence(_: Scenario) -> Judged:
    """The ratio of a token stays near one; the product over the response is what the whole response's weight is."""
    ratios = [float(r) for r in quantities.facts("surrogate", EXAMPLE).exact["ratio"]]
    moves = [float(n - o) for n, o in zip(EXAMPLE.rows("new_logp")[0], EXAMPLE.rows("old_logp")[0], strict=True)]
    whole, widest = exp(sum(moves)), max(abs(r - 1) for r in ratios)
    many = exp(sum(abs(m) for m in moves) * 20)
    return Judged(
        weighed(many - 1 > widest, not close(whole, ratios[0])),
        {"token": round(ratios[0], 4), "whole": round(whole, 4), "long": round(many, 4), "times": 20},
    )


def _adv_over_ratio(_: Scenario) -> Judged:
    ratio, adv = Fraction(6, 5), Fraction(2)
    return Judged(
        holds(formulas.surrogate_term(ratio, adv) == adv / ratio),
        {"ratio": ratio, "adv": adv, "right": formulas.surrogate_term(ratio, adv), "wrong": adv / ratio},
    )


def _zero_ratio_at_first(_: Scenario) -> Judged:
    found = _found(new_logp=TAKEN.old_logp)["ratio"][0]
    return Judged(holds(found == 0), {"found": found})


def _good_only(_: Scenario) -> Judged:
    ratio = Fraction(6, 5)
    good, bad = (formulas.surrogate_term(ratio, Fraction(a)) for a in (1, -1))
    return Judged(holds(bad == 0), {"ratio": ratio, "good": good, "bad": bad})


def _rising_ratio(_: Scenario) -> Judged:
    """The term of a good and of a bad token while its ratio rises."""
    good, bad = ([formulas.surrogate_term(Fraction(r), Fraction(a)) for r in (1, 2)] for a in (1, -1))
    return Judged(weighed(good[1] > good[0], bad[1] < bad[0]), {"good": good, "bad": bad, "ratios": [1, 2]})


JUDGED: dict[str, Check] = {
    "ratio_is_needed": _needs_ratio,
    "reusing_a_batch_is_better": _reuse_is_better,
    "token_ratios_are_better_than_sequence_ratios": _token_over_sequence,
    "term_is_advantage_over_ratio": _adv_over_ratio,
    "ratio_starts_at_zero": _zero_ratio_at_first,
    "surrogate_is_for_good_tokens_only": _good_only,
    "larger_ratio_raises_the_surrogate": _rising_ratio,
}
