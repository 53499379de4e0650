"""The tensor reading: torch tensors of any shape, device and floating type."""

from __future__ import annotations

import torch

from engine import ops


def _like(x: ops.Number, other: ops.Number) -> torch.Tensor:
    """x as a tensor beside `other`; one of the two always is one."""
    return x if isinstance(x, torch.Tensor) else other.new_tensor(x)


ops.register(
    torch.Tensor,
    ops.Functions(
        exp=torch.exp,
        log=torch.log,
        sqrt=torch.sqrt,
        minimum=lambda a, b: torch.minimum(_like(a, b), _like(b, a)),
        maximum=lambda a, b: torch.maximum(_like(a, b), _like(b, a)),
        where=torch.where,
        constant=torch.Tensor.detach,
    ),
)
