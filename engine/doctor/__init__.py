"""For training code: which convention a batch of tensors follows, or where it first departs from the nearest one.

    from engine import doctor
    found = doctor.check(rewards=r, values=v, advantages=a, returns=ret, mask=m, gamma=1.0, lam=0.95)
    assert found.right and "verl_new" in found.conventions

prompts.doctor puts it into words.
"""

from __future__ import annotations

from typing import Any

from engine.doctor.diagnosis import diagnose
from engine.doctor.given import check_rate, given
from engine.doctor.search import Given
from engine.doctor.verdict import Departure, Verdict

__all__ = ["Departure", "Verdict", "check"]


def check(  # noqa: PLR0913  (one list each)
    *,
    rewards: Any,
    values: Any,
    advantages: Any = None,
    returns: Any = None,
    mask: Any = None,
    gamma: float | None = None,
    lam: float | None = None,
) -> Verdict:
    """The verdict on tensors [B, T] (or what torch can make tensors of), one number for each response token.

    Advantages or returns, or both; without a mask every token counts; rates that are not given are found.
    """
    rates = Given(check_rate("gamma", gamma), check_rate("lam", lam))
    batch = given(rewards=rewards, values=values, advantages=advantages, returns=returns, mask=mask)
    return diagnose(batch, rates)
