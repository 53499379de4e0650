"""Random batches as they come: with padding, holes, extremes, and garbage outside the mask."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

GARBAGE = 1e4
VOCABULARY = 11


@dataclass(frozen=True)
class Batch:
    seed: int
    mask: Tensor  # [B, T], ones and zeros of the numbers' type
    holes: bool
    rewards: Tensor
    values: Tensor
    vpreds: Tensor
    returns: Tensor
    advantages: Tensor
    old: Tensor
    new: Tensor
    ref: Tensor
    logits: Tensor  # [B, T, V]
    scores: Tensor  # [B]
    baselines: Tensor  # [B]
    groups: Tensor  # [B], at least two responses each
    gamma: float
    lam: float
    beta: float

    @property
    def placed(self) -> Tensor:
        """The scores as token rewards."""
        last = (self.mask * torch.arange(1, self.mask.shape[1] + 1)).argmax(dim=1, keepdim=True)
        return torch.zeros_like(self.rewards).scatter(1, last, self.scores.unsqueeze(1))


def random_batch(seed: int) -> Batch:
    draw = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=draw)

    def whole(low: int, high: int, *shape: int) -> Tensor:
        return torch.randint(low, high + 1, shape, generator=draw)

    groups_of, each, length = int(whole(1, 4)), int(whole(2, 4)), int(whole(2, 40))
    count = groups_of * each
    holes, extreme = seed % 3 == 0, seed % 4 == 0
    mask = _mask(whole(1, length, count), length)
    if holes:
        mask = mask * (torch.rand(count, length, generator=draw) < 0.7)
        mask[:, 0] = 1
    mask[0, :2] = 1
    scale, spread = (300.0, 15.0) if extreme else (1.0, 0.3)
    garbage = GARBAGE * normal(count, length) * (1 - mask)
    old = -normal(count, length).abs()
    return Batch(
        seed=seed,
        mask=mask,
        holes=holes,
        rewards=scale * normal(count, length) * mask,
        values=scale * normal(count, length) * mask + garbage,
        vpreds=scale * normal(count, length),
        returns=scale * normal(count, length),
        advantages=scale * normal(count, length),
        old=old,
        new=old + spread * normal(count, length),
        ref=old + spread * normal(count, length),
        logits=spread * 5 * normal(count, length, VOCABULARY),
        scores=scale * normal(count),
        baselines=scale * normal(count),
        groups=torch.arange(groups_of).repeat_interleave(each)[torch.randperm(count, generator=draw)],
        gamma=float((1.0, 0.99, 0.9, 0.0)[seed % 4]),
        lam=float((1.0, 0.95, 0.5, 0.0, 0.99)[seed % 5]),
        beta=0.1,
    )


def _mask(lengths: Tensor, width: int) -> Tensor:
    return (torch.arange(width) < lengths.unsqueeze(1)).to(torch.get_default_dtype())
