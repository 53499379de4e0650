"""What learners conclude from a check: what follows backwards from a table, and which differences are no errors."""

from __future__ import annotations

from typing import Any

from engine import audits, quantities
from engine.audits import Claim
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds
from lessons.audit.checks import THREE

DIGITS = 6


def _gae(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", scenario({**THREE, **changes})).exact)


def _wrong(name: str, stated: list[float], quantity: str = "gae", **changes: Any) -> int:
    """How many of the numbers stated the audit finds wrong."""
    return len(audits.audit(scenario({**THREE, **changes}), [Claim(name, stated, DIGITS)], quantity).wrong)


def _floats(xs: Any) -> list[float]:
    return [round(float(x), DIGITS) for x in xs]


def _shorter_list(_: Scenario) -> Judged:
    """Two numbers stated where there are three tokens."""
    found = _wrong("advantages", _floats(_gae()["advantages"])[:2])
    return Judged(holds(found == 0), {"stated": 2, "tokens": 3, "wrong": found})


def _returns_give_advantages(_: Scenario) -> Judged:
    theorem("advantage_is_lambda_return_minus_value")
    found = _gae()
    back = [r - v for r, v in zip(found["returns"], found["values"], strict=True)]
    return Judged(
        holds(back == found["advantages"]),
        {"target": found["returns"][0], "value": found["values"][0], "adv": back[0]},
    )


def _values_from_both(_: Scenario) -> Judged:
    found = _gae()
    back = [r - a for r, a in zip(found["returns"], found["advantages"], strict=True)]
    return Judged(
        holds(back == found["values"]),
        {"target": found["returns"][0], "adv": found["advantages"][0], "value": back[0]},
    )


def _same_order(_: Scenario) -> Judged:
    """Advantages of another λ: the order of the tokens is the same, the numbers are not."""
    right, wrong = _gae()["advantages"], _gae(lam=0.9)["advantages"]
    order = [sorted(range(3), key=row.__getitem__) for row in (right, wrong)]
    return Judged(
        holds(not (order[0] == order[1] and _wrong("advantages", _floats(wrong)) > 0)),
        {"right": right[0], "wrong": wrong[0], "lam": 0.9},
    )


def _sample_or_population(_: Scenario) -> Judged:
    """The population's whitening, stated to an audit that takes the sample's for right."""
    own = scenario({"advantages": [1, 2, 4]})
    found = quantities.facts("whiten", own).exact
    stated = _floats(found["whitened_population"])
    wrong = audits.audit(own, [Claim("whitened", stated, DIGITS)], "whiten").wrong
    return Judged(holds(not wrong), {"stated": stated[0], "right": round(float(found["whitened"][0]), DIGITS)})


def _late_error_early(_: Scenario) -> Judged:
    """A value that is wrong at the end: how many advantages move."""
    right, wrong = _gae()["advantages"], _gae(values=[0.5, 0.6, 0.5])["advantages"]
    moved = sum(1 for a, b in zip(right, wrong, strict=True) if a != b)
    return Judged(holds(moved == 3), {"moved": moved, "right": right[0], "wrong": wrong[0]})


def _close_numbers(_: Scenario) -> Judged:
    """A mistake whose numbers lie near the right ones."""
    right, wrong = _gae()["advantages"], _gae(lam=0.94)["advantages"]
    gap = abs(round(float(right[0] - wrong[0]), DIGITS))
    found = _wrong("advantages", _floats(wrong))
    return Judged(holds(found == 0), {"gap": gap, "wrong": found})


def _deltas_tell_lambda(_: Scenario) -> Judged:
    one, other = _gae(lam=0.5)["deltas"], _gae(lam=1.0)["deltas"]
    return Judged(holds(one != other), {"one": _floats(one), "adv": [_gae(lam=x)["advantages"][0] for x in (0.5, 1.0)]})


def _swapped(_: Scenario) -> Judged:
    """γ and λ in each other's place: the advantages of these numbers."""
    own = scenario({**THREE, "gamma": 0.9, "lam": 0.5})
    right = quantities.facts("gae", own).exact["advantages"][0]
    wrong = compute(MISTAKES["gamma_lam_swap"].program, own).exact["advantages"][0]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


FURTHER: dict[str, Check] = {
    "a_list_too_short_can_pass": _shorter_list,
    "advantages_follow_from_returns_and_values": _returns_give_advantages,
    "values_follow_from_returns_and_advantages": _values_from_both,
    "right_order_proves_the_numbers": _same_order,
    "population_whitening_passes_as_verls": _sample_or_population,
    "a_wrong_last_value_spoils_every_advantage": _late_error_early,
    "nearly_right_is_right": _close_numbers,
    "deltas_tell_which_lambda": _deltas_tell_lambda,
    "swapping_gamma_and_lambda_goes_unnoticed": _swapped,
}
