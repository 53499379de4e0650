"""Every kernel over batches, called with one set of inputs; and the list form that it must agree with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import Tensor

from engine import batches, groups, losses, masks, ops, rewards, sequences, statistics
from engine import kernels as tensor_kernels
from engine.kernels import columns as tensor_columns
from engine.kernels import groups as tensor_groups
from engine.kernels import losses as tensor_losses
from engine.kernels import positions as tensor_positions
from engine.kernels import rewards as tensor_rewards
from engine.kernels import statistics as tensor_statistics
from engine.losses import Aggregation, Clip
from engine.rewards import KL_KINDS, Placement
from tests.engine.batch_strategies import lifted

GROUPS = [0, 1, 0, 1, 1]
MASK = [[1, 1, 1, 1, 0, 0], [1, 0, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 0, 0, 1, 0, 1], [1, 1, 0, 0, 0, 0]]
CLIP, DUAL = Clip(0.2, 0.3), Clip(0.2, 0.3, 3)


@dataclass
class Inputs:
    """x and its like are [B, T]; s is [B]. The first two are log-probabilities or whatever else is wanted."""

    x: Any
    y: Any
    z: Any
    s: Any
    mask: Any
    groups: Any
    gamma: float = 0.9
    lam: float = 0.8

    def changed(self, change: Callable[[Tensor], Any]) -> Inputs:
        """Every tensor changed."""
        parts = (getattr(self, field.name) for field in fields(self))
        return Inputs(*(change(part) if isinstance(part, Tensor) else part for part in parts))


def inputs(dtype: torch.dtype = torch.float64) -> Inputs:
    return drawn(torch.tensor(MASK), torch.tensor(GROUPS), dtype)


def long_inputs(dtype: torch.dtype, discount: float, length: int = 32768) -> Inputs:
    """Two responses, one of them padded and with holes; γ and λ are the discount."""
    mask = torch.ones(2, length, dtype=torch.int64)
    mask[1, length // 2 :: 3] = 0
    mask[1, length - length // 8 :] = 0
    found = drawn(mask, torch.zeros(2, dtype=torch.int64), dtype)
    found.gamma = found.lam = discount
    return found


def drawn(mask: Tensor, groups: Tensor, dtype: torch.dtype) -> Inputs:
    draw = torch.Generator().manual_seed(20)
    x, y, z = (torch.randn(mask.shape, generator=draw, dtype=torch.float64).to(dtype) for _ in range(3))
    scores = torch.randn(len(mask), generator=draw, dtype=torch.float64).to(dtype)
    return Inputs(x, y, z, scores, mask, groups)


def as_lists(i: Inputs, lift: Callable[[float], Any]) -> Inputs:
    plain = i.changed(lambda x: x.tolist())
    numbers = [lifted(x, lift) for x in (plain.x, plain.y, plain.z, plain.s)]
    return Inputs(*numbers, plain.mask, plain.groups, lift(i.gamma), lift(i.lam))


def gae(rewards: Any, values: Any) -> list[Any]:
    return sequences.gae_advantages(sequences.deltas(rewards, values, 0.9), 0.9, 0.8)


def shifted(i: Inputs) -> list[list[Any]]:
    """x as ratios around 1."""
    return [[x + 1 for x in row] for row in i.x]


def series_of(name: str, i: Inputs) -> tuple[Any, ...]:
    return (i.x, i.y) if name == "td_errors" else (i.x,)


def softmax(logits: list[Any]) -> list[Any]:
    weights = [ops.exp(x) for x in logits]
    total = sum(weights)
    return [weight / total for weight in weights]


Call = Callable[[Inputs], Any]
by_row = batches.by_row


def flat(function: Callable[..., Any]) -> Callable[..., Any]:
    """A list function of one list, given a batch: its rows joined."""
    return lambda *batch, **choices: function(*([x for row in rows for x in row] for rows in batch), **choices)


# name → (on tensors, on lists of rows). The first word is the kernel's; each takes a mask, or no [B, T] at all.
KERNELS: dict[str, tuple[Call, Call]] = {
    "masked_mean": (
        lambda i: tensor_statistics.masked_mean(i.x, i.mask),
        lambda i: flat(statistics.masked_mean)(i.x, i.mask),
    ),
    "rloo": (lambda i: tensor_groups.rloo(i.s, i.groups), lambda i: groups.rloo(i.s, i.groups)),
    "grpo": (lambda i: tensor_groups.grpo(i.s, i.groups), lambda i: groups.grpo(i.s, i.groups)),
    "grpo, without std": (
        lambda i: tensor_groups.grpo(i.s, i.groups, divide_by_std=False),
        lambda i: groups.grpo(i.s, i.groups, divide_by_std=False),
    ),
    "share": (lambda i: tensor_groups.share(i.s, i.mask), lambda i: groups.share(i.s, i.mask)),
    "reinforce_plus_plus": (
        lambda i: tensor_groups.reinforce_plus_plus(i.x, i.mask),
        lambda i: groups.reinforce_plus_plus(i.x, i.mask),
    ),
    "reinforce_plus_plus_baseline": (
        lambda i: tensor_groups.reinforce_plus_plus_baseline(i.s, i.groups, i.mask),
        lambda i: groups.reinforce_plus_plus_baseline(i.s, i.groups, i.mask),
    ),
    "remax": (lambda i: tensor_groups.remax(i.x, i.s, i.mask), lambda i: by_row(groups.remax)(i.x, i.s, i.mask)),
    "token_rewards": (
        lambda i: tensor_rewards.token_rewards(tensor_positions.zeroed(i.x, i.mask), i.y, i.mask, beta=0.1),
        lambda i: by_row(rewards.token_rewards)(by_row(masks.zeroed)(i.x, i.mask), i.y, i.mask, beta=0.1),
    ),
    "probabilities": (
        lambda i: tensor_losses.probabilities(i.x, i.mask),
        lambda i: by_row(losses.probabilities)(i.x, i.mask),
    ),
    "ratios": (
        lambda i: tensor_losses.ratios(i.x, i.y, i.mask),
        lambda i: by_row(losses.ratios)(i.x, i.y, i.mask),
    ),
    "ratios, bounded": (
        lambda i: tensor_losses.ratios(i.x, i.y, i.mask, bound=0.5),
        lambda i: by_row(losses.ratios)(i.x, i.y, i.mask, bound=0.5),
    ),
    "surrogates": (
        lambda i: tensor_losses.surrogates(i.x, i.y, i.mask),
        lambda i: by_row(losses.surrogates)(i.x, i.y, i.mask),
    ),
    "approx_kl": (
        lambda i: tensor_losses.approx_kl(i.x, i.y, i.mask),
        lambda i: flat(losses.approx_kl)(i.x, i.y, i.mask),
    ),
    "approx_kl_k3": (
        lambda i: tensor_losses.approx_kl_k3(i.x, i.y, i.mask),
        lambda i: flat(losses.approx_kl_k3)(i.x, i.y, i.mask),
    ),
    "whiten_everywhere": (
        lambda i: tensor_kernels.zeroed(tensor_statistics.whiten_everywhere(i.x, i.mask), i.mask),
        lambda i: by_row(masks.zeroed)(batches.whiten_everywhere(i.x, i.mask), i.mask),
    ),
    "whiten_everywhere, floors": (
        lambda i: tensor_kernels.zeroed(
            tensor_statistics.whiten_everywhere(i.x, i.mask, sample=False, floors=True), i.mask
        ),
        lambda i: by_row(masks.zeroed)(batches.whiten_everywhere(i.x, i.mask, sample=False, floors=True), i.mask),
    ),
    "carried": (
        lambda i: tensor_positions.carried(i.x, i.mask),
        lambda i: by_row(masks.carried)(i.x, i.mask),
    ),
    "zeroed": (lambda i: tensor_positions.zeroed(i.x, i.mask), lambda i: by_row(masks.zeroed)(i.x, i.mask)),
    "over_valid": (
        lambda i: tensor_columns.over_valid(gae, i.mask, i.x, i.y),
        lambda i: [masks.over_valid(gae, *row) for row in zip(i.mask, i.x, i.y, strict=True)],
    ),
}
for sample in (True, False):
    KERNELS[f"masked_variance, sample={sample}"] = (
        lambda i, s=sample: tensor_statistics.masked_variance(i.x, i.mask, sample=s),
        lambda i, s=sample: flat(statistics.masked_variance)(i.x, i.mask, sample=s),
    )
for choices in ({}, {"shift_mean": False}, {"sample": False, "floors": True}):
    KERNELS[f"whiten, {choices}"] = (
        lambda i, c=choices: tensor_statistics.whiten(i.x, i.mask, **c),
        lambda i, c=choices: statistics.whiten_batch(i.x, i.mask, **c),
    )
for kind in [*KL_KINDS, *(k + "+" for k in KL_KINDS)]:
    KERNELS[f"kl_penalties, {kind}"] = (
        lambda i, k=kind: tensor_rewards.kl_penalties(i.x, i.y, i.mask, kind=k),
        lambda i, k=kind: by_row(rewards.kl_penalties)(i.x, i.y, i.mask, kind=k),
    )
for placement in Placement:
    KERNELS[f"place_score, {placement.value}"] = (
        lambda i, p=placement: tensor_rewards.place_score(i.s, i.mask, placement=p),
        lambda i, p=placement: by_row(rewards.place_score)(i.s, i.mask, placement=p),
    )
for clip in (CLIP, DUAL):
    KERNELS[f"objectives, floor={clip.floor}"] = (
        lambda i, c=clip: tensor_losses.objectives(i.x + 1, i.y, i.mask, clip=c),
        lambda i, c=clip: by_row(losses.objectives)(shifted(i), i.y, i.mask, clip=c),
    )
    KERNELS[f"policy_losses, floor={clip.floor}"] = (
        lambda i, c=clip: tensor_losses.policy_losses(i.x + 1, i.y, i.mask, clip=c),
        lambda i, c=clip: by_row(losses.policy_losses)(shifted(i), i.y, i.mask, clip=c),
    )
KERNELS["clip_fraction"] = (
    lambda i: tensor_losses.clip_fraction(i.x + 1, i.y, i.mask, clip=CLIP),
    lambda i: flat(losses.clip_fraction)(shifted(i), i.y, i.mask, clip=CLIP),
)
KERNELS["floor_fraction"] = (
    lambda i: tensor_losses.floor_fraction(2 * (i.x + 1), i.y, i.mask, clip=DUAL),
    lambda i: flat(losses.floor_fraction)([[2 * x for x in row] for row in shifted(i)], i.y, i.mask, clip=DUAL),
)
for cliprange in (None, 0.5):
    KERNELS[f"value_errors, cliprange={cliprange}"] = (
        lambda i, c=cliprange: tensor_losses.value_errors(i.x, i.y, i.z, i.mask, cliprange=c),
        lambda i, c=cliprange: by_row(losses.value_errors)(i.x, i.y, i.z, i.mask, cliprange=c),
    )
    KERNELS[f"value_losses, cliprange={cliprange}"] = (
        lambda i, c=cliprange: tensor_losses.value_losses(i.x, i.y, i.z, i.mask, cliprange=c),
        lambda i, c=cliprange: by_row(losses.value_losses)(i.x, i.y, i.z, i.mask, cliprange=c),
    )
KERNELS["value_clip_fraction"] = (
    lambda i: tensor_losses.value_clip_fraction(i.x, i.y, i.z, i.mask, cliprange=0.5),
    lambda i: flat(losses.value_clip_fraction)(i.x, i.y, i.z, i.mask, cliprange=0.5),
)
for mode in Aggregation:
    KERNELS[f"aggregate, {mode.value}"] = (
        lambda i, m=mode: tensor_losses.aggregate(i.x, i.mask, m),
        lambda i, m=mode: losses.aggregate(i.x, i.mask, m),
    )
for name in ("td_errors", "mc_returns", "discounted_sum"):
    KERNELS[name] = (
        lambda i, n=name: getattr(tensor_kernels, n)(*series_of(n, i), i.mask, gamma=i.gamma),
        lambda i, n=name: getattr(batches, n)(*series_of(n, i), i.mask, gamma=i.gamma),
    )
for part, name in enumerate(("gae, advantages", "gae, targets")):
    KERNELS[name] = (
        lambda i, p=part: tensor_kernels.gae(i.x, i.y, i.mask, gamma=i.gamma, lam=i.lam)[p],
        lambda i, p=part: batches.gae(i.x, i.y, i.mask, gamma=i.gamma, lam=i.lam)[p],
    )
KERNELS["lambda_returns"] = (
    lambda i: tensor_kernels.lambda_returns(i.x, i.y, i.mask, gamma=i.gamma, lam=i.lam),
    lambda i: batches.lambda_returns(i.x, i.y, i.mask, gamma=i.gamma, lam=i.lam),
)
KERNELS["n_step_advantages"] = (
    lambda i: tensor_kernels.n_step_advantages(i.x, i.y, i.mask, gamma=i.gamma, n=3),
    lambda i: batches.n_step_advantages(i.x, i.y, i.mask, gamma=i.gamma, n=3),
)
for name in ("advantages_of", "critic_targets", "excess"):
    KERNELS[name] = (
        lambda i, n=name: getattr(tensor_kernels, n)(i.x, i.y, i.mask),
        lambda i, n=name: getattr(batches, n)(i.x, i.y, i.mask),
    )
KERNELS["total"] = (lambda i: tensor_kernels.total(i.x, i.mask), lambda i: batches.total(i.x, i.mask))
for name in ("mean_centred", "rloo_baselines"):
    KERNELS[name] = (
        lambda i, n=name: getattr(tensor_kernels, n)(i.s, i.groups),
        lambda i, n=name: getattr(batches, n)(i.s, i.groups),
    )
KERNELS["clipped_terms"] = (
    lambda i: tensor_losses.clipped_terms(i.x + 1, i.y, i.mask, clip=CLIP),
    lambda i: by_row(losses.clipped_terms)(shifted(i), i.y, i.mask, clip=CLIP),
)
KERNELS["clipped_values"] = (
    lambda i: tensor_losses.clipped_values(i.x, i.y, i.mask, cliprange=0.5),
    lambda i: by_row(losses.clipped_values)(i.x, i.y, i.mask, cliprange=0.5),
)

# The same for the kernels that see every position.
MASKLESS: dict[str, tuple[Call, Call]] = {
    "linear_scan": (
        lambda i: tensor_kernels.linear_scan(i.x, i.gamma),
        lambda i: by_row(sequences.mc_returns)(i.x, gamma=i.gamma),
    ),
    "everywhere": (
        lambda i: tensor_kernels.everywhere(gae, i.x, i.y),
        lambda i: batches.everywhere(gae, i.x, i.y),
    ),
    "critic_values": (lambda i: tensor_kernels.critic_values(i.x, 2), lambda i: batches.critic_values(i.x, 2)),
    "entropy_of_logits": (
        lambda i: tensor_kernels.entropy_of_logits(i.x),
        lambda i: [losses.entropy(softmax(row)) for row in i.x],
    ),
}
DISCOUNTING = [
    *("td_errors", "mc_returns", "discounted_sum", "gae, advantages", "gae, targets", "lambda_returns"),
    *("n_step_advantages", "linear_scan"),
]
# What gives places, not numbers.
PLACES: dict[str, Call] = {
    "last_valid": lambda i: tensor_kernels.last_valid(i.mask),
    "one_more": lambda i: tensor_kernels.one_more(i.mask),
    "same_group": lambda i: tensor_kernels.same_group(i.s),
}
