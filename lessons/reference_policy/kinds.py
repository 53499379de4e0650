"""What a reference can be made of, and what the direction of the KL to it minds."""

from __future__ import annotations

from math import log

import torch

from engine import formulas
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

BASE, DOWN, FEATURES, RATE = ((1.0, 0.5), (0.0, -0.5), (-0.5, 1.0)), ((0.5, 0.25),), (1.0, 2.0), 1.0
MODES = (0.49, 0.49, 0.02)  # of the reference: two that it likes, and one that it all but excludes
ONE_MODE, OUTSIDE = (0.989, 0.001, 0.01), (0.05, 0.05, 0.9)


def _kl(p: torch.Tensor, q: torch.Tensor) -> float:
    """From log-probabilities."""
    return round(float((p.exp() * formulas.k1(p, q)).sum()), 4) + 0.0


def _adapted(train_base: bool) -> tuple[float, float, float]:
    """The KL with a fresh adapter, after a step, and how far the model without adapter has moved by then."""
    base, down, features = (torch.tensor(x, dtype=torch.float64) for x in (BASE, DOWN, FEATURES))
    up = torch.zeros(len(BASE), 1, dtype=torch.float64, requires_grad=True)
    base.requires_grad_(train_base)

    def log_probs(*, adapter: bool) -> torch.Tensor:
        return torch.log_softmax((base + up @ down if adapter else base) @ features, 0)

    before, reference = log_probs(adapter=True), log_probs(adapter=False).detach()
    (-before[0]).backward()  # type: ignore[no-untyped-call]
    with torch.no_grad():
        for weights in (up, base):
            if weights.grad is not None:
                weights -= RATE * weights.grad
    after, off = log_probs(adapter=True).detach(), log_probs(adapter=False).detach()
    return _kl(before.detach(), reference), _kl(after, off), _kl(reference, off)


def _lora(_: Scenario) -> Judged:
    start, later, moved = _adapted(train_base=False)
    drifted = _adapted(train_base=True)[2]
    return Judged(
        holds(start == moved == 0 and later > 0 and drifted > 0),
        {"start": start, "later": later, "moved": moved, "drifted": drifted},
    )


def _both_ways(policy: tuple[float, ...]) -> tuple[float, float]:
    """The KL with the policy first, and with the reference first."""
    k1 = [formulas.k1(log(p), log(q)) for p, q in zip(policy, MODES, strict=True)]
    return round(expected(policy, lambda a: k1[a]), 4), round(-expected(MODES, lambda a: k1[a]), 4)


def _seeks_modes(_: Scenario) -> Judged:
    """A policy that leaves one of the reference's likely tokens out, and one that goes where it hardly ever does."""
    left, gone = _both_ways(ONE_MODE), _both_ways(OUTSIDE)
    return Judged(
        holds(left[0] < left[1] and gone[0] > gone[1] and left[0] < gone[0]),
        {"modes": MODES, "left": ONE_MODE, "left_kl": left, "gone": OUTSIDE, "gone_kl": gone},
    )


def _stays_zero(_: Scenario) -> Judged:
    """A step of the policy gradient: the KL to the model it started from, with a rate of zero, and to itself."""
    start = torch.log_softmax(torch.tensor(FEATURES, dtype=torch.float64), 0)

    def stepped(rate: float) -> torch.Tensor:
        logits = torch.tensor(FEATURES, dtype=torch.float64, requires_grad=True)
        (slopes,) = torch.autograd.grad(formulas.ratio(torch.log_softmax(logits, 0), start)[0], logits)
        return torch.log_softmax(logits.detach() + rate * slopes, 0)

    after, idle = stepped(RATE), stepped(0.0)
    moved, still, itself = _kl(after, start), _kl(idle, start), _kl(after, after)
    return Judged(holds(still == itself == 0 < moved), {"moved": moved, "still": still, "itself": itself})


KINDS: dict[str, Check] = {
    "lora_reference_is_the_model_with_the_adapter_off": _lora,
    "kl_of_the_policy_seeks_modes": _seeks_modes,
    "kl_that_stays_exactly_zero_shows_no_update": _stays_zero,
}
