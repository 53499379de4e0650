"""V added to the advantages and taken off again: what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, outcome, raised, rational, trial

VALUES = rational(("1/2", "1/4", "3/4"))
LAMS = (NONE, HALF, ONE)


def _taken_off(returns: Sequence[Any], values: Sequence[Fraction]) -> list[Any]:
    return [formulas.advantage(r, v) for r, v in zip(returns, values, strict=True)]


def _comes_back(_: Scenario) -> Judged:
    """With the stored values at three λ, and with a prediction that has moved since."""
    trials = [trial(outcome(len(VALUES)), VALUES, lam) for lam in LAMS]
    back = [_taken_off(one.returns, VALUES) for one in trials]
    later = _taken_off(trials[1].returns, raised(VALUES, 0, HALF))
    return judged(
        back == [one.advantages for one in trials] and later != back[1],
        lam=HALF, a=trials[1].advantages, returns=trials[1].returns, back=back[1], later=later,
    )  # fmt: skip


ROUND_TRIP: dict[str, Check] = {"baselines_gets_the_advantages_back_from_the_returns": _comes_back}
