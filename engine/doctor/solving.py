"""γ and λ from the numbers: A_t = r_t + γV_{t+1} − V_t + γλ A_{t+1} is linear in γ and γλ, and stays linear where A is
only known up to a slope and a shift.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from engine import formulas
from engine.conventions import Convention, Masked, keep
from engine.doctor.fit import Fit
from engine.doctor.given import Batch
from engine.kernels.masks import layout_of

LONGEST = 20_000  # tokens: more settle nothing more
NOTHING = 1e-7  # of the largest: a column that is not there
DECIMALS = (2, 3, 4, 5, 6)
STARTS = ((0.98, 0.93), (0.9, 0.5))
TURNS = 10
NUDGE, SETTLED, FLAT = 1e-3, 1e-7, 1e-3


class Rates(NamedTuple):
    gamma: float
    lam: float
    open: tuple[str, ...] = ()  # those that these numbers do not settle


@dataclass(frozen=True)
class _Steps:
    """From token to token: this token's numbers, and the next one's V and A."""

    rest: Tensor  # r_t − V_t
    now: Tensor
    later_v: Tensor
    later: Tensor


def solved(batch: Batch, convention: Convention, gamma: float | None, lam: float | None) -> list[Rates]:
    """What the rates would be if the batch followed this convention: of raw advantages, and of whitened ones."""
    found = []
    if batch.returns is not None:
        values = keep(batch.values, batch.mask, convention.values)
        found.append(_raw(_steps(batch, convention, formulas.advantage(batch.returns, values)), gamma, lam))
    if batch.advantages is not None:
        steps = _steps(batch, convention, batch.advantages)
        found.append(_raw(steps, gamma, lam))
        found.append(_whitened(steps, gamma, lam))
    return [rates for rates in found if rates is not None]


def _steps(batch: Batch, convention: Convention, advantages: Tensor) -> _Steps:
    rewards = keep(batch.rewards, batch.mask, convention.rewards)
    values = keep(batch.values, batch.mask, convention.values)
    if convention.masked is Masked.STEP:
        both = batch.mask[:, :-1] & batch.mask[:, 1:]
    else:
        layout = layout_of(batch.mask, rewards)
        rewards, values, advantages = (layout.pack(x.contiguous()) for x in (rewards, values, advantages))
        count = batch.mask.sum(1, keepdim=True)
        both = torch.arange(1, rewards.shape[1], device=rewards.device) < count
    pairs = [x[:, :-1][both] for x in (rewards - values, advantages)] + [x[:, 1:][both] for x in (values, advantages)]
    stride = max(1, len(pairs[0]) // LONGEST)
    return _Steps(*(x[::stride].cpu().double() for x in pairs))


def _raw(x: _Steps, gamma: float | None, lam: float | None) -> Rates | None:
    """Two unknowns, γ and γλ; one where the other rate is known."""
    due = x.now - x.rest
    if gamma is not None:
        (product,) = _least(due - gamma * x.later_v, x.later)
        return _rates(gamma, product, gamma_known=True)
    if lam is not None:
        (found,) = _least(due, x.later_v + lam * x.later)
        return None if found is None else _bounded(found, lam, ())
    found, product = _least(due, x.later_v, x.later)
    return _rates(found, product)


def _whitened(x: _Steps, gamma: float | None, lam: float | None) -> Rates | None:
    """a·A_t + b was stated: the slope's inverse s, γ, γλ·s and what b makes of it all are unknown."""
    ones = torch.ones_like(x.now)
    slope, found, product, _ = _least(x.rest, x.now, -x.later_v, -x.later, ones)
    if slope is None or slope <= 0:
        return None
    rates = _rates(found, None if product is None else product / slope)
    if rates is None:
        return None
    return Rates(rates.gamma if gamma is None else gamma, rates.lam if lam is None else lam, rates.open)


def _least(due: Tensor, *columns: Tensor) -> list[float | None]:
    """Least squares; None for what is not there or does not tell itself from the others."""
    found: list[float | None] = [None] * len(columns)
    sizes = [float(column.abs().max()) if len(column) else 0.0 for column in columns]
    there = [i for i, size in enumerate(sizes) if size > NOTHING * max(1.0, *sizes)]
    if not there or len(due) < len(there):
        return found
    matrix = torch.stack([columns[i] / sizes[i] for i in there], dim=1)
    answer = torch.linalg.lstsq(matrix, due[:, None], driver="gelsd")
    if int(answer.rank) == len(there):
        for i, number in zip(there, answer.solution[:, 0].tolist(), strict=True):
            found[i] = number / sizes[i]
    return found


def _rates(gamma: float | None, product: float | None, *, gamma_known: bool = False) -> Rates | None:
    """Where V is 0 throughout, only γλ shows; where A is, λ does not."""
    if gamma is None and product is None:
        return Rates(1.0, 1.0, ("gamma", "lam"))
    if gamma is None:
        return _bounded(1.0, float(product or 0.0), ("gamma", "lam"))
    if product is None or gamma == 0:
        return _bounded(gamma, 1.0, ("lam",))
    return _bounded(gamma, product / gamma, () if gamma_known or gamma > NOTHING else ("lam",))


def _bounded(gamma: float, lam: float, left: tuple[str, ...]) -> Rates | None:
    """Just beyond the ends is rounding; far beyond, the recursion is another."""
    if not (-0.05 <= gamma <= 1.05 and -0.05 <= lam <= 1.05):
        return None
    return Rates(min(max(gamma, 0.0), 1.0), min(max(lam, 0.0), 1.0), left)


# ---------------------------------------------------------------- to the decimals that were meant


def rounded(rates: Rates, fit: Callable[[float, float], Fit], fixed: frozenset[str]) -> Rates:
    """The shortest decimals that fit as well; what was given stays."""
    if len(fixed) == len(("gamma", "lam")):
        return rates
    own = fit(rates.gamma, rates.lam)
    for digits in DECIMALS:
        gamma, lam = (
            x if name in fixed else round(x, digits) for name, x in (("gamma", rates.gamma), ("lam", rates.lam))
        )
        found = fit(gamma, lam)
        if found.departing <= own.departing and found.off <= 1.5 * own.off + 0.05:
            return Rates(gamma, lam, rates.open)
    return rates


# ---------------------------------------------------------------- through any program


def descended(residuals: Callable[[float, float], Tensor], gamma: float | None, lam: float | None) -> Iterator[Rates]:
    """γ and λ at which a program comes nearest, from a few starts, by Gauss and Newton."""
    free = [i for i, x in enumerate((gamma, lam)) if x is None]
    seen = set()
    for start in STARTS:
        at = [start[0] if gamma is None else gamma, start[1] if lam is None else lam]
        left: tuple[str, ...] = ()
        for _ in range(TURNS):
            moves, left = _move(residuals, at, free)
            step = [min(max(x + dx, 0.0), 1.0) for x, dx in zip(at, moves, strict=True)]
            done = max(abs(a - b) for a, b in zip(at, step, strict=True)) < SETTLED
            at = step
            if done:
                break
        key = tuple(round(x, 4) for x in at)
        if key not in seen:
            seen.add(key)
            yield Rates(at[0], at[1], left)


def _move(
    residuals: Callable[[float, float], Tensor], at: list[float], free: list[int]
) -> tuple[list[float], tuple[str, ...]]:
    """The next step, and which of the rates change nothing here, alone or because the other can make up for them."""
    here, columns = residuals(*at), []
    for i in free:
        nudge = -NUDGE if at[i] > 0.5 else NUDGE
        there = [x + nudge * (j == i) for j, x in enumerate(at)]
        columns.append((residuals(*there) - here) / nudge)
    matrix = torch.stack(columns, dim=1).cpu()
    answer = torch.linalg.lstsq(matrix, -here[:, None].cpu(), rcond=FLAT, driver="gelsd")
    found = iter(answer.solution[:, 0].tolist())
    moves = [next(found) if j in free else 0.0 for j in range(2)]
    if int(answer.rank) == len(free):
        return moves, ()
    sizes = matrix.abs().amax(0)
    still = [i for i, size in zip(free, sizes.tolist(), strict=True) if size <= FLAT * float(sizes.max())]
    return moves, tuple(("gamma", "lam")[i] for i in (still or free))
