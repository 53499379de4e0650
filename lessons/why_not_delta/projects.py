"""What projects make of δ: under four of them, and with what verl sets when nothing is changed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from engine import conventions
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD, Rollout, Whitening
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import default, judged, rational, trial


def _projects_share_delta(_: Scenario) -> Judged:
    """A full row at λ = 0 under four conventions."""
    rollout = Rollout([rational((0, 0, 1))], [rational(("1/2", "1/4", "3/4"))], [[1, 1, 1]])
    found = [
        list(conventions.run(rollout, replace(c, whitening=Whitening.NONE), gamma=1, lam=0).advantages[0])
        for c in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)
    ]
    return judged(all(x == found[0] for x in found), count=len(found), deltas=found[0])


def _default_is_delta(_: Scenario) -> Judged:
    lam = default("verl", "lam")
    own = trial((0, "1/8", 0, 1), ("1/4", "1/2", "3/8", "3/4"), Fraction(lam))
    return judged(own.advantages == own.deltas, lam=lam, a=own.advantages, deltas=own.deltas)


FACTS: dict[str, Check] = {
    "projects_share_one_delta": _projects_share_delta,
    "verls_default_advantage_is_delta": _default_is_delta,
}
