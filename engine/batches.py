"""The definitions over a batch, as a list of rows: engine.kernels has the same names and parameters on tensors.

So one program (engine/quantities.py, engine/conventions.py) can be computed by either. Recursions run on each row's
valid tokens; what stands outside the mask is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, TypeAlias

from engine import formulas, groups, losses, masks, rewards, sequences, slices, statistics
from engine.masks import Mask, valid
from engine.ops import Number

Batch: TypeAlias = Sequence[Sequence[Any]]
Masks: TypeAlias = Sequence[Mask]


def by_row(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """A function of one response, over the rows of a batch."""
    return lambda *batch, **choices: [function(*row, **choices) for row in zip(*batch, strict=True)]


def _joined(function: Callable[..., Number]) -> Callable[..., Number]:
    """A function of one list, over all tokens of a batch: PPO takes its means over the whole batch."""
    return lambda *batch, **choices: function(*(list(chain(*rows)) for rows in batch), **choices)


def everywhere(recursion: Callable[..., Any], *batch: Batch) -> list[Any]:
    """A recursion over every position, the mask not asked."""
    return [recursion(*row) for row in zip(*batch, strict=True)]


def over_valid(recursion: Callable[..., Any], mask: Masks, *batch: Batch) -> list[Any]:
    return [masks.over_valid(recursion, *row) for row in zip(mask, *batch, strict=True)]


zeroed = by_row(masks.zeroed)
carried = by_row(masks.carried)
one_more = by_row(masks.one_more)
place_score = by_row(rewards.place_score)
kl_penalties = by_row(rewards.kl_penalties)
token_rewards = by_row(rewards.token_rewards)
ratios = by_row(losses.ratios)
probabilities = by_row(losses.probabilities)
surrogates = by_row(losses.surrogates)
objectives = by_row(losses.objectives)
clipped_terms = by_row(losses.clipped_terms)
clipped_values = by_row(losses.clipped_values)
policy_losses = by_row(losses.policy_losses)
value_errors = by_row(losses.value_errors)
value_losses = by_row(losses.value_losses)
remax = by_row(groups.remax)
mean_centred, grpo, share = groups.mean_centred, groups.grpo, groups.share
rloo, rloo_baselines = groups.rloo, groups.rloo_baselines
reinforce_plus_plus, reinforce_plus_plus_baseline = groups.reinforce_plus_plus, groups.reinforce_plus_plus_baseline

masked_mean = _joined(statistics.masked_mean)
masked_variance = _joined(statistics.masked_variance)
clip_fraction = _joined(losses.clip_fraction)
value_clip_fraction = _joined(losses.value_clip_fraction)
approx_kl = _joined(losses.approx_kl)
whiten, whiten_everywhere = statistics.whiten_batch, statistics.whiten_batch_everywhere
aggregate = losses.aggregate


# ---------------------------------------------------------------- recurrences


def td_errors(rewards: Batch, values: Batch, mask: Masks, *, gamma: Number) -> list[list[Number]]:
    return over_valid(lambda r, v: sequences.deltas(r, v, gamma), mask, rewards, values)


def gae(
    rewards: Batch, values: Batch, mask: Masks, *, gamma: Number, lam: Number
) -> tuple[list[list[Number]], list[list[Number]]]:
    deltas = td_errors(rewards, values, mask, gamma=gamma)
    advantages = over_valid(lambda d: sequences.gae_advantages(d, gamma, lam), mask, deltas)
    return advantages, over_valid(sequences.critic_targets, mask, advantages, values)


def mc_returns(rewards: Batch, mask: Masks, *, gamma: Number) -> list[list[Number]]:
    return over_valid(lambda r: sequences.mc_returns(r, gamma), mask, rewards)


def advantages_of(returns: Batch, values: Batch, mask: Masks) -> list[list[Number]]:
    """What returns, of whatever kind, have over the values."""
    return over_valid(sequences.mc_advantages, mask, returns, values)


def critic_targets(advantages: Batch, values: Batch, mask: Masks) -> list[list[Number]]:
    return over_valid(sequences.critic_targets, mask, advantages, values)


def lambda_returns(rewards: Batch, values: Batch, mask: Masks, *, gamma: Number, lam: Number) -> list[list[Number]]:
    return over_valid(lambda r, v: sequences.lambda_returns(r, v, gamma, lam), mask, rewards, values)


def n_step_advantages(rewards: Batch, values: Batch, mask: Masks, *, gamma: Number, n: int) -> list[list[Number]]:
    return over_valid(lambda r, v: sequences.advantages_of_n_steps(r, v, gamma, n), mask, rewards, values)


def critic_values(outputs: Batch, response_length: int) -> list[list[Number]]:
    """V before each response token, from the critic's outputs over prompt and response."""
    return [slices.cut(row, response_length) for row in outputs]


# ---------------------------------------------------------------- one number for each response


def discounted_sum(batch: Batch, mask: Masks, *, gamma: Number) -> list[Number]:
    """Σ γ^k x_k over each row's valid tokens."""
    return [sequences.discounted_sum(valid(*row), gamma) for row in zip(batch, mask, strict=True)]


def excess(mc_returns: Batch, values: Batch, mask: Masks) -> list[Number]:
    """G − V at each row's first valid token: what the response earned beyond what was expected of it."""
    rows = zip(mc_returns, values, mask, strict=True)
    return [formulas.advantage(valid(g, m)[0], valid(v, m)[0]) for g, v, m in rows]


def same_group(scores: Sequence[Number]) -> list[int]:
    """All responses answer the same prompt."""
    return [0] * len(scores)


def total(batch: Batch, mask: Masks) -> list[Number]:
    return [statistics.total(valid(*row)) for row in zip(batch, mask, strict=True)]
