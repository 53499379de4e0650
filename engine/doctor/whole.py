"""A recursion's numbers beside all of a batch, in blocks that stay in the processor's cache: one pass over memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from engine.doctor.fit import Line, Link, allowed, distances, expected
from engine.doctor.given import Batch
from engine.doctor.recursions import Pair, Recursion
from engine.doctor.solving import Rates
from engine.doctor.whitening import Moments
from engine.kernels.advantages import CACHED

LARGEST = 2**22  # numbers per tensor for the programs that run token by token


@dataclass(frozen=True)
class Place:
    """The first number of a list that departs."""

    name: str
    row: int
    token: int
    stated: float
    correct: float


@dataclass(frozen=True)
class Whole:
    departing: int  # tokens
    tokens: int
    rows: Tensor  # [B], whether some token of the row departs
    first: tuple[Place, ...]  # of each list, in the order of the batch
    residual: float  # the largest distance of a number from what is due
    tolerance: float  # the largest that was allowed for
    moments: Moments


@dataclass(frozen=True)
class _Block:
    departing: int
    tokens: int
    rows: Tensor
    first: tuple[Place, ...]
    residual: float
    tolerance: float
    moments: Moments


def verified(batch: Batch, recursion: Recursion, rates: Rates, link: Link, line: Line) -> Whole:
    """The whole batch under one hypothesis."""
    blocks = list(_blocks(batch, recursion, rates, link, line))
    places = [place for block in blocks for place in block.first]
    first = {place.name: place for place in reversed(places)}
    moments = Moments()
    for block in blocks:
        moments = moments + block.moments
    return Whole(
        sum(block.departing for block in blocks),
        sum(block.tokens for block in blocks),
        torch.cat([block.rows for block in blocks]),
        tuple(sorted(first.values(), key=lambda place: (place.row, place.token, place.name))),
        max(block.residual for block in blocks),
        max(block.tolerance for block in blocks),
        moments,
    )


def _blocks(batch: Batch, recursion: Recursion, rates: Rates, link: Link, line: Line) -> Iterator[_Block]:
    count, length = batch.rewards.shape
    size = max(1, (CACHED if recursion.convention else LARGEST) // length)
    for start in range(0, count, size):
        part = batch.part(slice(start, start + size))
        found = _block(part, recursion.run(part, rates.gamma, rates.lam), rates, link, line)
        yield replace(found, first=tuple(replace(place, row=place.row + start) for place in found.first))


def _block(batch: Batch, pair: Pair, rates: Rates, link: Link, line: Line) -> _Block:
    due = expected(batch, pair, link, line, allowed(batch, pair, rates.gamma * rates.lam))
    over = torch.zeros_like(batch.mask)
    first, residual, tolerance = [], 0.0, 0.0
    for name, gap, allowance in distances(batch, due):
        gap = gap if batch.whole else torch.where(batch.mask, gap, 0)
        worst, least = gap.amax(1, keepdim=True), allowance.amin(1, keepdim=True)
        residual = max(residual, float(worst.nan_to_num(nan=torch.inf).amax()))
        tolerance = max(tolerance, float(least.amax()))
        if bool((worst <= least).all()):
            continue
        wrong = ~(gap <= allowance)
        if wrong.any():
            first.append(_place(name, wrong, getattr(batch, name), getattr(due, name)))
            over |= wrong
    kept = batch.mask & ~over if first else batch.mask
    return _Block(
        int(over.sum()),
        batch.tokens,
        over.any(1),
        tuple(first),
        residual,
        tolerance,
        Moments() if link is Link.RAW else _moments(batch, pair, link, kept, batch.whole and not first),
    )


def _place(name: str, wrong: Tensor, stated: Tensor, due: Tensor) -> Place:
    row, token = divmod(int(wrong.flatten().byte().argmax()), wrong.shape[1])
    return Place(name, row, token, float(stated[row, token]), float(due[row, token]))


def _moments(batch: Batch, pair: Pair, link: Link, kept: Tensor, full: bool) -> Moments:
    """Of all tokens; the line of those that do not depart."""
    x, y = (pair[1], batch.returns) if link is Link.RETURNS else (pair[0], batch.advantages)
    if link is Link.RETURNS and y is None and batch.advantages is not None:
        y = batch.advantages + batch.values
    if link is Link.TARGETS and batch.returns is not None:
        y = batch.returns - batch.values
    assert y is not None
    if full:
        return _sums(x, y, None, x.numel())
    own = _sums(x, y, kept, x.numel())
    if int(kept.sum()) == batch.tokens:
        return own
    every = _sums(x, x, batch.mask, x.numel())
    slope = own.line.slope  # of the tokens on the line, carried to all
    return replace(
        every, mean_y=own.line(torch.tensor(every.mean, dtype=torch.float64)).item(), products=slope * every.squares
    )


def _sums(x: Tensor, y: Tensor, kept: Tensor | None, places: int) -> Moments:
    count = x.numel() if kept is None else int(kept.sum())
    if not count:
        return Moments(places=places)
    if kept is not None:
        x, y = torch.where(kept, x, 0), torch.where(kept, y, 0)
    mean, mean_y = (float(z.sum(1).double().sum()) / count for z in (x, y))
    dx, dy = x - mean, y - mean_y
    if kept is not None:
        dx = torch.where(kept, dx, 0)
    squares, products = (float((dx * d).sum(1).double().sum()) for d in (dx, dy))
    return Moments(count, places, mean, squares, mean_y, products)
