"""Responses drawn at random, exact: what an equation or an order between quantities is tried on."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from engine import formulas, ops, sequences

RATES = ("gamma", "lam")
LOGS = ("logp", "ref_logp", "old_logp", "new_logp")
COMPUTED = ("prob", "ref_prob", "old_prob", "new_prob", "ratio", "kl_values", "k1", "k2", "k3")
CONSTANTS = frozenset(["beta"])
POLICY = frozenset([*LOGS, *COMPUTED, *CONSTANTS, "action_values", "scores"])  # not of γ and λ alone
LENGTHS = (1, 2, 3, 4, 6)
DRAWS = 3  # responses of each length
RESPONSES = DRAWS * len(LENGTHS)


@dataclass(frozen=True)
class Where:
    """What is said of the responses: their γ and λ, lists that are zero throughout, one token only, which tokens."""

    rates: tuple[tuple[str, Fraction], ...] = ()
    zero: frozenset[str] = frozenset()
    single: bool = False  # responses of one token
    token: str = ""  # "first", "last" or "before" the last; else every one
    inner: bool = False  # γ or λ is said to lie strictly between 0 and 1
    meant: tuple[tuple[str, str], ...] = ()  # names that stand for other lists: an expectation, another policy

    def tokens(self, length: int) -> range:
        named = {"first": range(1), "last": range(length - 1, length), "before": range(length - 1)}
        return named.get(self.token, range(length))


EVERYWHERE = Where()


@dataclass(frozen=True)
class Response:
    """One response's lists, exact, with its γ and λ."""

    lists: Mapping[str, list[Any]]
    rates: Mapping[str, Fraction]

    @property
    def length(self) -> int:
        return len(self.lists["rewards"])


class OutsideError(Exception):
    """A token before the first one is asked for."""


Number = Any  # a fraction, or a float where there is an exp in it


def response(rewards: list[Fraction], values: list[Fraction], rates: Mapping[str, Fraction]) -> Response:
    gamma, lam = (rates[name] for name in RATES)
    deltas = sequences.deltas(rewards, values, gamma)
    advantages = sequences.gae_advantages(deltas, gamma, lam)
    mc_returns = sequences.mc_returns(rewards, gamma)
    lists = {
        "rewards": rewards,
        "values": values,
        "deltas": deltas,
        "advantages": advantages,
        "returns": sequences.critic_targets(advantages, values),
        "mc_returns": mc_returns,
        "mc_advantages": sequences.mc_advantages(mc_returns, values),
    }
    return Response(lists, rates)


@cache
def random_responses(where: Where) -> tuple[Response, ...]:
    """Responses from a seed, with other γ and λ each where these are not fixed."""
    chance = random.Random(0)
    found: list[Response] = []
    for length in (1,) if where.single else LENGTHS:
        for _ in range(DRAWS):
            free = {name: Fraction(chance.randint(1, 18), 19) for name in RATES}
            rewards, values = ([Fraction(chance.randint(-40, 40), 7) for _ in range(length)] for _ in range(2))
            for name, numbers in (("rewards", rewards), ("values", values)):
                if name in where.zero:
                    numbers[:] = [Fraction(0)] * length
            whole = response(rewards, values, {**free, **dict(where.rates)})
            lists = {**whole.lists, **_policy(chance, rewards)}
            lists |= _exact(random.Random(len(found)), values)
            found.append(replace(whole, lists={**lists, **{name: lists[other] for name, other in where.meant}}))
    return tuple(found)


def _policy(chance: random.Random, rewards: list[Fraction]) -> dict[str, list[Number]]:
    """Log-probabilities of the policies, as floats, what is computed of them, and the scores behind the rewards."""
    lists: dict[str, list[Number]] = {name: [-chance.randint(1, 40) / 13 for _ in rewards] for name in LOGS}
    pairs = list(zip(lists["logp"], lists["ref_logp"], strict=True))
    for name, estimate in (("k1", formulas.k1), ("k2", formulas.k2), ("k3", formulas.k3)):
        lists[name] = [estimate(*pair) for pair in pairs]
    for side in ("", "ref_", "old_", "new_"):
        lists[f"{side}prob"] = [ops.exp(x) for x in lists[f"{side}logp"]]
    lists["ratio"] = [formulas.ratio(*pair) for pair in zip(lists["new_logp"], lists["old_logp"], strict=True)]
    beta = chance.randint(1, 18) / 19
    lists |= {"kl_values": lists["k1"], "beta": [beta] * len(rewards)}
    lists["scores"] = [float(r) + beta * k for r, k in zip(rewards, lists["kl_values"], strict=True)]
    return lists


def _exact(chance: random.Random, values: list[Fraction]) -> dict[str, list[Number]]:
    """Q beside V, and the advantage that is meant where Q is spoken of."""
    known = [Fraction(chance.randint(-40, 40), 7) for _ in values]
    return {"action_values": known, "true_advantages": [q - v for q, v in zip(known, values, strict=True)]}
