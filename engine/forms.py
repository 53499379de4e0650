"""The two forms a batch can have, lists of rows and tensors [B, T]: the same functions for both."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from engine import batches, kernels


def forms_of(batch: Any) -> ModuleType:
    """The functions for a batch."""
    return kernels if isinstance(batch, torch.Tensor) else batches
