"""The functions of statements: a few of lists, the small worlds, and formulas and definitions of the engine by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from typing import Any

from engine import ops
from engine.readings.exact import IrrationalError
from engine.statements.given import Value, decimal
from engine.statements.same import less, same
from engine.statements.worlds import WORLDS


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


def backwards(xs: Sequence[Value]) -> list[Value]:
    return list(reversed(xs))


def whole(x: Value) -> Value:
    return [whole(y) for y in x] if isinstance(x, list) else int(x)


def magnitude(x: Value) -> Value:
    return [magnitude(y) for y in x] if isinstance(x, list) else abs(x)


def plain(x: Value) -> Value:
    return [plain(y) for y in x] if isinstance(x, list) else float(x)


def median(xs: Sequence[Value]) -> Value:
    middle = sorted(xs)
    return (middle[(len(xs) - 1) // 2] + middle[len(xs) // 2]) * Fraction(1, 2)


def flat(rows: Sequence[Sequence[Value]]) -> list[Value]:
    """The rows of a batch in one list; of a single response its own."""
    return [x for row in rows for x in row] if isinstance(rows[0], list) else list(rows)


def first_response(xs: Sequence[Value]) -> Sequence[Value]:
    """Of a batch's rows the first."""
    return xs[0] if isinstance(xs[0], list) else xs


_OF_LISTS: Mapping[str, Callable[..., Any]] = {
    "sum": total, "mean": mean, "var": variance, "discounted": discounted, "rank": rank, "distinct": distinct,
    "rises": rises, "falls": falls, "sign": sign, "next": following, "round": digits, "significant": significant,
    "choose": choose, "sorted": sorted, "reversed": backwards, "whole": whole, "every": all, "any": any, "max": max,
    "min": min, "len": len, "abs": magnitude, "float": plain, "exp": ops.exp, "log": ops.log, "sqrt": ops.sqrt,
    "median": median, "flat": flat, "first_response": first_response, "product": math.prod,
}  # fmt: skip
# The engine's own, by module: a formula, a definition over a list.
_LIBRARY: Mapping[str, tuple[str, ...]] = {
    "formulas": (
        "k1", "k2", "k3", "k3_clamped", "abs_kl", "token_reward", "td_error", "gae_step", "mc_step", "horizon",
        "mixture_weight", "tail_weight", "sample_variance", "leave_one_out", "surrogate_term", "clipped_term",
        "ppo_objective", "dual_clip_objective", "is_clipped", "is_floored", "approx_kl", "clip_value", "squared_error",
        "value_error", "is_value_clipped", "value_loss_term", "critic_target", "adaptive_kl_coefficient",
        "entropy_term", "standardise",
    ),
    "groups": (
        "grpo", "rloo", "rloo_baselines", "mean_centred", "share", "remax", "reinforce_plus_plus",
        "reinforce_plus_plus_baseline",
    ),
    "sequences": ("mixture_weights", "n_step_advantages", "n_step_return", "lambda_returns"),
    "statistics": ("masked_mean", "masked_variance", "whiten"),
    "losses": ("entropy",),
    "rewards": ("place_score", "kl_penalties", "token_rewards"),
    "slices": ("causal", "cut", "sees"),
    "drift": ("promised", "earned"),
    "coin_groups": ("batch_variance", "dropped"),
}  # fmt: skip
_COUNTED = frozenset({"sequences", "slices", "coin_groups"})  # take places, lengths and counts


def _from(module: str, name: str) -> Callable[..., Any]:
    def function(*xs: Value, **named: Value) -> Value:
        found = getattr(import_module(f"engine.{module}"), name)
        return found(*map(counted, xs), **named) if module in _COUNTED else found(*xs, **named)

    return function


def counted(x: Value) -> Value:
    """A whole number as Python counts."""
    return int(x) if isinstance(x, Fraction) and x.denominator == 1 else x


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: _from(module, name) for module, names in _LIBRARY.items() for name in names},
    **WORLDS,
    **_OF_LISTS,
}


def call(name: str, xs: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """On fractions; on 50 digits where the function leaves them, or meets both."""
    try:
        return FUNCTIONS[name](*xs, **named)
    except (IrrationalError, TypeError):
        return FUNCTIONS[name](*map(decimal, xs), **{key: decimal(x) for key, x in named.items()})
