"""The row recursions of engine.sequences on the columns of a batch: the definition, not the fast form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from engine.kernels.masks import layout_of
from engine.kernels.shapes import alike


def over_columns(recursion: Callable[..., Sequence[Tensor]], *matrices: Tensor) -> Tensor:
    """A row recursion of engine.sequences, run on the columns of a batch, each laid out in one piece."""
    columns = (list(x.t().contiguous().unbind()) for x in matrices)
    return torch.stack(list(recursion(*columns))).t().contiguous()


def over_valid(recursion: Callable[..., Sequence[Tensor]], mask: Tensor, *matrices: Tensor) -> Tensor:
    """The recursion over each row's valid tokens as if no others existed; 0 at the others."""
    for matrix in matrices:
        alike(matrix, mask=mask)
    layout = layout_of(mask, matrices[0])
    return layout.unpack(over_columns(recursion, *(layout.pack(x) for x in matrices)))
