"""The tensor reading: torch tensors of any shape, device and floating type."""

from __future__ import annotations

import torch

from engine import ops


def _like(x: ops.Number, other: ops.Number) -> torch.Tensor:
    """x as a tensor beside `other`; one of the two always is one."""
    return x if isinstance(x, torch.Tensor) else other.new_tensor(x)


def _less(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    rounding = torch.finfo(a.dtype).eps ** 0.75  # relative: differences of rounded numbers have lost a few digits
    return a + rounding * (a.abs() + b.abs()) < b


ops.register(
    torch.Tensor,
    ops.Functions(
        exp=torch.exp,
        log=torch.log,
        sqrt=torch.sqrt,
        minimum=lambda a, b: torch.minimum(_like(a, b), _like(b, a)),
        maximum=lambda a, b: torch.maximum(_like(a, b), _like(b, a)),
        where=torch.where,
        less=_less,
        constant=torch.Tensor.detach,
    ),
)
