"""Responses drawn at random, exact: what an equation or an order between quantities is tried on."""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from engine import formulas, ops, sequences

RATES = ("gamma", "lam")
LOGS = ("logp", "ref_logp", "old_logp", "new_logp")
COMPUTED = ("prob", "ref_prob", "old_prob", "new_prob", "ratio", "kl_values", "k1", "k2", "k3")
UPDATE = ("surrogate", "objective", "policy_loss", "vpreds", "old_values", "clipped_vf_loss", "vf_loss")
SPREAD = ("whitened", "group_advantages", "loo_advantages", "baselines")
CONSTANTS = frozenset(
    ["beta", "eps", "cliprange_value", "mean", "std", "std_population", "group_mean", "group_std", "count"]
)
POLICY = frozenset([*LOGS, *COMPUTED, *UPDATE, *SPREAD, *CONSTANTS, "action_values", "scores"])  # not of γ and λ alone
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
            lists |= _update(random.Random(len(found)), lists) | _spread(lists)
            lists |= _exact(random.Random(len(found)), lists, whole.rates["gamma"])
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


def _update(chance: random.Random, lists: Mapping[str, list[Number]]) -> dict[str, list[Number]]:
    """What one update computes: the clipped objective and the value loss, token by token."""
    eps, cliprange = (chance.randint(1, 18) / 19 for _ in range(2))
    steps = [(float(v), chance.randint(-40, 40) / 7, chance.randint(-40, 40) / 7) for v in lists["values"]]
    vpreds, old_values = [v + up for v, up, _ in steps], [v + up for v, _, up in steps]
    pairs = list(zip(lists["ratio"], map(float, lists["advantages"]), strict=True))
    objective = [formulas.ppo_objective(*pair, eps, eps) for pair in pairs]
    errors = list(zip(vpreds, old_values, map(float, lists["returns"]), strict=True))
    return {
        "eps": [eps] * len(pairs),
        "cliprange_value": [cliprange] * len(pairs),
        "surrogate": [formulas.surrogate_term(*pair) for pair in pairs],
        "objective": objective,
        "policy_loss": [-term for term in objective],
        "vpreds": vpreds,
        "old_values": old_values,
        "vf_loss": [formulas.value_loss_term(formulas.squared_error(new, ret)) for new, _, ret in errors],
        "clipped_vf_loss": [
            formulas.value_loss_term(formulas.value_error(new, old, ret, cliprange)) for new, old, ret in errors
        ],
    }


def _spread(lists: Mapping[str, list[Number]]) -> dict[str, list[Number]]:
    """Whitened advantages, and the rewards taken as those of a group; nothing where there is only one number."""
    length = len(lists["rewards"])
    if length == 1:
        names = (*SPREAD, "mean", "std", "std_population", "group_mean", "group_std", "count")
        return {name: [None] for name in names}
    rewards, advantages = ([float(x) for x in lists[name]] for name in ("rewards", "advantages"))
    mean, middle = (statistics.mean(xs) for xs in (advantages, rewards))
    std, width = (statistics.stdev(xs) for xs in (advantages, rewards))
    others = [formulas.leave_one_out(sum(rewards), reward, length) for reward in rewards]
    return {
        "mean": [mean] * length,
        "std": [std] * length,
        "std_population": [statistics.pstdev(advantages)] * length,
        "whitened": [(x - mean) / std if std else None for x in advantages],
        "group_mean": [middle] * length,
        "group_std": [width] * length,
        "count": [length] * length,
        "group_advantages": [(x - middle) / width if width else None for x in rewards],
        "baselines": others,
        "loo_advantages": [x - other for x, other in zip(rewards, others, strict=True)],
    }


def _exact(chance: random.Random, lists: Mapping[str, list[Number]], gamma: Fraction) -> dict[str, list[Number]]:
    """Q beside V, and the rewards that an exact critic expects, given the state, and the token or not."""
    values = lists["values"]
    later = [*values[1:], Fraction(0)]
    known = [Fraction(chance.randint(-40, 40), 7) for _ in values]
    return {
        "action_values": known,
        "true_advantages": [q - v for q, v in zip(known, values, strict=True)],
        "zero": [Fraction(0)] * len(values),
        "rewards_of_token": [q - gamma * v for q, v in zip(known, later, strict=True)],
        "rewards_of_state": [v - gamma * after for v, after in zip(values, later, strict=True)],
    }


GIVEN_TOKEN = (  # what is expected given the state and the token
    ("deltas", "true_advantages"),
    ("advantages", "true_advantages"),
    ("mc_advantages", "true_advantages"),
    ("mc_returns", "action_values"),
    ("returns", "action_values"),
    ("rewards", "rewards_of_token"),
)
GIVEN_STATE = (
    ("deltas", "zero"),
    ("advantages", "zero"),
    ("mc_advantages", "zero"),
    ("mc_returns", "values"),
    ("returns", "values"),
    ("action_values", "values"),
    ("rewards", "rewards_of_state"),
)
