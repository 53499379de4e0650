"""Small worlds in which everything is known, as statements name them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from engine.chance import World, blind, coins, one_coin, spread, walk, wild_critic
from engine.facts import Program, exact_facts
from engine.fork import small_world as fork
from engine.kl_samples import Vocabulary, estimates, pulls
from engine.one_token import OneToken, outlook
from engine.scenario import Scenario
from engine.statements.given import EMPTY, Given, Value
from engine.world import World as SmallWorld
from engine.world import small

HALF, ONE = Fraction(1, 2), Fraction(1)


def moments(world: World, lams: Value, gamma: Value = 1) -> dict[str, Value]:
    """Mean and variance of A_0 over all ways, by λ."""
    return exact_facts(_spread(world, tuple(map(float, lams)), float(gamma)), Scenario())


def courses(world: World) -> list[Given]:
    """Every way that a response can go, with what the critic says along it; γ and λ are 1."""
    rows = zip(world.rewards, world.values, strict=True)
    return [EMPTY.with_parts({"rewards": r, "values": v}) for r, v in rows]


def small_world(chance: Value = HALF, gamma: Value = ONE) -> list[Given]:
    """Every response of engine.world.small with the exact V along it; `chance` is that of token 0, in any state."""
    world = _small(chance, gamma)
    rows = ((world.rewards_along(one), world.values_along(one)) for one in world.responses)
    return [EMPTY.with_parts({"rewards": r, "values": v, "gamma": gamma}) for r, v in rows]


def small_q(*path: Value, chance: Value = HALF) -> Value:
    """The exact Q there of the last of these tokens, after those before it."""
    *before, token = map(int, path)
    return _small(chance, ONE).q(tuple(before), token)


def _small(chance: Value, gamma: Value) -> SmallWorld:
    return replace(small(lambda _name, x: Fraction(repr(x))), chances=(chance, 1 - chance), gamma=gamma)


def one_token(probabilities: Value, rewards: Value, next_values: Value, gamma: Value = 1) -> dict[str, Value]:
    lists = (tuple(map(float, xs)) for xs in (probabilities, rewards, next_values))
    return exact_facts(_outlook(OneToken(*lists), float(gamma)), Scenario())


def kl_samples(policy: Value, reference: Value) -> dict[str, Value]:
    """What each KL estimator says of each token, with its mean and variance, the divergence, and how each pulls."""
    vocabulary = Vocabulary(tuple(map(float, policy)), tuple(map(float, reference)))
    return {**exact_facts(_pulls(vocabulary), Scenario()), **exact_facts(_estimates(vocabulary), Scenario())}


# A program is told from another by which object it is: the same world keeps its own, so that its facts are found again.
_estimates, _pulls = lru_cache(maxsize=64)(estimates), lru_cache(maxsize=64)(pulls)


@lru_cache(maxsize=64)
def _spread(world: World, lams: tuple[float, ...], gamma: float) -> Program:
    return spread(world, lams, gamma=gamma)


@lru_cache(maxsize=64)
def _outlook(world: OneToken, gamma: float) -> Program:
    return outlook(world, gamma)


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    """Worlds are made of floats, which hold their dyadic numbers exactly; counts stay whole."""

    def plain(x: Value) -> Value:
        return float(x) if isinstance(x, Fraction) and x.denominator > 1 else int(x) if isinstance(x, Fraction) else x

    return lambda *xs, **named: function(*map(plain, xs), **{name: plain(x) for name, x in named.items()})


WORLDS: Mapping[str, Callable[..., Any]] = {
    **{function.__name__: _of_floats(function) for function in (walk, coins, one_coin, wild_critic)},
    "blind": blind,
    "moments": moments,
    "courses": courses,
    "small_world": small_world,
    "small_q": small_q,
    "one_token": one_token,
    "kl_samples": kl_samples,
    "fork": lambda: fork().exact,
}
