"""What a training loop hands over, looked at once at the door."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from engine.errors import EngineError

TEXT = torch.float32  # what numbers that were written as text are taken for
LISTS = ("rewards", "values", "advantages", "returns", "mask")


@dataclass(frozen=True, eq=False)
class Batch:
    """Tensors [B, T], and the type they were rounded to."""

    rewards: Tensor
    values: Tensor
    mask: Tensor  # bool
    advantages: Tensor | None
    returns: Tensor | None
    dtype: torch.dtype  # the coarsest of them

    @property
    def unit(self) -> float:
        """How far rounding to this type can move a number, as a part of it."""
        return torch.finfo(self.dtype).eps / 2

    @cached_property
    def tokens(self) -> int:
        return int(self.mask.sum())

    @property
    def whole(self) -> bool:
        """Every token counts."""
        return self.tokens == self.mask.numel()

    def part(self, rows: Any) -> Batch:
        """Some rows, in a type to compute in: a slice of them, or their indices."""
        wide = torch.float64 if self.dtype == torch.float64 else torch.float32

        def taken(x: Tensor | None) -> Tensor | None:
            return None if x is None else x[rows].to(wide)

        rewards, values = self.rewards[rows].to(wide), self.values[rows].to(wide)
        found = (taken(self.advantages), taken(self.returns))
        return Batch(rewards, values, self.mask[rows], *found, self.dtype)


def given(**lists: Any) -> Batch:
    """The batch, or an error that says what is wrong with it and what to do."""
    tensors = {name: _tensor(name, x) for name, x in lists.items() if x is not None}
    for name in ("rewards", "values"):
        if name not in tensors:
            raise EngineError("doctor_missing", field=name)
    if "advantages" not in tensors and "returns" not in tensors:
        raise EngineError("doctor_nothing_to_check")
    shape = tensors["rewards"].shape
    for name, x in tensors.items():
        _check_shape(name, x, shape)
    mask = _mask(tensors.pop("mask", None), tensors["rewards"])
    for name, x in tensors.items():
        _check_finite(name, x, mask)
    dtype = max((x.dtype for x in tensors.values()), key=lambda kind: torch.finfo(kind).eps)
    return Batch(tensors["rewards"], tensors["values"], mask, tensors.get("advantages"), tensors.get("returns"), dtype)


def check_rate(name: str, x: float | None) -> float | None:
    if x is None:
        return None
    if not 0 <= x <= 1:
        raise EngineError("out_of_range", field=name, value=float(x), low=0.0, high=1.0)
    return float(x)


def _tensor(name: str, x: Any) -> Tensor:
    try:
        found = x.detach() if isinstance(x, Tensor) else torch.as_tensor(x)
    except (TypeError, ValueError, RuntimeError) as reason:
        raise EngineError("doctor_no_tensor", field=name) from reason
    if found.is_complex():
        raise EngineError("doctor_no_tensor", field=name)
    if name != "mask" and not found.is_floating_point():
        found = found.to(TEXT)
    return found[None] if found.dim() == 1 else found


def _check_shape(name: str, x: Tensor, shape: torch.Size) -> None:
    if x.dim() != 2 or not x.numel():
        raise EngineError("doctor_not_per_token", field=name, shape=str(tuple(x.shape)))
    if x.shape == shape:
        return
    seen = {"field": name, "shape": str(tuple(x.shape)), "other_shape": str(tuple(shape))}
    if x.shape[0] == shape[0] and x.shape[1] == shape[1] + 1 and name == "values":
        raise EngineError("doctor_one_value_more", **seen)
    if x.shape[0] == shape[0] and x.shape[1] > shape[1]:
        raise EngineError("doctor_prompt_too", **seen)
    raise EngineError("doctor_shapes", **seen)


def _mask(mask: Tensor | None, like: Tensor) -> Tensor:
    if mask is None:
        return torch.ones_like(like, dtype=torch.bool)
    found = mask if mask.dtype == torch.bool else mask != 0
    if mask.dtype != torch.bool:
        wrong = found & (mask != 1)
        if wrong.any():
            row, token = _first(wrong)
            raise EngineError("mask_not_binary", field="mask", position=(row, token), value=float(mask[row, token]))
    if not found.any():
        raise EngineError("nothing_valid", field="mask")
    return found


def _check_finite(name: str, x: Tensor, mask: Tensor) -> None:
    """Outside the mask anything may stand. A sum that is finite has only finite terms."""
    if torch.isfinite(x.sum()):
        return
    wrong = mask & ~torch.isfinite(x)
    if wrong.any():
        row, token = _first(wrong)
        raise EngineError("not_finite", field=name, position=(row, token), value=float(x[row, token]))


def _first(cells: Tensor) -> tuple[int, int]:
    row, token = divmod(int(cells.flatten().byte().argmax()), cells.shape[1])
    return row, token
