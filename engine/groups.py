"""Advantages without a critic: responses are compared with their group, or with a baseline.

A group is the responses to one prompt. Scores and groups have one entry per response.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from engine import formulas
from engine.errors import EngineError
from engine.masks import Mask, each_valid
from engine.ops import Number, named, sqrt
from engine.sequences import Row
from engine.statistics import masked_mean, masked_variance, total, whiten_batch

GRPO_EPSILON = Fraction(1, 10**6)  # verl's, beside the root


def _together(scores: Row, groups: Sequence[Hashable]) -> list[list[Number]]:
    """For every response the scores of its group."""
    gathered: dict[Hashable, list[Number]] = {}
    for score, group in zip(scores, groups, strict=True):
        gathered.setdefault(group, []).append(score)
    for group, members in gathered.items():
        if len(members) == 1:
            raise EngineError("group_of_one", group=group)
    return [gathered[group] for group in groups]


T = TypeVar("T")


def _once(found: Callable[[list[Number]], T], members: Sequence[list[Number]]) -> list[T]:
    """What is computed from a group's scores, for every response and once for every group."""
    kept: dict[int, T] = {}
    for group in members:
        if id(group) not in kept:
            kept[id(group)] = found(group)
    return [kept[id(group)] for group in members]


def _mean_and_std(group: list[Number], *, sample: bool) -> tuple[Number, Number]:
    everyone = [1] * len(group)
    mean = named(masked_mean(group, everyone), "mean")
    return mean, named(sqrt(masked_variance(group, everyone, sample=sample)), "std")


def mean_centred(scores: Row, groups: Sequence[Hashable]) -> list[Number]:
    """The score less its group's mean: GRPO without the division (Dr. GRPO)."""
    members = _together(scores, groups)
    sums = _once(total, members)
    return [
        formulas.advantage(score, named(formulas.mean(whole, len(group)), "baselines", i))
        for i, (score, group, whole) in enumerate(zip(scores, members, sums, strict=True))
    ]


def grpo(
    scores: Row,
    groups: Sequence[Hashable],
    *,
    divide_by_std: bool = True,
    sample: bool = True,
    epsilon: Number = GRPO_EPSILON,
) -> list[Number]:
    """One advantage per response: how far its score is from the group's mean, in standard deviations if asked."""
    if not divide_by_std:
        return mean_centred(scores, groups)
    measured = _once(partial(_mean_and_std, sample=sample), _together(scores, groups))
    return [
        formulas.standardise(score, mean, std, epsilon) for score, (mean, std) in zip(scores, measured, strict=True)
    ]


def rloo_baselines(scores: Row, groups: Sequence[Hashable]) -> list[Number]:
    """For each response the mean score of the others in its group."""
    members = _together(scores, groups)
    sums = _once(total, members)
    return [
        named(formulas.leave_one_out(whole, score, len(group)), "baselines", i)
        for i, (score, group, whole) in enumerate(zip(scores, members, sums, strict=True))
    ]


def rloo(scores: Row, groups: Sequence[Hashable]) -> list[Number]:
    """The score less the mean of the others."""
    pairs = zip(scores, rloo_baselines(scores, groups), strict=True)
    return [formulas.advantage(score, baseline) for score, baseline in pairs]


def share(advantages: Row, masks: Sequence[Mask]) -> list[list[Any]]:
    """Every valid token gets its response's advantage, None elsewhere."""
    return [[a if m else None for m in mask] for a, mask in zip(advantages, masks, strict=True)]


def reinforce_plus_plus(returns: Sequence[Row], masks: Sequence[Mask], **choices: Any) -> list[list[Any]]:
    """The returns (sequences.mc_returns over the valid tokens), whitened over the batch."""
    return whiten_batch(returns, masks, **choices)


def reinforce_plus_plus_baseline(
    scores: Row, groups: Sequence[Hashable], masks: Sequence[Mask], **choices: Any
) -> list[list[Any]]:
    """The group's mean is the baseline; what is left is shared by the tokens and whitened over the batch."""
    return whiten_batch(share(mean_centred(scores, groups), masks), masks, **choices)


def remax(returns: Row, baseline: Number, mask: Mask) -> list[Any]:
    """The return from each token on less the score of the greedy response."""
    return each_valid(lambda t, g: named(formulas.advantage(g, baseline), "advantages", t), mask, returns)
