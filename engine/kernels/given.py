"""Tensors that are given to be written into: they must fit, and share no memory with what is still to be read."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


def check_out(out: tuple[Tensor, Tensor], like: Tensor, *read: Tensor | None) -> None:
    """Refuse an `out` into which two results shaped like `like` cannot be written while `like` and `read` are read."""
    for given in out:
        if given.shape != like.shape or given.dtype != like.dtype or given.device != like.device:
            raise ValueError("out= differs from the rewards in shape, type or device")
        if not given.is_contiguous():
            raise ValueError("out= takes contiguous tensors")
    if like.is_meta or not like.numel():
        return
    first, second, *inputs = (_stretch(x) for x in (*out, like, *read) if x is not None)
    if first.meets(second) or any(given.meets(x) for given in (first, second) for x in inputs):
        raise ValueError("out= overlaps the inputs or itself")


class _Stretch(NamedTuple):
    """Where a tensor lies: from its first number to behind its last. Two that meet may share memory."""

    start: int
    end: int

    def meets(self, other: _Stretch) -> bool:
        return self.start < other.end and other.start < self.end


def _stretch(x: Tensor) -> _Stretch:
    start, (rows, columns) = x.data_ptr(), x.shape
    down, right = x.stride()
    return _Stretch(start, start + ((rows - 1) * down + (columns - 1) * right + 1) * x.element_size())
