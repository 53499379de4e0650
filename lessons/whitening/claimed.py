"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.whitening.further import _raw


def _ignores_a_constant(_: Scenario) -> Judged:
    theorem("whitening_ignores_affine_maps")
    own = _raw()
    once, raised = (alone("whiten", advantages=[x + level for x in own])["whitened"] for level in (0, 1))
    same = all(abs(float(a - b)) < 1e-6 for a, b in zip(once, raised, strict=True))
    return Judged(holds(same), {"once": round(float(once[0]), 6), "raised": round(float(raised[0]), 6), "level": 1})


def _ends_become_plus_and_minus_one(_: Scenario) -> Judged:
    found = alone("whiten", advantages=[1, 2, 4])["whitened"]
    return Judged(holds(close([found[0], found[-1]], [-1, 1])), {"lowest": found[0], "highest": found[-1]})


CHECKS: dict[str, Check] = {
    "ignores_a_constant": _ignores_a_constant,
    "ends_become_plus_and_minus_one": _ends_become_plus_and_minus_one,
}
