"""The alphabet of shapes: B responses in a batch, T token positions of the longest of them."""

from __future__ import annotations

from typing import TypeAlias

from jaxtyping import Float, Shaped
from torch import Tensor

PerToken: TypeAlias = Float[Tensor, "B T"]
Mask: TypeAlias = Shaped[Tensor, "B T"]  # bool, or 0 and 1 of any type
