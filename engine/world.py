"""A small world that can be counted through: every response, its chance, its rewards, and the exact V and Q.

What holds in expectation is shown here as a sum over all responses, in any reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from engine import formulas, sequences
from engine.ops import Number
from engine.sequences import Row

Path: TypeAlias = tuple[int, ...]  # the tokens so far


@dataclass(frozen=True)
class World:
    chances: Row  # of each token of the vocabulary, the same in every state
    rewards: Mapping[Path, Number]  # of a path's last token
    gamma: Number

    @property
    def responses(self) -> list[Path]:
        return list(product(range(len(self.chances)), repeat=max(map(len, self.rewards))))

    def rewards_along(self, response: Path) -> list[Number]:
        return [self.rewards[response[: t + 1]] for t in range(len(response))]

    def values_along(self, response: Path) -> list[Number]:
        """V before each token."""
        return [self.value(response[:t]) for t in range(len(response))]

    def value(self, path: Path) -> Number:
        """V: the expected return from a state on; 0 when the response is complete."""
        if len(path) == len(self.responses[0]):
            return 0 * self.gamma
        return sum(p * self.q(path, token) for token, p in enumerate(self.chances))

    def q(self, path: Path, token: int) -> Number:
        """Q: the same, once the token is chosen."""
        after = (*path, token)
        return formulas.mc_step(self.rewards[after], self.value(after), self.gamma)

    def expected(self, of: Callable[[Path], Number], given: Path = ()) -> Number:
        """The mean of a number over all responses that begin as given."""
        total = 0 * self.gamma
        for response in self.responses:
            if response[: len(given)] == given:
                total = total + self._chance(response[len(given) :]) * of(response)
        return total

    def _chance(self, path: Path) -> Number:
        chance = 1 + 0 * self.gamma
        for token in path:
            chance = chance * self.chances[token]
        return chance


SMALL_CHANCES = (0.5, 0.5)
SMALL_REWARDS: Mapping[Path, float] = {
    (0,): 0.3, (1,): 0.1, (0, 0): 1.0, (0, 1): 0.0, (1, 0): 0.6, (1, 1): 0.0,
}  # fmt: skip


def small(number: Callable[[str, float], Number], gamma: float = 1.0) -> World:
    """Two tokens from a vocabulary of two, in the reading that `number` lifts to."""
    return World(
        tuple(number("probabilities", p) for p in SMALL_CHANCES),
        {path: number("rewards", r) for path, r in SMALL_REWARDS.items()},
        number("gamma", gamma),
    )


def in_place(values: Row) -> Row:
    return values


def one_late(values: Row) -> Row:
    """At every token the V that is read after it: 0 at the last."""
    return [*values[1:], 0 * values[-1]]


def one_early(values: Row) -> Row:
    """At every token the V that was read one token earlier; before the first there is none, so it stays."""
    return [values[0], *values[:-1]]


def mean_deltas(world: World, order: Callable[[Row], Row] = in_place) -> list[Number]:
    """E[δ_t] for every t, when the exact V is put where `order` puts it."""

    def deltas(response: Path) -> list[Number]:
        return sequences.deltas(world.rewards_along(response), order(world.values_along(response)), world.gamma)

    def mean(t: int) -> Number:
        return world.expected(lambda response: deltas(response)[t])

    return [mean(t) for t in range(len(world.responses[0]))]
