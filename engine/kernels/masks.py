"""Which tokens count. A kernel sees only these, side by side at the start of each row, and zeros after them.

So a token outside the mask is no step at all: nothing decays over it (verl since 0.5 has the same meaning), and no
number that stands there, NaN included, can reach a token inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from engine.kernels.shapes import Mask, PerToken, alike


@dataclass(slots=True, eq=False)
class Whole:
    """Every token counts."""

    def pack(self, x: PerToken, out: PerToken | None = None) -> PerToken:
        return x if out is None else out.copy_(x)

    def unpack(self, x: PerToken) -> PerToken:
        return x

    def unpack_in_place(self, x: PerToken) -> None:
        pass


@dataclass(slots=True, eq=False)
class RightPadded:
    """The tokens that count already stand at the start of their row."""

    mask: PerToken

    def pack(self, x: PerToken, out: PerToken | None = None) -> PerToken:
        return _keep(x, self.mask, out)

    def unpack(self, x: PerToken) -> PerToken:
        """Outside, x is 0 already; this keeps what would flow back from there at 0 too."""
        return _keep(x, self.mask)

    def unpack_in_place(self, x: PerToken) -> None:
        pass


@dataclass(slots=True, eq=False)
class WithHoles:
    """Tokens that do not count stand between those that do, as tool output does."""

    mask: PerToken
    place: Tensor  # where each token that counts goes; the others go, as 0, to the place of one that does

    def pack(self, x: PerToken, out: PerToken | None = None) -> PerToken:
        packed = torch.zeros_like(x) if out is None else out.zero_()
        return packed.scatter_add_(1, self.place, _keep(x, self.mask))

    def unpack(self, x: PerToken) -> PerToken:
        return _keep(x.gather(1, self.place), self.mask)

    def unpack_in_place(self, x: PerToken) -> None:
        x.copy_(self.unpack(x))


Layout: TypeAlias = Whole | RightPadded | WithHoles


def layout_of(mask: Mask | None, like: PerToken) -> Layout:
    """The layout for tensors of the type of `like`."""
    if mask is None:
        return Whole()
    alike(like, mask=mask)
    counts = mask.bool().view(torch.int8)
    if not mask.is_meta:  # a meta tensor has no numbers to look at; the general layout is right for every mask
        if counts.numel() == 0 or counts.amin().item() == 1:
            return Whole()
        if _is_right_padded(counts):
            return RightPadded(counts.to(like.dtype))
    return WithHoles(counts.to(like.dtype), counts.cumsum(1).sub_(1).clamp_(min=0))


def on_response(kernel: Callable[..., PerToken], mask: Mask | None, *inputs: PerToken) -> PerToken:
    """The kernel on the tokens that count, 0 at the others."""
    for other in inputs[1:]:
        alike(inputs[0], inputs=other)
    layout = layout_of(mask, inputs[0])
    return layout.unpack(kernel(*(layout.pack(x) for x in inputs)))


def _is_right_padded(counts: Tensor) -> bool:
    """Whether no row goes from 0 back to 1."""
    rises = counts.diff()
    return rises.numel() == 0 or rises.amax().item() <= 0


def _keep(x: Tensor, mask: Tensor, out: Tensor | None = None) -> Tensor:
    """x inside the mask, 0 outside, whatever stands there: the derivative of ReLU is this, and on a CPU it takes a
    quarter of the time of `where`."""
    if out is None:
        return torch.ops.aten.threshold_backward.default(x, mask, 0)
    return torch.ops.aten.threshold_backward.grad_input(x, mask, 0, grad_input=out)
