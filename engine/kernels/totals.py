"""One number for each response of a batch."""

from __future__ import annotations

from typing import TypeAlias

from jaxtyping import Float
from torch import Tensor

from engine import formulas
from engine.kernels.positions import zeroed
from engine.kernels.returns import mc_returns
from engine.kernels.shapes import Mask, PerToken, alike

PerRow: TypeAlias = Float[Tensor, " B"]


def discounted_sum(x: PerToken, mask: Mask | None = None, *, gamma: float) -> PerRow:
    """Σ γ^k x_k over each row's valid tokens: by the scan, as powers of a rounded γ lose digits with the length."""
    return _first(mc_returns(x, mask, gamma=gamma), mask)


def excess(mc_returns: PerToken, values: PerToken, mask: Mask | None = None) -> PerRow:
    """G − V at each row's first valid token."""
    alike(values, mc_returns=mc_returns, mask=mask)
    return formulas.advantage(_first(mc_returns, mask), _first(values, mask))


def total(x: PerToken, mask: Mask | None = None) -> PerRow:
    return (x if mask is None else zeroed(x, mask)).sum(1)


def _first(x: PerToken, mask: Mask | None) -> PerRow:
    """x at each row's first valid token, 0 where there is none."""
    if mask is None:
        return x[:, :1].sum(1)
    valid = mask.bool()
    return zeroed(x, valid & (valid.cumsum(1) == 1)).sum(1)
