"""What a comparison is: how verl and Telescope are called on a batch, and what is known to differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from engine.kernels import positions
from tests.conformance.batches import Batch

OLD, NEW = "0.2", "0.9.1"
BOTH = (OLD, NEW)
EXACT, COUNTED = 1e-10, 1e-7
COUNT_NOTE = "divides by the count + 1e-8"


@dataclass(frozen=True)
class Verl:
    version: str
    core: Any
    functional: Any
    trainer: Any = None
    actor_config: Any = None

    def masked(self, name: str) -> Callable[..., Any]:
        return getattr(self.functional, name)


@dataclass(frozen=True)
class Case:
    function: str
    theirs: Callable[[Verl, Batch], list[Tensor]]
    ours: Callable[[Batch], list[Tensor]]
    versions: tuple[str, ...] = BOTH
    tolerance: float = EXACT
    note: str = ""
    divides_by_count: bool = False  # to which 0.9.1 adds 1e-8
    applies: Callable[[Batch], bool] = lambda _: True

    def allowed(self, version: str) -> float:
        return COUNTED if self.divides_by_count and version == NEW else self.tolerance

    def remarks(self, version: str) -> str:
        counted = COUNT_NOTE if self.divides_by_count and version == NEW else ""
        return "; ".join(part for part in (counted, self.note) if part)


def with_gradient(of: Callable[[Tensor], Tensor], at: Tensor) -> list[Tensor]:
    """The value, and the derivative of its sum."""
    leaf = at.clone().requires_grad_()
    value = of(leaf)
    return [value.detach(), torch.autograd.grad(value.sum(), leaf)[0]]


def inside(batch: Batch, *matrices: Tensor) -> list[Tensor]:
    return [positions.zeroed(x, batch.mask) for x in matrices]
