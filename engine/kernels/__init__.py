"""The batched forms on tensors [B, T]."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from engine import sequences
from engine.kernels.totals import discounted_sum, excess, length, total

__all__ = ["device", "discounted_sum", "excess", "gae", "length", "mc_returns", "rewards", "td_errors", "total"]


def device() -> torch.device:
    return torch.device("cpu")


def _columns(function: Callable[..., list[Tensor]], *series: Tensor) -> Tensor:
    return torch.stack(function(*(list(x.unbind(1)) for x in series)), 1)


def rewards(scores: Tensor, kl: Tensor, _mask: Tensor | None = None, *, beta: float) -> Tensor:
    return scores - beta * kl


def td_errors(rewards: Tensor, values: Tensor, _mask: Tensor | None = None, *, gamma: float) -> Tensor:
    return _columns(lambda r, v: sequences.deltas(r, v, gamma), rewards, values)


def gae(
    rewards: Tensor, values: Tensor, _mask: Tensor | None = None, *, gamma: float, lam: float
) -> tuple[Tensor, Tensor]:
    errors = td_errors(rewards, values, gamma=gamma)
    advantages = _columns(lambda d: sequences.gae_advantages(d, gamma, lam), errors)
    return advantages, advantages + values


def mc_returns(rewards: Tensor, _mask: Tensor | None = None, *, gamma: float) -> Tensor:
    return _columns(lambda r: sequences.mc_returns(r, gamma), rewards)
