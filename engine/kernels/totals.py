"""One number for each response of a batch."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from engine import formulas


def discounted_sum(
    x: Float[Tensor, "B T"], mask: Float[Tensor, "B T"] | None = None, *, gamma: float
) -> Float[Tensor, " B"]:
    """Σ γ^k x_k over each row's valid tokens."""
    valid = _valid(x, mask)
    age = (valid.cumsum(1) - 1).to(x.dtype)  # a whole-number exponent would make the powers float32
    return torch.where(valid, formulas.discounted(x, gamma, age), 0).sum(1)


def excess(
    mc_returns: Float[Tensor, "B T"], values: Float[Tensor, "B T"], mask: Float[Tensor, "B T"] | None = None
) -> Float[Tensor, " B"]:
    """G − V at each row's first valid token."""
    first = _valid(values, mask).int().argmax(1, keepdim=True)
    return formulas.advantage(mc_returns.gather(1, first), values.gather(1, first)).squeeze(1)


def total(x: Float[Tensor, "B T"], mask: Float[Tensor, "B T"] | None = None) -> Float[Tensor, " B"]:
    return torch.where(_valid(x, mask), x, 0).sum(1)


def _valid(x: Tensor, mask: Tensor | None) -> Tensor:
    return torch.ones_like(x, dtype=torch.bool) if mask is None else mask.bool()
