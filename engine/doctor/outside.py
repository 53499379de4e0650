"""What stands outside the mask tells projects apart that agree inside. Zeros tell nothing: anybody may write them."""

from __future__ import annotations

import torch
from torch import Tensor

from engine import kernels
from engine.conventions import Kept, Masked
from engine.doctor.fit import Line, Link
from engine.doctor.given import Batch
from engine.doctor.recursions import BY_NAME
from engine.doctor.search import Candidate

NEAR = 64  # roundings


def narrowed(part: Batch, names: tuple[str, ...], own: Candidate, line: Line) -> tuple[str, ...]:
    """Those of the projects whose advantages stand outside as well; all of them where none is told apart."""
    outside = ~part.mask
    if part.advantages is None or not bool((part.advantages[outside] != 0).any()):
        return names
    stated = part.advantages[outside]
    kept = tuple(name for name in names if _stands(part, stated, name, own, line))
    return kept or names


def _stands(part: Batch, stated: Tensor, name: str, own: Candidate, line: Line) -> bool:
    convention, outside = BY_NAME[name], ~part.mask
    rewards = kernels.zeroed(part.rewards, part.mask) if convention.rewards is Kept.RESPONSE else part.rewards
    advantages = own.recursion.run(part, own.rates.gamma, own.rates.lam)[0]
    if convention.masked is Masked.CARRIED:
        advantages = kernels.carried(advantages, part.mask)
    elif convention.masked is Masked.STEP:
        assert own.recursion.convention is not None
        values = kernels.zeroed(
            part.values, part.mask if convention.values is Kept.RESPONSE else kernels.one_more(part.mask)
        )
        advantages = kernels.gae(rewards, values, None, gamma=own.rates.gamma, lam=own.rates.lam)[0]
    if own.fit.link is Link.WHITENED:
        advantages = line(advantages) if convention.whitens_outside else kernels.zeroed(advantages, part.mask)
    due = advantages[outside]
    scale = float(torch.maximum(due.abs().amax(), stated.abs().amax()))
    return bool(((due - stated).abs() <= NEAR * part.unit * max(scale, 1e-6)).all())
