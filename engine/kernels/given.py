"""Tensors that are given to be written into: they must fit, and share no memory with what is still to be read."""

from __future__ import annotations

from itertools import combinations

from torch import Tensor


def check_out(out: tuple[Tensor, Tensor], like: Tensor, *read: Tensor | None) -> None:
    """Refuse an `out` into which two results shaped like `like` cannot be written while `like` and `read` are read."""
    for given in out:
        if given.shape != like.shape or given.dtype != like.dtype or given.device != like.device:
            raise ValueError("out= differs from the rewards in shape, type or device")
        if not given.is_contiguous():
            raise ValueError("out= takes contiguous tensors")
    inputs = [x for x in (like, *read) if x is not None]
    if any(_overlap(*pair) for pair in (*combinations(out, 2), *((given, x) for given in out for x in inputs))):
        raise ValueError("out= overlaps the inputs or itself")


def _overlap(a: Tensor, b: Tensor) -> bool:
    """Whether the two may share memory: whether the stretches from their first to their last number meet."""
    if a.is_meta or a.device != b.device or not (a.numel() and b.numel()):
        return False
    (start_a, end_a), (start_b, end_b) = _stretch(a), _stretch(b)
    return start_a < end_b and start_b < end_a


def _stretch(x: Tensor) -> tuple[int, int]:
    last = sum((size - 1) * stride for size, stride in zip(x.shape, x.stride(), strict=True))
    return x.data_ptr(), x.data_ptr() + (last + 1) * x.element_size()
