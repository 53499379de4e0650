"""The functions of statements: a few of lists, and the formulas, definitions and small worlds of the engine by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import pairwise
from typing import Any

from engine import ops
from engine.chance import World, blind, coins, one_coin, spread, walk, wild_critic
from engine.drift import earned, promised
from engine.facts import Program, exact_facts
from engine.one_token import OneToken, outlook
from engine.readings.exact import IrrationalError
from engine.scenario import Scenario
from engine.statements.given import EMPTY, Given, Value, decimal
from engine.statements.same import less, same
from engine.world import small

# ---------------------------------------------------------------- of lists


def mean(xs: Sequence[Value]) -> Value:
    return total(xs) * Fraction(1, len(xs))


def total(xs: Sequence[Value]) -> Value:
    return sum(xs[1:], xs[0]) if xs and not isinstance(xs[0], bool) else sum(xs)


def variance(xs: Sequence[Value]) -> Value:
    """Of the whole, not of a sample."""
    middle = mean(xs)
    return mean([(x - middle) ** 2 for x in xs])


def discounted(xs: Sequence[Value], rate: Value) -> Value:
    """Each term with its own power of the rate."""
    return total([x * rate**k for k, x in enumerate(xs)])


def rank(xs: Sequence[Value]) -> list[int]:
    """The places, from that of the smallest to that of the largest."""
    return sorted(range(len(xs)), key=lambda k: float(xs[k]))


def distinct(xs: Sequence[Value]) -> int:
    """How many different ones there are."""
    found: list[Value] = []
    for x in xs:
        if not any(same(x, other) for other in found):
            found.append(x)
    return len(found)


def rises(xs: Sequence[Value]) -> bool:
    return all(less(a, b) for a, b in pairwise(xs))


def falls(xs: Sequence[Value]) -> bool:
    return all(less(b, a) for a, b in pairwise(xs))


def sign(x: Value) -> int:
    return less(0, x) - less(x, 0)


def following(xs: Sequence[Value]) -> list[Value]:
    """At every token what the next one has: 0 at the last."""
    return [*xs[1:], 0 * xs[-1]]


def digits(x: Value, count: Value) -> Value:
    """x as a number with so many digits behind the point."""
    if isinstance(x, list):
        return [digits(y, count) for y in x]
    return round(float(x), int(count)) + 0.0


def significant(x: Value, count: Value) -> Value:
    return [significant(y, count) for y in x] if isinstance(x, list) else float(f"{float(x):.{int(count)}g}")


def choose(condition: Value, a: Value, b: Value) -> Value:
    return a if condition else b


def ordered(xs: Sequence[Value]) -> list[Value]:
    return sorted(xs)


def backwards(xs: Sequence[Value]) -> list[Value]:
    return list(reversed(xs))


def whole(x: Value) -> Value:
    return [whole(y) for y in x] if isinstance(x, list) else int(x)


def every(xs: Sequence[Value]) -> bool:
    return all(xs)


def first_response(xs: Sequence[Value]) -> Sequence[Value]:
    """Of a batch's rows the first."""
    return xs[0] if isinstance(xs[0], list) else xs


def largest(*xs: Value) -> Value:
    return max(*xs)


def smallest(*xs: Value) -> Value:
    return min(*xs)


# ---------------------------------------------------------------- of small worlds


def moments(world: World, lams: Value, gamma: Value = 1) -> dict[str, Value]:
    """Mean and variance of A_0 over all ways, by λ."""
    return dict(_program(_spread(world, tuple(map(float, lams)), float(gamma))))


def courses(world: World) -> list[Given]:
    """Every way that a response can go, with what the critic says along it; γ and λ are 1."""
    rows = zip(world.rewards, world.values, strict=True)
    return [EMPTY.with_parts({"rewards": r, "values": v}) for r, v in rows]


def small_world() -> list[Given]:
    """Every response of engine.world.small, all equally likely, with the exact V along it."""
    world = small(lambda _name, x: Fraction(repr(x)))
    rows = ((world.rewards_along(one), world.values_along(one)) for one in world.responses)
    return [EMPTY.with_parts({"rewards": r, "values": v}) for r, v in rows]


def small_q(*path: Value) -> Value:
    """The exact Q there of the last of these tokens, after those before it."""
    *before, token = map(int, path)
    return small(lambda _name, x: Fraction(repr(x))).q(tuple(before), token)


def one_token(probabilities: Value, rewards: Value, next_values: Value, gamma: Value = 1) -> dict[str, Value]:
    lists = (tuple(map(float, xs)) for xs in (probabilities, rewards, next_values))
    return dict(_program(_outlook(OneToken(*lists), float(gamma))))


@lru_cache(maxsize=64)
def _spread(world: World, lams: tuple[float, ...], gamma: float) -> Program:
    return spread(world, lams, gamma=gamma)


@lru_cache(maxsize=64)
def _outlook(world: OneToken, gamma: float) -> Program:
    return outlook(world, gamma)


def _program(program: Program) -> dict[str, Value]:
    return exact_facts(program, Scenario())


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    """Worlds are made of floats, which hold their dyadic numbers exactly; counts stay whole."""

    def plain(x: Value) -> Value:
        return float(x) if isinstance(x, Fraction) and x.denominator > 1 else int(x) if isinstance(x, Fraction) else x

    return lambda *xs, **named: function(*map(plain, xs), **{name: plain(x) for name, x in named.items()})


_OWN: Mapping[str, Callable[..., Any]] = {
    "sum": total, "mean": mean, "var": variance, "discounted": discounted, "rank": rank, "distinct": distinct,
    "rises": rises, "falls": falls, "sign": sign, "next": following, "round": digits, "significant": significant,
    "choose": choose, "sorted": ordered, "reversed": backwards, "whole": whole, "every": every, "any": any,
    "max": largest, "min": smallest, "len": len, "abs": abs, "float": float, "exp": ops.exp, "log": ops.log,
    "sqrt": ops.sqrt, "moments": moments, "courses": courses, "one_token": one_token, "promised": promised,
    "earned": earned, "blind": blind, "small_world": small_world, "first_response": first_response, "small_q": small_q,
    **{function.__name__: _of_floats(function) for function in (walk, coins, one_coin, wild_critic)},
}  # fmt: skip
_LIBRARY = {  # module → what of it can be named
    "formulas": (
        "k1", "k2", "k3", "abs_kl", "token_reward", "td_error", "gae_step", "mc_step", "horizon", "mixture_weight",
        "tail_weight", "sample_variance", "leave_one_out", "surrogate_term", "clipped_term", "ppo_objective",
        "dual_clip_objective", "is_clipped", "is_floored", "approx_kl", "clip_value", "squared_error", "value_error",
        "is_value_clipped", "value_loss_term", "critic_target", "adaptive_kl_coefficient", "entropy_term",
    ),
    "sequences": ("mixture_weights", "n_step_advantages", "n_step_return", "lambda_returns"),
    "statistics": ("masked_mean", "masked_variance"),
    "losses": ("entropy",),
}  # fmt: skip


def _from(module: str, name: str) -> Callable[..., Any]:
    """A function of the engine, on fractions, or on 50 digits where it leaves them."""

    def call(*xs: Value, **named: Value) -> Value:
        return getattr(import_module(f"engine.{module}"), name)(*xs, **named)

    return call


def _whole_counts(x: Value) -> Value:
    return int(x) if isinstance(x, Fraction) and x.denominator == 1 else x


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: _from(module, name) for module, names in _LIBRARY.items() for name in names},
    **_OWN,
}
_COUNTED = {"mixture_weights", "n_step_return", "tail_weight", "mixture_weight"}  # take places and lengths


def call(name: str, xs: Sequence[Value], named: Mapping[str, Value]) -> Value:
    function = FUNCTIONS[name]
    if name in _COUNTED:
        xs = [_whole_counts(x) if k != len(xs) - 1 or name == "n_step_return" else x for k, x in enumerate(xs)]
    try:
        return function(*xs, **named)
    except IrrationalError:
        return function(*map(decimal, xs), **{key: decimal(x) for key, x in named.items()})
