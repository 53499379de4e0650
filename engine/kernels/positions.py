"""Which positions of a batch [B, T] count: engine.masks on tensors. No result or gradient sees what stands at a 0."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.errors import EngineError
from engine.kernels.shapes import alike


def zeroed(x: Tensor, mask: Tensor) -> Tensor:
    alike(x, mask=mask)
    return torch.where(mask.bool(), x, 0)


def carried(x: Tensor, mask: Tensor) -> Tensor:
    """Outside the mask what the row's next valid token has, 0 where none follows."""
    alike(x, mask=mask)
    end = x.shape[1]
    places = torch.arange(end, device=x.device).expand(x.shape)
    following = torch.where(mask.bool(), places, end).flip(1).cummin(1).values.flip(1)
    return torch.nn.functional.pad(x, (0, 1)).gather(1, following)


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
