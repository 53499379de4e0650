"""The definitions over one response, token by token, on any kind of number.

Each function walks the response with the scalar formulas; nothing is computed in another way. It takes lists of
one reading's numbers (exact, symbols, worked, or a batch's tensor columns) and gives lists. Position t of every
list belongs to response token t; V after the last token is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine import formulas
from engine.ops import Number, boundary, named

Row: TypeAlias = Sequence[Number]


def _backwards(step: Callable[[int, Number], Number], like: Number, length: int, quantity: str) -> list[Number]:
    """The recursion x_t = step(t, x_{t+1}) from x_T = 0."""
    following = boundary(like, quantity, length)
    found = []
    for t in reversed(range(length)):
        following = named(step(t, following), quantity, t)
        found.append(following)
    return found[::-1]


def next_values(values: Row) -> list[Number]:
    """V_{t+1} at every t: 0 after the last token."""
    return [*values[1:], boundary(values[-1], "values", len(values))]


def deltas(rewards: Row, values: Row, gamma: Number) -> list[Number]:
    rows = zip(rewards, values, next_values(values), strict=True)
    return [named(formulas.td_error(r, v, v_next, gamma), "deltas", t) for t, (r, v, v_next) in enumerate(rows)]


def gae_advantages(deltas: Row, gamma: Number, lam: Number) -> list[Number]:
    return _backwards(
        lambda t, after: formulas.gae_step(deltas[t], after, gamma, lam), deltas[-1], len(deltas), "advantages"
    )


def mc_returns(rewards: Row, gamma: Number) -> list[Number]:
    return _backwards(
        lambda t, after: formulas.mc_step(rewards[t], after, gamma), rewards[-1], len(rewards), "mc_returns"
    )


def lambda_returns(rewards: Row, values: Row, gamma: Number, lam: Number) -> list[Number]:
    following = next_values(values)

    def step(t: int, after: Number) -> Number:
        return formulas.lambda_return_step(rewards[t], following[t], after, gamma, lam)

    return _backwards(step, rewards[-1], len(rewards), "returns")


def critic_targets(advantages: Row, values: Row) -> list[Number]:
    pairs = zip(advantages, values, strict=True)
    return [named(formulas.critic_target(a, v), "returns", t) for t, (a, v) in enumerate(pairs)]


def mc_advantages(returns: Row, values: Row) -> list[Number]:
    pairs = zip(returns, values, strict=True)
    return [named(formulas.advantage(g, v), "mc_advantages", t) for t, (g, v) in enumerate(pairs)]


def n_step_return(rewards: Row, values: Row, gamma: Number, t: int, n: int) -> Number:
    """n rewards from token t on, then V: the discounted sum started from the value it meets."""
    end = min(t + n, len(rewards))
    total = values[end] if end < len(values) else boundary(values[-1], "values", len(values))
    for reward in reversed(rewards[t:end]):
        total = formulas.mc_step(reward, total, gamma)
    return total


def n_step_advantages(rewards: Row, values: Row, gamma: Number, t: int = 0) -> list[Number]:
    """A^(n) at token t for n = 1 … T − t."""
    steps = range(1, len(rewards) - t + 1)
    return [formulas.advantage(n_step_return(rewards, values, gamma, t, n), values[t]) for n in steps]


def advantages_of_n_steps(rewards: Row, values: Row, gamma: Number, n: int) -> list[Number]:
    """A^(n) at every token for one n; where fewer than n tokens are left it takes those."""
    tokens = range(len(rewards))
    return [formulas.advantage(n_step_return(rewards, values, gamma, t, n), values[t]) for t in tokens]


def mixture_weights(length: int, lam: Number) -> list[Number]:
    """What GAE takes of each n-step advantage: geometric, with all that is left on the longest."""
    return [formulas.mixture_weight(n, lam) for n in range(1, length)] + [formulas.tail_weight(length, lam)]


def discounted_sum(terms: Row, gamma: Number) -> Number:
    """Σ γ^k x_k, each term with its own power."""
    total = terms[0]
    for k, term in enumerate(terms[1:], start=1):
        total = total + formulas.discounted(term, gamma, k)
    return total
