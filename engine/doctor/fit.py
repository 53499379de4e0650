"""A recursion's numbers beside those of a batch: how far apart they are, whitening left open.

Whitening is a·A + b with two numbers for the whole batch. On a few rows these are fitted; whether they are the batch's
own mean and deviation is seen when all of it is read (engine.doctor.whitening).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import torch
from torch import Tensor

from engine import formulas
from engine.doctor.given import Batch
from engine.doctor.recursions import Pair

FEWEST = 4  # tokens through which a line can be laid without fitting anything
TRIMMED = 4  # times the median distance: what is further is no part of the line
ONCE, BY_STEP = 4.0, 4.0  # roundings: of what is there at every token, and of each step they run through


class Link(Enum):
    """How the lists of a batch come from a recursion's A and R."""

    RAW = "raw"
    WHITENED = "whitened"  # the advantages are; the returns are made of those before
    TARGETS = "whiten_before_returns"
    RETURNS = "whiten_returns_first"


class Line(NamedTuple):
    slope: float = 1.0
    shift: float = 0.0

    def __call__(self, x: Tensor) -> Tensor:
        return x if self == SAME else x * self.slope + self.shift


SAME = Line()


class Expected(NamedTuple):
    """What a batch should hold, and how far from it each number may be."""

    advantages: Tensor
    returns: Tensor
    of_advantages: Tensor
    of_returns: Tensor


@dataclass(frozen=True)
class Fit:
    link: Link
    line: Line
    departing: int  # numbers, of all lists
    off: float  # the root mean square of the distances, each as a part of what is allowed

    @property
    def holds(self) -> bool:
        return self.departing == 0


def allowed(batch: Batch, pair: Pair, decay: float) -> Tensor:
    """[B, 1]: how far rounding may have brought a number of this row that no whitening has touched."""
    steps = min(float(batch.mask.shape[1]), 1 / max(1 - decay, 1e-9))
    largest = sum(torch.linalg.vector_norm(x, torch.inf, dim=1) for x in pair)  # outside the mask too, if it went there
    roundings = ONCE + BY_STEP * math.sqrt(steps)
    return (largest * batch.unit * roundings).clamp(min=1e-30)[:, None]


def expected(batch: Batch, pair: Pair, link: Link, line: Line, allowance: Tensor) -> Expected:
    advantages, returns = pair
    if link is Link.RAW:
        return Expected(advantages, returns, allowance, allowance)
    drawn = line(returns if link is Link.RETURNS else advantages)
    furthest = float(drawn.abs().amax()) + abs(line.shift)  # the mean of all, and their deviation, are rounded too
    wider = abs(line.slope) * allowance + batch.unit * ONCE * furthest
    if link is Link.WHITENED:
        return Expected(drawn, returns, wider, allowance)
    wider = wider + allowance
    if link is Link.RETURNS:
        return Expected(drawn - batch.values, drawn, wider, wider)
    targets = formulas.critic_target(drawn, batch.values)
    if batch.advantages is not None and _nearer(batch.advantages, advantages, drawn, batch.mask):
        return Expected(advantages, targets, allowance, wider)
    return Expected(drawn, targets, wider, wider)


def distances(batch: Batch, due: Expected) -> Iterator[tuple[str, Tensor, Tensor]]:
    """The name of each list that was given, how far it is from what is due, and how far it may be."""
    if batch.advantages is not None:
        yield "advantages", (batch.advantages - due.advantages).abs(), due.of_advantages
    if batch.returns is not None:
        yield "returns", (batch.returns - due.returns).abs(), due.of_returns


def fits(batch: Batch, pair: Pair, decay: float, links: tuple[Link, ...], seen: Tensor | None = None) -> list[Fit]:
    """How a recursion's numbers fit under these links, the best first. `seen`: the tokens that are compared."""
    seen = batch.mask if seen is None else seen & batch.mask
    allowance = allowed(batch, pair, decay)
    lines = ((link, _line(batch, pair, link, seen)) for link in links)
    found = [_fit(batch, pair, link, line, allowance, seen) for link, line in lines if line is not None]
    return sorted(found, key=lambda one: (one.departing, one.link is not Link.RAW, one.off))


def _line(batch: Batch, pair: Pair, link: Link, seen: Tensor) -> Line | None:
    """The line that the link's lists would lie on; None where they are not given, or lie on none."""
    (advantages, returns), own, targets = pair, batch.advantages, batch.returns
    if link is Link.RAW:
        return SAME
    if link is Link.RETURNS:
        of = targets if targets is not None else formulas.critic_target(own, batch.values)
        return laid(returns[seen], of[seen])
    of = own if link is Link.WHITENED else None if targets is None else formulas.advantage(targets, batch.values)
    return None if of is None else laid(advantages[seen], of[seen])


def laid(x: Tensor, y: Tensor) -> Line | None:
    """The rising line through the points, by least squares; once more without those that are far from it."""
    points = x.double() if x.device.type != "mps" else x, y.double() if y.device.type != "mps" else y
    line = _least_squares(*points)
    if line is None:
        return None
    off = (points[1] - line(points[0])).abs()
    near = off <= TRIMMED * off.median()
    return _least_squares(points[0][near], points[1][near]) if FEWEST <= int(near.sum()) < len(off) else line


def _least_squares(x: Tensor, y: Tensor) -> Line | None:
    if len(x) < FEWEST:
        return None
    across, up = x - x.mean(), y - y.mean()
    spread = float(across.square().sum())
    slope = float((across * up).sum()) / spread if spread > 0 else 0.0
    return Line(slope, float(y.mean() - slope * x.mean())) if slope > 0 and math.isfinite(slope) else None


def _fit(batch: Batch, pair: Pair, link: Link, line: Line, allowance: Tensor, seen: Tensor) -> Fit:
    due = expected(batch, pair, link, line, allowance)
    parts = [(gap / allowance).nan_to_num(nan=torch.inf)[seen] for _, gap, allowance in distances(batch, due)]
    every = torch.stack(parts)
    off = float(every.clamp(max=1e6).square().mean().sqrt())
    return Fit(link, line, int((every > 1).sum()), off)


def _nearer(x: Tensor, one: Tensor, other: Tensor, mask: Tensor) -> bool:
    return float((x - one).abs()[mask].sum()) <= float((x - other).abs()[mask].sum())
