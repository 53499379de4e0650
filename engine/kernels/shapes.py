"""The alphabet of shapes: B responses in a batch, T token positions of the longest of them."""

from __future__ import annotations

from typing import TypeAlias

from jaxtyping import Float, Shaped
from torch import Tensor

PerToken: TypeAlias = Float[Tensor, "B T"]
Mask: TypeAlias = Shaped[Tensor, "B T"]  # bool, or 0 and 1 of any type


def alike(like: Tensor, **others: Tensor | None) -> None:
    """Refuse what differs in shape: torch would repeat a mask of one row, or of one token, for all."""
    for name, other in others.items():
        if other is not None and other.shape != like.shape:
            raise ValueError(f"{name} differs in shape: {tuple(other.shape)} beside {tuple(like.shape)}")


def one_per_row(batch: Tensor, **others: Tensor) -> None:
    """Refuse what has not one number for each response of a batch."""
    for name, other in others.items():
        if other.shape != batch.shape[:1]:
            raise ValueError(f"{name} has the shape {tuple(other.shape)} for {batch.shape[0]} responses")
