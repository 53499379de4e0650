"""Groups of responses that are right or wrong like coins, counted through: how steady a policy's step on them is.

The policy has one logit a prompt, so that ∂log π is 1 − p for a right response and −p for a wrong one; a group's step
is the mean of that by the leave-one-out advantages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod, sqrt

from engine import formulas, groups

NONE = Fraction(0)


@dataclass(frozen=True)
class Group:
    """One way a group can come out: how likely it is, its step, and whether any advantage differs from zero."""

    likely: Fraction
    step: Fraction
    tells: bool


@dataclass(frozen=True)
class Moments:
    mean: Fraction
    variance: Fraction

    @property
    def steadiness(self) -> float:
        """The mean in standard deviations."""
        return float(self.mean) / sqrt(self.variance)


def ways(chance: Fraction, costs: Sequence[Fraction]) -> Iterator[Group]:
    """Every way a group can come out whose responses are right with this chance and pay a cost each, as for length."""
    for rights in product((0, 1), repeat=len(costs)):
        likely = prod((chance if right else 1 - chance for right in rights), start=Fraction(1))
        advantages = groups.rloo([right - cost for right, cost in zip(rights, costs, strict=True)], [0] * len(costs))
        steps = [a * (right - chance) for a, right in zip(advantages, rights, strict=True)]
        yield Group(likely, Fraction(formulas.mean(sum(steps, NONE), len(steps))), any(advantages))


def moments(all_of: Sequence[Group]) -> Moments:
    whole = sum((group.likely for group in all_of), NONE)
    mean = sum((group.likely * group.step for group in all_of), NONE) / whole
    squares = sum((group.likely * formulas.squared_error(group.step, mean) for group in all_of), NONE)
    return Moments(mean, squares / whole)


def batch_variance(chances: Sequence[Fraction], size: int, budget: int) -> Fraction:
    """Of a batch's mean step, when `budget` responses are spent on groups of `size`, each to a prompt drawn anew."""
    all_of = [
        Group(way.likely / len(chances), way.step, way.tells)
        for chance in chances
        for way in ways(chance, [NONE] * size)
    ]
    return moments(all_of).variance / (budget // size)


@dataclass(frozen=True)
class Dropped:
    """What dropping the silent groups, and sampling others, does."""

    silent: Fraction  # how likely a group is silent
    plain: float  # how steady a group's step is, of all groups
    kept: float  # and of those that tell

    @property
    def generated(self) -> Fraction:
        """Groups that must be generated for one that tells."""
        return 1 / (1 - self.silent)


def dropped(chance: Fraction, costs: Sequence[Fraction]) -> Dropped:
    all_of = list(ways(chance, costs))
    telling = [group for group in all_of if group.tells]
    silent = 1 - sum((group.likely for group in telling), NONE)
    return Dropped(silent, moments(all_of).steadiness, moments(telling).steadiness)
