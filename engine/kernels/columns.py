"""The row recursions of engine.sequences on the columns of a batch: the definition, not the fast form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from engine.kernels.positions import zeroed
from engine.kernels.shapes import alike


def over_columns(recursion: Callable[..., Sequence[Tensor]], *matrices: Tensor) -> Tensor:
    """A row recursion of engine.sequences, run on the columns of a batch."""
    return torch.stack(list(recursion(*(list(x.unbind(dim=1)) for x in matrices))), dim=1)


def over_valid(recursion: Callable[..., Sequence[Tensor]], mask: Tensor, *matrices: Tensor) -> Tensor:
    """The recursion over each row's valid tokens as if no others existed; 0 at the others."""
    for matrix in matrices:
        alike(matrix, mask=mask)
    order = torch.argsort(mask.bool().logical_not().byte(), dim=1, stable=True)
    found = over_columns(recursion, *(zeroed(x, mask).gather(1, order) for x in matrices))
    return zeroed(torch.zeros_like(found).scatter(1, order, found), mask)
