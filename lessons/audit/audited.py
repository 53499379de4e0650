"""Facts of the audit itself: what it lets through, what it finds wrong, and what no γ and λ can give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import audits, quantities
from engine.audits import Checked, Claim
from engine.example import LAM
from engine.reachable import reachable
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds

THREE = scenario({"rewards": [0.0, 0.0, 1.0], "values": [0.5, 0.6, 0.9], "gamma": 1.0, "lam": LAM})
DIGITS = 6


def _advantages(own: Scenario = THREE) -> list[Any]:
    return list(quantities.facts("gae", own).exact["advantages"])


def _rounded(xs: Sequence[Any], digits: int = DIGITS) -> list[float]:
    return [round(float(x), digits) for x in xs]


def _wrong(stated: Sequence[float], digits: int = DIGITS) -> Sequence[Checked]:
    """What the audit finds wrong in these advantages."""
    return audits.audit(THREE, [Claim("advantages", stated, digits)], "gae").wrong


def _consistent_means_right(_: Scenario) -> Judged:
    """Wrong advantages, and returns that are their sum with the values."""
    stated = [0.5, 0.4, 0.1]
    returns = [a + v for a, v in zip(stated, (0.5, 0.6, 0.9), strict=True)]
    found = audits.audit(THREE, [Claim("advantages", stated, 3), Claim("returns", returns, 3)], "gae")
    return Judged(holds(not found.wrong), {"stated": stated[0], "right": _advantages()[0]})


def _anything_is_reachable(_: Scenario) -> Judged:
    """A learner's own numbers."""
    rewards = [-0.0003, -0.0002, -0.0003, -0.0002, -0.0003, 0.9999]
    values, stated = [0.82, 0.85, 0.88, 0.90, 0.92, 0.95], [0.13, 0.10, 0.08, 0.05, 0.03, 0.05]
    return Judged(holds(reachable(rewards, values, stated, 0.005)), {"stated": stated})


def _rounded_are_errors(_: Scenario) -> Judged:
    right = _advantages()
    stated = _rounded(right, 2)
    return Judged(holds(bool(_wrong(stated, 2))), {"stated": stated, "right": right})


def _shorter_list(_: Scenario) -> Judged:
    """Two numbers stated where there are three tokens."""
    found = len(_wrong(_rounded(_advantages())[:2]))
    return Judged(holds(found == 0), {"stated": 2, "tokens": 3, "wrong": found})


def _sample_or_population(_: Scenario) -> Judged:
    """The population's whitening, stated to an audit that takes the sample's for right."""
    own = scenario({"advantages": [1, 2, 4]})
    found = quantities.facts("whiten", own).exact
    stated = _rounded(found["whitened_population"])
    wrong = audits.audit(own, [Claim("whitened", stated, DIGITS)], "whiten").wrong
    return Judged(holds(not wrong), {"stated": stated[0], "right": _rounded(found["whitened"])[0]})


def _close_numbers(_: Scenario) -> Judged:
    """Another λ, whose numbers lie near the right ones."""
    right, near = _advantages(), _advantages(THREE.merged({"lam": 0.94}))
    found = len(_wrong(_rounded(near)))
    return Judged(holds(found == 0), {"gap": abs(round(float(right[0] - near[0]), DIGITS)), "wrong": found})


AUDITED: dict[str, Check] = {
    "consistent_means_right": _consistent_means_right,
    "anything_is_reachable": _anything_is_reachable,
    "rounded_numbers_are_errors": _rounded_are_errors,
    "a_list_too_short_can_pass": _shorter_list,
    "population_whitening_passes_as_verls": _sample_or_population,
    "nearly_right_is_right": _close_numbers,
}
