"""More of what learners claim of λ: how far it looks, where it is idle, and where the best one lies."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import formulas, quantities
from engine.proofs import theorem
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons.why_lambda.world import ERROR, ERRORS, STEP, enumerated, world

ONE, USUAL = Fraction(1), Fraction(19, 20)
NEAR, FAR, VERY_LONG = 5, 500, 2000  # tokens


def _at(**changes: Any) -> Mapping[str, Any]:
    return quantities.facts("gae", at_hand().merged(changes)).exact


def _weight(steps: int) -> float:
    return float(f"{float(formulas.discounted(ONE, USUAL, steps)):.3g}")


def _only_scales(_: Scenario) -> Judged:
    """A factor would be the same for every token."""
    half, one = _at(lam=0.5)["advantages"], _at(lam=1.0)["advantages"]
    first, last = half[0] / one[0], half[-1] / one[-1]
    return Judged(holds(first == last), {"first": first, "last": last})


def _nearly_monte_carlo(_: Scenario) -> Judged:
    near, far = _weight(NEAR), _weight(FAR)
    return Judged(
        "depends" if near > 0.5 > far else holds(far > 0.5),
        {"lam": USUAL, "few": NEAR, "near": near, "many": FAR, "far": far},
    )


def _last_depends(_: Scenario) -> Judged:
    lasts = [_at(lam=lam)["advantages"][-1] for lam in (0.0, 0.5, 1.0)]
    return Judged(holds(len(set(lasts)) > 1), {"lasts": lasts})


def _horizon(_: Scenario) -> Judged:
    """The weights of all later deltas added up, for a response that is long enough."""
    total = sum(formulas.discounted(1.0, float(USUAL), k) for k in range(VERY_LONG))
    return Judged(
        holds(abs(total - float(1 / (1 - USUAL))) < 1e-6), {"lam": USUAL, "total": round(total, 6), "of": VERY_LONG}
    )


def _idle(_: Scenario) -> Judged:
    """A surprise at the first token, and a critic that is right from then on."""
    theorem("later_returns_are_values_if_later_deltas_vanish")
    rewards, values = [Fraction(x) for x in (0, 0, 1)], [Fraction(1, 2), ONE, ONE]
    firsts = [gae(rewards, values, ONE, Fraction(lam))[0] for lam in (0, 1)]
    return Judged(holds(firsts[0] == firsts[1]), {"v": values, "zero": firsts[0], "one": firsts[1]})


def _one_is_unbiased(_: Scenario) -> Judged:
    theorem("later_values_vanish_at_lambda_one")
    means = enumerated(ERROR).exact["mean"]
    return Judged(holds(means[-1] == STEP), {"truth": STEP, "one": means[-1], "zero": means[0], "error": ERROR})


def _hardly_heard(_: Scenario) -> Judged:
    weight = _weight(FAR - 1)
    return Judged(holds(weight < 1e-6), {"lam": USUAL, "many": FAR, "weight": weight})


def _zero_is_gamma_zero(_: Scenario) -> Judged:
    lam, gamma = _at(lam=0.0)["advantages"][0], _at(gamma=0.0)["advantages"][0]
    return Judged(holds(lam == gamma), {"lam": lam, "gamma": gamma})


def _inside(_: Scenario) -> Judged:
    """At an end for some critics, between the ends for others."""
    best = [float(found[1]) for found in world().exact["best"]]
    inside = [0 < lam < 1 for lam in best]
    return Judged(
        "depends" if any(inside) and not all(inside) else holds(all(inside)), {"errors": list(ERRORS), "best": best}
    )


def _one_token(_: Scenario) -> Judged:
    advantages = [gae([ONE], [Fraction(1, 2)], ONE, Fraction(lam))[0] for lam in (0, 1)]
    return Judged(holds(advantages[0] == advantages[1]), {"zero": advantages[0], "one": advantages[1]})


def _signs_flip(_: Scenario) -> Judged:
    """The same token at both ends of λ."""
    ends = [gae([Fraction(0), ONE], [Fraction(1, 2), Fraction(1, 4)], ONE, Fraction(lam))[0] for lam in (0, 1)]
    return Judged(holds(ends[0] * ends[1] >= 0), {"zero": ends[0], "one": ends[1]})


MORE: dict[str, Check] = {
    "lambda_only_scales_the_advantages": _only_scales,
    "lambda_095_is_nearly_monte_carlo": _nearly_monte_carlo,
    "last_advantage_depends_on_lambda": _last_depends,
    "lambda_095_looks_twenty_tokens_ahead": _horizon,
    "lambda_is_idle_without_later_news": _idle,
    "lambda_one_is_unbiased": _one_is_unbiased,
    "far_end_is_hardly_heard": _hardly_heard,
    "lambda_zero_does_what_gamma_zero_does": _zero_is_gamma_zero,
    "best_lambda_lies_between_the_ends": _inside,
    "one_token_response_ignores_lambda": _one_token,
    "lambda_never_changes_the_sign": _signs_flip,
}
