"""The few rows of a batch on which hypotheses are tried: those in which something stands that tells them apart."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from engine.doctor.given import Batch

SMALL = 2**14  # numbers per list: all of them are looked at
EACH = 2  # rows of each kind
WINDOW, NARROW, AFTER = 128, 24, 8  # tokens kept of a long row, and where many rates are tried; places behind its end
HEAD = 2  # tokens of a row that was cut whose numbers what stood before could change


def telling(batch: Batch) -> Tensor:
    """Row indices: long and short ones, with holes, with numbers outside the mask, and some others."""
    count = batch.mask.shape[0]
    if batch.mask.numel() <= SMALL:
        return torch.arange(count, device=batch.mask.device)
    found: dict[int, None] = {}
    for kind in _kinds(batch):
        found.update(dict.fromkeys(int(row) for row in kind[:EACH]))
    return torch.tensor(list(found), device=batch.mask.device)


def _kinds(batch: Batch) -> Iterator[Tensor]:
    count, device = batch.mask.shape[0], batch.mask.device
    spread = torch.linspace(0, count - 1, 2 * EACH, device=device).long()
    yield spread[:EACH]
    yield spread[EACH:]
    if batch.whole:
        return
    lengths = batch.mask.sum(1)
    by_length = lengths.argsort(stable=True)
    yield by_length[lengths[by_length] > 1]
    yield by_length.flip(0)
    mask = batch.mask.view(torch.int8)
    yield (mask.diff() > 0).any(1).nonzero()[:, 0]
    for x in (batch.values, batch.rewards):
        yield ((x != 0) & ~batch.mask).any(1).nonzero()[:, 0]
        yield ((x[:, 1:] != 0) & (mask.diff() < 0)).any(1).nonzero()[:, 0]  # right behind the end


def of(rows: Tensor, batch: Batch, count: int) -> Tensor:
    """Some of the rows that are marked: short ones, as they are soon computed, and the first."""
    indices = rows.nonzero()[:, 0]
    lengths = batch.mask[indices].sum(1)
    order = (lengths + (lengths < 3) * batch.mask.shape[1]).argsort(stable=True)
    chosen = torch.cat([indices[:1], indices[order[:count]], indices[-1:]])
    return torch.tensor(list(dict.fromkeys(chosen.tolist())), device=indices.device)


def cut(batch: Batch, window: int) -> tuple[Batch, Tensor]:
    """The ends of long rows, and which of their tokens do not depend on what was cut off."""
    width = window + AFTER
    if batch.mask.shape[1] <= 2 * width:
        return batch, batch.mask
    places = torch.arange(batch.mask.shape[1], device=batch.mask.device)
    ends = torch.where(batch.mask, places, 0).amax(1)
    starts = (ends + AFTER + 1 - width).clamp(min=0, max=batch.mask.shape[1] - width)
    index = starts[:, None] + torch.arange(width, device=places.device)

    def taken(x: Tensor | None) -> Tensor | None:
        return None if x is None else x.gather(1, index)

    mask = batch.mask.gather(1, index)
    head = (starts[:, None] > 0) & (mask.cumsum(1) <= HEAD)
    rewards, values = batch.rewards.gather(1, index), batch.values.gather(1, index)
    found = Batch(rewards, values, mask, taken(batch.advantages), taken(batch.returns), batch.dtype)
    return found, mask & ~head
