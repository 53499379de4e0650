"""Advantages without a critic, on tensors: engine.groups for scores [B], groups [B] and returns [B, T].

`groups` holds a number from 0 to B − 1 per response, the same for responses to the same prompt.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

import engine.readings.tensors  # noqa: F401  (the formulas below are read on tensors)
from engine import formulas
from engine.groups import GRPO_EPSILON
from engine.kernels.positions import require, zeroed
from engine.kernels.shapes import one_per_row
from engine.kernels.statistics import whiten
from engine.ops import Number, sqrt


def _totals(x: Tensor, groups: Tensor) -> Tensor:
    """For every response the sum of x over its group."""
    return torch.zeros_like(x).index_add(0, groups, x)[groups]


def _counts(scores: Tensor, groups: Tensor) -> Tensor:
    require((groups >= 0) & (groups < len(groups)), "group_out_of_range")
    counts = _totals(torch.ones_like(scores), groups)
    require(counts > 1, "group_of_one")
    return counts


def mean_centred(scores: Tensor, groups: Tensor) -> Tensor:
    """The score less its group's mean: GRPO without the division (Dr. GRPO)."""
    counts = _counts(scores, groups)
    return formulas.advantage(scores, formulas.mean(_totals(scores, groups), counts))


def grpo(
    scores: Tensor,
    groups: Tensor,
    *,
    divide_by_std: bool = True,
    sample: bool = True,
    epsilon: Number = float(GRPO_EPSILON),
) -> Tensor:
    """One advantage per response: how far its score is from the group's mean, in standard deviations if asked."""
    centred = mean_centred(scores, groups)
    if not divide_by_std:
        return centred
    squares = _totals(formulas.squared_error(centred, 0), groups)
    variance = formulas.sample_variance if sample else formulas.mean
    std = sqrt(variance(squares, _counts(scores, groups)))
    return formulas.standardise(centred, 0, std, epsilon)


def same_group(scores: Tensor) -> Tensor:
    """All responses answer the same prompt."""
    return torch.zeros(len(scores), dtype=torch.long, device=scores.device)


def rloo_baselines(scores: Tensor, groups: Tensor) -> Tensor:
    """For each response the mean score of the others in its group."""
    return formulas.leave_one_out(_totals(scores, groups), scores, _counts(scores, groups))


def rloo(scores: Tensor, groups: Tensor) -> Tensor:
    """The score less the mean of the others."""
    return formulas.advantage(scores, rloo_baselines(scores, groups))


def share(advantages: Tensor, mask: Tensor) -> Tensor:
    """Every valid token gets its response's advantage, 0 elsewhere."""
    one_per_row(mask, advantages=advantages)
    return zeroed(advantages.unsqueeze(1).expand(mask.shape), mask)


def reinforce_plus_plus(returns: Tensor, mask: Tensor, **choices: Any) -> Tensor:
    """The returns (over the valid tokens), whitened over the batch."""
    return whiten(returns, mask, **choices)


def reinforce_plus_plus_baseline(scores: Tensor, groups: Tensor, mask: Tensor, **choices: Any) -> Tensor:
    """The group's mean is the baseline; what is left is shared by the tokens and whitened over the batch."""
    return whiten(share(mean_centred(scores, groups), mask), mask, **choices)


def remax(returns: Tensor, baselines: Tensor, mask: Tensor) -> Tensor:
    """The return from each token on less the score [B] of the greedy response."""
    one_per_row(returns, baselines=baselines)
    return zeroed(formulas.advantage(returns, baselines.unsqueeze(1)), mask)
