"""The doctor on tensors that the real verl made: it must name the version, the rates, and a mistake planted in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from torch import Tensor

from engine import doctor
from engine.doctor import Verdict
from engine.kernels import positions
from tests.conformance.batches import Batch
from tests.conformance.case import NEW, OLD, Verl

NAMES = {OLD: "verl_old", NEW: "verl_new"}
TOKENS = 16  # fewer settle no rates
Change = Callable[[Batch, Tensor, Tensor], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Told:
    """What was done to verl's tensors, and the mistake that the doctor has to name."""

    what: str
    change: Change
    cause: str | None = None
    rates: bool = True  # whether γ and λ are given


PLANTED = (
    Told("as it is", lambda _, a, r: (a, r)),
    Told("as it is, γ and λ not given", lambda _, a, r: (a, r), rates=False),
    Told("its whitened advantages + V as returns", lambda b, a, _: (a, a + b.values), "whiten_before_returns"),
    Told("returns without the token's reward", lambda b, a, r: (a, r - b.rewards), "value_reward_not_in_returns"),
    Told("the mean not taken away", lambda b, a, r: (a + _mean(b, r), r), "whiten_without_shift"),
)


def _mean(b: Batch, returns: Tensor) -> Tensor:
    return ((returns - b.values) * b.mask).sum() / b.mask.sum()


def told(case: Told, verl: Verl, b: Batch) -> Verdict:
    if case.cause is not None:  # beside 0.2's garbage from the padding, no other mistake can be seen
        b = replace(b, values=positions.zeroed(b.values, b.mask))
    made = verl.core.compute_gae_advantage_return(b.rewards, b.values, b.mask, b.gamma, b.lam)
    advantages, returns = case.change(b, *made)
    rates = {"gamma": b.gamma, "lam": b.lam} if case.rates else {}
    return doctor.check(
        rewards=b.rewards, values=b.values, mask=b.mask, advantages=advantages, returns=returns, **rates
    )


def named(case: Told, verl: Verl, b: Batch, found: Verdict) -> bool:
    """Whether the verdict is the one that is due."""
    if case.cause is not None:
        return case.cause in (found.cause, *found.others)
    right = found.right and NAMES[verl.version] in found.conventions
    settled = (found.gamma, b.gamma), (found.lam, b.lam)
    return right and all(x is None or abs(x - y) < 1e-6 for x, y in settled)


def verdicts(verl: Verl, batches: list[Batch]) -> list[dict[str, object]]:
    """For each change: on how many batches the doctor named it, of how many."""
    return [_counted(case, verl, [b for b in batches if _fits(case, verl, b)]) for case in PLANTED]


def _fits(case: Told, verl: Verl, b: Batch) -> bool:
    """Enough tokens; a mistake is looked for beside a recursion over the valid tokens, which 0.2's is without holes."""
    return b.mask.sum() >= TOKENS and b.gamma > 0 and not (case.cause and b.holes and verl.version == OLD)


def _counted(case: Told, verl: Verl, batches: list[Batch]) -> dict[str, object]:
    right = sum(named(case, verl, b, told(case, verl, b)) for b in batches)
    return {"what": case.what, "version": verl.version, "cause": case.cause, "batches": len(batches), "named": right}
