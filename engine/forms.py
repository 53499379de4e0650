"""The same functions for the two forms a batch can have: lists of rows, and tensors [B, T]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from engine import losses, masks, rewards, statistics
from engine.kernels import columns as tensor_columns
from engine.kernels import losses as tensor_losses
from engine.kernels import positions as tensor_positions
from engine.kernels import rewards as tensor_rewards
from engine.kernels import statistics as tensor_statistics


class Forms(NamedTuple):
    """The functions of one form."""

    zeroed: Callable[..., Any]
    one_more: Callable[..., Any]
    place_score: Callable[..., Any]
    kl_penalties: Callable[..., Any]
    token_rewards: Callable[..., Any]
    everywhere: Callable[..., Any]
    over_valid: Callable[..., Any]
    whiten: Callable[..., Any]
    ratios: Callable[..., Any]
    policy_losses: Callable[..., Any]
    value_errors: Callable[..., Any]
    value_losses: Callable[..., Any]
    aggregate: Callable[..., Any]


def _by_row(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """A function of one response, over the rows of a batch."""
    return lambda *batch, **choices: [function(*row, **choices) for row in zip(*batch, strict=True)]


def _recursion_by_row(recursion: Callable[..., Any], *batch: Any) -> list[Any]:
    return [recursion(*row) for row in zip(*batch, strict=True)]


def _recursion_over_valid(recursion: Callable[..., Any], mask: Any, *batch: Any) -> list[Any]:
    return [masks.over_valid(recursion, *row) for row in zip(mask, *batch, strict=True)]


_LISTS = Forms(
    zeroed=_by_row(masks.zeroed),
    one_more=_by_row(masks.one_more),
    place_score=_by_row(rewards.place_score),
    kl_penalties=_by_row(rewards.kl_penalties),
    token_rewards=_by_row(rewards.token_rewards),
    everywhere=_recursion_by_row,
    over_valid=_recursion_over_valid,
    whiten=statistics.whiten_batch,
    ratios=_by_row(losses.ratios),
    policy_losses=_by_row(losses.policy_losses),
    value_errors=_by_row(losses.value_errors),
    value_losses=_by_row(losses.value_losses),
    aggregate=losses.aggregate,
)
_TENSORS = Forms(
    zeroed=tensor_positions.zeroed,
    one_more=tensor_positions.one_more,
    place_score=tensor_rewards.place_score,
    kl_penalties=tensor_rewards.kl_penalties,
    token_rewards=tensor_rewards.token_rewards,
    everywhere=tensor_columns.over_columns,
    over_valid=tensor_columns.over_valid,
    whiten=tensor_statistics.whiten,
    ratios=tensor_losses.ratios,
    policy_losses=tensor_losses.policy_losses,
    value_errors=tensor_losses.value_errors,
    value_losses=tensor_losses.value_losses,
    aggregate=tensor_losses.aggregate,
)


def forms_of(batch: Any) -> Forms:
    """The functions for a batch: a tensor [B, T], or a list of rows."""
    return _TENSORS if isinstance(batch, torch.Tensor) else _LISTS
