"""The lists of one response that are known so far, and every list that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from engine import sequences
from engine.example import RUNNING
from engine.statistics import total

Row = Sequence[Any]
_ROWS = ("rewards", "values", "deltas", "advantages")
LONGEST = 64  # tokens


@dataclass(frozen=True)
class Basis:
    """What was given, by name, and γ and λ as they were last set."""

    lists: Mapping[str, tuple[Fraction, ...]]
    gamma: Fraction | None = None
    lam: Fraction | None = None
    product: Fraction | None = None  # γλ, where only that is said

    @property
    def length(self) -> int:
        return max(map(len, self.lists.values()), default=0)

    @property
    def sound(self) -> bool:
        return len({len(row) for row in self.lists.values()}) == 1 and 0 < self.length <= LONGEST

    def having(self, name: str, row: tuple[Fraction, ...]) -> Basis:
        return replace(self, lists={**self.lists, name: row})

    def of(self, name: str) -> list[Any] | None:
        """The fact of that name for every token; None where it takes what is not there."""
        there = self.lists.get(name)
        found = list(there) if there is not None else self.derived(name)
        return None if found is None else list(found)

    def derived(self, name: str) -> Row | None:
        """What follows under that name from the lists of other names."""
        return _FOLLOW[name](self) if name in _FOLLOW else None

    @property
    def discount(self) -> Fraction:
        return Fraction(1) if self.gamma is None else self.gamma

    @property
    def decay(self) -> Fraction | None:
        """γλ; None where λ was not set."""
        if self.product is not None:
            return self.product
        return None if self.lam is None else self.discount * self.lam


def known(given: Mapping[str, Any]) -> Basis | None:
    """The lists of one response, with the rates that were given beside them, or else the example's."""
    lists = {
        name: tuple(Fraction(str(x)) for x in row)
        for name, row in given.items()
        if name in _ROWS and isinstance(row, list) and row and not any(isinstance(x, list | None) for x in row)
    }
    rates = {"gamma": RUNNING.gamma, "lam": RUNNING.lam, **given}
    return Basis(lists, *(Fraction(str(rates[name])) for name in ("gamma", "lam"))) if lists else None


def _deltas(basis: Basis) -> Row | None:
    rewards, values = basis.lists.get("rewards"), basis.lists.get("values")
    if rewards is None or values is None or (basis.product is not None and basis.gamma is None):
        return None
    return sequences.deltas(rewards, values, basis.discount)


def _advantages(basis: Basis) -> Row | None:
    deltas, decay = basis.of("deltas"), basis.decay
    if deltas is not None:
        alone = Fraction(0) if len(deltas) == 1 else None  # nothing comes after it
        weight = alone if decay is None else decay
        return None if weight is None else sequences.gae_advantages(deltas, weight, Fraction(1))
    returns, values = basis.lists.get("returns"), basis.lists.get("values")
    return None if returns is None or values is None else sequences.mc_advantages(returns, values)


def _mc_returns(basis: Basis) -> Row | None:
    rewards = basis.lists.get("rewards")
    if rewards is None or (basis.product is not None and basis.gamma is None):
        return None
    return sequences.mc_returns(rewards, basis.discount)


def _returns(basis: Basis) -> Row | None:
    values = basis.lists.get("values")
    if values is None:
        return basis.of("mc_returns") if basis.lam in (None, 1) else None
    advantages = basis.of("advantages")
    return None if advantages is None else sequences.critic_targets(advantages, values)


def _mc_advantages(basis: Basis) -> Row | None:
    returns, values = basis.of("mc_returns"), basis.lists.get("values")
    if returns is None and values is not None:
        returns = list(basis.lists["returns"]) if "returns" in basis.lists else None
    return None if returns is None or values is None else sequences.mc_advantages(returns, values)


def _excess(basis: Basis) -> Row | None:
    found = _mc_advantages(basis)
    if found is not None:
        return list(found)[:1]
    deltas = basis.of("deltas")
    return None if deltas is None or basis.product is not None else [sequences.discounted_sum(deltas, basis.discount)]


def _weighted(basis: Basis) -> Row | None:
    deltas = basis.of("deltas")
    return None if deltas is None or basis.product is not None else [sequences.discounted_sum(deltas, basis.discount)]


def _plain_sum(basis: Basis) -> Row | None:
    deltas = basis.of("deltas")
    return None if deltas is None else [total(deltas)]


_FOLLOW = {
    "deltas": _deltas,
    "advantages": _advantages,
    "mc_returns": _mc_returns,
    "returns": _returns,
    "mc_advantages": _mc_advantages,
    "excess": _excess,
    "weighted_deltas": _weighted,
    "delta_sum": _plain_sum,
}
