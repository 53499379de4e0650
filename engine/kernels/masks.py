"""Masks over batches [B, T]. What stands at a 0 never reaches a result or a gradient, be it NaN."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from engine.errors import EngineError


def zeroed(x: Tensor, mask: Tensor) -> Tensor:
    return torch.where(mask.bool(), x, 0)


def one_more(mask: Tensor) -> Tensor:
    """The mask moved one to the right, behind the prompt's last token: it keeps V after the end."""
    return torch.cat([torch.ones_like(mask[:, :1]), mask[:, :-1]], dim=1)


def last_valid(mask: Tensor) -> Tensor:
    """The tensor index of each row's last valid token, [B]."""
    require(mask.bool().any(dim=1), "no_valid_token")
    positions = torch.arange(mask.shape[1], device=mask.device)
    return torch.where(mask.bool(), positions, 0).amax(dim=1)


def require(holds: Tensor, code: str) -> None:
    """Refuse a batch in which some entry does not hold. On the meta device there are no entries to look at."""
    if not holds.is_meta and not bool(holds.all()):
        raise EngineError(code)


def over_columns(recursion: Callable[..., Sequence[Tensor]], *matrices: Tensor) -> Tensor:
    """A row recursion of engine.sequences, run on the columns of a batch."""
    return torch.stack(list(recursion(*(list(x.unbind(dim=1)) for x in matrices))), dim=1)


def over_valid(recursion: Callable[..., Sequence[Tensor]], mask: Tensor, *matrices: Tensor) -> Tensor:
    """The recursion over each row's valid tokens as if no others existed; 0 at the others."""
    order = torch.argsort(mask.bool().logical_not().byte(), dim=1, stable=True)
    found = over_columns(recursion, *(zeroed(x, mask).gather(1, order) for x in matrices))
    return zeroed(torch.zeros_like(found).scatter(1, order, found), mask)
