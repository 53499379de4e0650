"""Small worlds in which every way a response can go is known: exact means and variances of an estimator, and samples.

A world's numbers are dyadic, so that floats hold them exactly and the exact reading reads what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any

from engine import formulas
from engine.facts import Inputs, Program
from engine.ops import Number
from engine.proofs.programs import expected

Row = tuple[float, ...]


@dataclass(frozen=True)
class World:
    """Every way a response can go: how probable it is, what it earns by token, and what the critic says along it."""

    probabilities: Row
    rewards: tuple[Row, ...]
    values: tuple[Row, ...]

    @property
    def length(self) -> int:
        return len(self.rewards[0])


def walk(
    length: int, *, step: float, start: float = 0.5, error: float = 0.0, fade: float = 1.0, first: int | None = None
) -> World:
    """Each token moves the outlook up or down by `step`, at even odds; the outlook reached is the last token's reward.

    So the exact V is the outlook, and the exact δ_t is ±step. The critic says the outlook, but after token 0 it is off
    by `error`, and after every further token by `fade` of that. With `first` token 0 is given: 1 (up) or −1.
    """
    ways = [signs for signs in product((1, -1), repeat=length) if first in (None, signs[0])]
    outlooks = [[start + step * sum(signs[:t]) for t in range(length + 1)] for signs in ways]
    errors = [0.0, *value_errors(length, error, fade)]
    return World(
        probabilities=even(len(ways)),
        rewards=tuple((*(0.0 for _ in range(length - 1)), outlook[-1]) for outlook in outlooks),
        values=tuple(tuple(v + e for v, e in zip(outlook[:-1], errors, strict=True)) for outlook in outlooks),
    )


def blind(world: World) -> World:
    """The same responses before a critic that says of every state what it says of the first."""
    return replace(world, values=tuple((row[0],) * world.length for row in world.values))


def value_errors(length: int, error: Number, fade: Number) -> list[Number]:
    """How far the critic is off after token 0, after token 1, … before the last."""
    return [formulas.discounted(error, fade, k) for k in range(length - 1)]


def coins(length: int, *, size: float = 1.0) -> World:
    """Every token earns ±size at even odds, and the critic always says 0."""
    ways = tuple(product((size, -size), repeat=length))
    return World(even(len(ways)), ways, tuple((0.0,) * length for _ in ways))


def one_coin(length: int, *, size: float = 1.0) -> World:
    """Only the last token earns anything, 0 or twice `size` at even odds, and the critic always says the mean of it."""
    rewards = tuple((*(0.0 for _ in range(length - 1)), last) for last in (2 * size, 0.0))
    return World(even(2), rewards, ((size,) * length,) * 2)


def wild_critic(*, swing: float) -> World:
    """Nothing is left to chance but the first token, and every response earns 1: yet the critic swings by it."""
    return World(even(2), ((0.0, 1.0),) * 2, ((1.0, 1.0 + swing), (1.0, 1.0 - swing)))


def even(count: int) -> Row:
    return (1 / count,) * count


def sampled(world: World, draws: int, seed: int = 0) -> World:
    """The same world as so many draws show it: probabilities become frequencies."""
    random = Random(seed)
    counts = Counter(random.choices(range(len(world.rewards)), world.probabilities, k=draws))
    return replace(world, probabilities=tuple(counts[i] / draws for i in range(len(world.rewards))))


# ---------------------------------------------------------------- programs over a reading


def spread(world: World, lams: Sequence[float], *, gamma: float = 1.0) -> Program:
    """Mean and variance of A_0 over all ways, for each λ."""

    def program(x: Inputs) -> dict[str, Any]:
        by_lam = [_moments(x, world, x.number("gamma", gamma), x.number("lam", lam)) for lam in lams]
        return {"lams": [x.number("lam", lam) for lam in lams], "mean": _each(by_lam, 0), "variance": _each(by_lam, 1)}

    return program


def _moments(x: Inputs, world: World, gamma: Number, lam: Number) -> tuple[Number, Number]:
    rewards, values = x.series("rewards", world.rewards), x.series("values", world.values)
    mask = x.series("mask", tuple((1.0,) * world.length for _ in world.rewards))
    found, _ = x.on.gae(rewards, values, mask, gamma=gamma, lam=lam)
    p = [x.number("probability", share) for share in world.probabilities]
    mean = expected(p, lambda i: found[i][0])
    return mean, expected(p, lambda i: formulas.squared_error(found[i][0], mean))


def _each(rows: Sequence[Sequence[Any]], i: int) -> list[Any]:
    return [row[i] for row in rows]


def noise_of_later_tokens(variance: Number, count: int, gamma: Number, lam: Number, *, own: bool = False) -> Number:
    """Σ (γλ)^{2m} σ²: the variance of A_t when each of the `count` tokens from t on brings independent news.

    Without `own` token t itself is given, and only those after it vary.
    """
    weight = (gamma * lam) ** 2
    return sum((formulas.discounted(variance, weight, m) for m in range(0 if own else 1, count)), 0 * variance)


def bias_of_later_values(errors: Sequence[Number], gamma: Number, lam: Number) -> Number:
    """Σ (1−λ) λ^{n−1} γ^n e_n: what a critic that is off by e_1, e_2, … after token t does to A_t."""
    terms = (formulas.discounted(formulas.mixture_weight(n, lam) * e, gamma, n) for n, e in enumerate(errors, start=1))
    return sum(terms, 0 * lam)
