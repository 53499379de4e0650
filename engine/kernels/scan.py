"""The linear recurrence x_t = b_t + decay·x_{t+1} along time, in blocks instead of token by token.

Written out, x_t = Σ_{k≥t} decay^{k−t} b_k: a product with a triangular matrix. Over all of time that matrix would
cost T² per row, so time is cut into blocks of BLOCK tokens, and three things happen:

1. one product of all blocks with the small triangular matrix gives every x as if nothing came after its block;
2. what it gives for the blocks' first tokens, their *heads*, follows the same recurrence, with decay^BLOCK, from block
   to block: the same scan on a row BLOCK times shorter gives the true x at every block's first token;
3. the first x of the next block is added to every x of a block, decayed by the tokens between them.

Sums are short and nested, so rounding does not grow with T. Numbers must be finite: a NaN spreads over its block.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from engine.kernels.shapes import PerToken

BLOCK = 16
WHOLE = 64  # up to this many tokens, one product over all of time is faster than blocks


class Weights(NamedTuple):
    to_next: Tensor  # decay^{size−t}, as one row: what the x after the block counts at t
    from_here: Tensor  # column t holds decay^{k−t} at rows k ≥ t: its product with b is x_t
    from_next: Tensor  # column t holds decay^{k−t−1} at rows k > t: its product with b is x_{t+1}


@lru_cache(maxsize=64)
def _weights(decay: float, size: int, dtype: torch.dtype, device: torch.device) -> Weights:
    powers = torch.tensor([decay**k for k in range(size + 1)], dtype=dtype, device=device)
    index = torch.arange(size, device=device)
    distance = index[:, None] - index
    return Weights(
        powers[1:].flip(0)[None], powers[distance.clamp(min=0)].tril(), powers[(distance - 1).clamp(min=0)].tril(-1)
    )


def scan(b: PerToken, decay: float, out: PerToken | None = None) -> PerToken:
    """x from b. b and `out` are contiguous; no derivative is recorded."""
    length = b.shape[1]
    if length <= WHOLE:
        return torch.mm(b, _weights(decay, length, b.dtype, b.device).from_here, out=out)
    if length % BLOCK:
        longer = torch.nn.functional.pad(b, (0, -length % BLOCK))
        x = scan(longer, decay)[:, :length]
        return x.contiguous() if out is None else out.copy_(x)
    out = torch.empty_like(b) if out is None else out
    weights = _weights(decay, BLOCK, b.dtype, b.device)
    inside = torch.mm(b.view(-1, BLOCK), weights.from_here, out=out.view(-1, BLOCK))
    following = _next_x(out[:, ::BLOCK], decay**BLOCK)
    inside.addcmul_(following.reshape(-1, 1), weights.to_next)
    return out


def _next_x(b: Tensor, decay: float) -> Tensor:
    """x_{t+1} at t, 0 at the end."""
    length = b.shape[1]
    if length <= WHOLE:
        return torch.mm(b, _weights(decay, length, b.dtype, b.device).from_next)
    return torch.nn.functional.pad(scan(b.contiguous(), decay)[:, 1:], (0, 1))


class _Scan(torch.autograd.Function):
    """Its derivative is the transposed triangle: the same scan, forwards in time."""

    @staticmethod
    def forward(b: Tensor, decay: float) -> Tensor:
        return scan(b.contiguous(), decay)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, float], output: Tensor) -> None:  # noqa: ARG004
        ctx.decay = inputs[1]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return linear_scan(gradient.flip(1), ctx.decay).flip(1), None

    @staticmethod
    def vmap(_info: Any, in_dims: tuple[int, None], b: Tensor, decay: float) -> tuple[Tensor, int]:
        """Rows do not know of one another: more batches are more rows."""
        batches = b.movedim(in_dims[0], 0)
        return linear_scan(batches.flatten(0, 1), decay).view(batches.shape), 0


def linear_scan(b: PerToken, decay: float) -> PerToken:
    """x_t = b_t + decay·x_{t+1}, with 0 after the last token."""
    x: Tensor = _Scan.apply(b, decay)  # type: ignore[no-untyped-call]
    return x
