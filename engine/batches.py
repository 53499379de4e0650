"""The definitions over a batch: each function of sequences.py row by row, on the valid tokens only.

These have the names and parameters of the tensor kernels, so that one program can be computed by either.
A batch is a list of rows; where a mask is 0 the result is None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from engine import formulas, sequences
from engine.ops import Number

Batch: TypeAlias = list[list[Any]]
Mask: TypeAlias = Batch | None


def _row_by_row(function: Callable[..., list[Number]], *series: Batch, mask: Mask) -> Batch:
    """The function on each row's valid tokens, its results back in their places."""
    if mask is None:
        return [function(*rows) for rows in zip(*series, strict=True)]
    found = []
    for keep, *rows in zip(mask, *series, strict=True):
        places = [t for t, valid in enumerate(keep) if valid]
        results: list[Any] = [None] * len(keep)
        if places:
            for t, x in zip(places, function(*([row[t] for t in places] for row in rows)), strict=True):
                results[t] = x
        found.append(results)
    return found


def rewards(scores: Batch, kl: Batch, mask: Mask = None, *, beta: Number) -> Batch:
    return _row_by_row(lambda s, k: sequences.rewards(s, k, beta), scores, kl, mask=mask)


def td_errors(rewards: Batch, values: Batch, mask: Mask = None, *, gamma: Number) -> Batch:
    return _row_by_row(lambda r, v: sequences.deltas(r, v, gamma), rewards, values, mask=mask)


def gae(rewards: Batch, values: Batch, mask: Mask = None, *, gamma: Number, lam: Number) -> tuple[Batch, Batch]:
    deltas = td_errors(rewards, values, mask, gamma=gamma)
    advantages = _row_by_row(lambda d: sequences.gae_advantages(d, gamma, lam), deltas, mask=mask)
    return advantages, _row_by_row(sequences.critic_targets, advantages, values, mask=mask)


def mc_returns(rewards: Batch, mask: Mask = None, *, gamma: Number) -> Batch:
    return _row_by_row(lambda r: sequences.mc_returns(r, gamma), rewards, mask=mask)


def length(batch: Batch) -> list[int]:
    return [len(row) for row in batch]


def discounted_sum(batch: Batch, mask: Mask = None, *, gamma: Number) -> list[Number]:
    """Σ γ^k x_k over each row's valid tokens."""
    return [sequences.discounted_sum(row, gamma) for row in _valid(batch, mask)]


def excess(mc_returns: Batch, values: Batch, mask: Mask = None) -> list[Number]:
    """G − V at each row's first valid token: what the response earned beyond what was expected of it."""
    pairs = zip(_valid(mc_returns, mask), _valid(values, mask), strict=True)
    return [formulas.advantage(g[0], v[0]) for g, v in pairs]


def total(batch: Batch, mask: Mask = None) -> list[Number]:
    return [sequences.total(row) for row in _valid(batch, mask)]


def _valid(batch: Batch, mask: Mask) -> Batch:
    if mask is None:
        return batch
    return [[x for x, keep in zip(row, kept, strict=True) if keep] for row, kept in zip(batch, mask, strict=True)]
