"""Where tensors are made: CUDA, then MPS, then the CPU; the variable TELESCOPE_DEVICE decides otherwise."""

from __future__ import annotations

import os
from functools import cache

import torch

from engine.errors import EngineError


@cache
def default_device() -> torch.device:
    """The device of this process, chosen at the first call."""
    if "TELESCOPE_DEVICE" in os.environ:
        return _named(os.environ["TELESCOPE_DEVICE"])
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def _named(name: str) -> torch.device:
    """The device of this name, if numbers can be computed there: a meta tensor has none."""
    try:
        device = torch.device(name)
        torch.zeros((), device=device).item()
    except (RuntimeError, AssertionError, NotImplementedError) as reason:
        raise EngineError("no_such_device", device=name) from reason
    return device


def widest_float(where: torch.device) -> torch.dtype:
    """float64, except on MPS, which has none."""
    return torch.float32 if where.type == "mps" else torch.float64
