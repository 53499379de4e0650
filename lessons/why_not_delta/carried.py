"""A loop that hands on δ where it should hand on the advantage."""

from __future__ import annotations

from typing import Any

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, Trial, apart, judged, outcome, rational, rewarded, trial

VALUES = rational(("1/2", "1/4", "3/4", "1/2"))


def _handing_on_delta(one: Trial) -> list[Any]:
    following = [*one.deltas[1:], NONE]
    return [formulas.gae_step(d, after, one.gamma, one.lam) for d, after in zip(one.deltas, following, strict=True)]


def _two_only(_: Scenario) -> Judged:
    """What one more at the end does, token by token, in either loop."""
    one = trial(outcome(len(VALUES)), VALUES, HALF)
    more = rewarded(one, -1)
    right = apart(more.advantages, one.advantages)
    wrong = apart(_handing_on_delta(more), _handing_on_delta(one))
    return judged(all(right) and not any(wrong[:-2]) and all(wrong[-2:]), lam=HALF, right=right, wrong=wrong)


CARRIED: dict[str, Check] = {"carrying_delta_keeps_two_deltas": _two_only}
