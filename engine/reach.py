"""What reaches what: whether a quantity moves when another one is moved and everything below it is computed anew.

Exact, on random responses of rational numbers: a quantity that moves on one of them depends on what was moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from engine import sequences
from engine.drawn import EVERYWHERE, RATES, OutsideError, Response, Where, random_responses
from engine.equalities import CORNERS
from engine.terms import Term

SHORTEST = 3  # tokens: the first one, the last one and the next one are not the same
MOVE = Fraction(1, 97)

Lists = dict[str, list[Fraction]]

GIVEN = ("rewards", "values")
# Each quantity from those above it, in the order in which they are computed.
_MADE: Mapping[str, Callable[[Lists, Mapping[str, Fraction]], list[Fraction]]] = {
    "deltas": lambda x, rate: sequences.deltas(x["rewards"], x["values"], rate["gamma"]),
    "advantages": lambda x, rate: sequences.gae_advantages(x["deltas"], rate["gamma"], rate["lam"]),
    "returns": lambda x, _: sequences.critic_targets(x["advantages"], x["values"]),
    "mc_returns": lambda x, rate: sequences.mc_returns(x["rewards"], rate["gamma"]),
    "mc_advantages": lambda x, _: sequences.mc_advantages(x["mc_returns"], x["values"]),
}
ABOVE: Mapping[str, frozenset[str]] = {
    "deltas": frozenset({"gamma", "lam", "rewards", "values"}),
    "mc_returns": frozenset({"gamma", "lam", "rewards", "values"}),
    "mc_advantages": frozenset({"gamma", "lam", "rewards", "values", "mc_returns"}),
    "advantages": frozenset({"gamma", "lam", "rewards", "values", "deltas"}),
    "returns": frozenset({"gamma", "lam", "rewards", "values", "deltas", "advantages"}),
}


@dataclass(frozen=True)
class Cell:
    """A quantity at some tokens, seen from token t: at t, t+1, …, the first, the last, any later, any earlier, any."""

    name: str
    place: str = "any"

    def tokens(self, t: int, length: int) -> list[int]:
        if self.place.startswith("t"):
            return [i for i in [t + int(self.place[1:] or 0)] if 0 <= i < length]
        if self.place.isdigit():
            return [i for i in [int(self.place)] if i < length]
        ranges = {"last": range(length - 1, length), "later": range(t + 1, length), "earlier": range(t)}
        return list(ranges.get(self.place, range(length)))


@dataclass(frozen=True)
class Reach:
    """That the effect moves with the cause, at some token of some response."""

    cause: Cell
    effect: Term
    where: Where = EVERYWHERE

    def found(self, where: Where) -> bool:
        return next(self._moves(where), None) is not None

    def settled(self) -> bool | None:
        """Whether it does; None where γ or λ decide and nothing was said of them."""
        found = self.found(self.where)
        said = {name for name, _ in self.where.rates}
        free = [corner for corner in CORNERS if len(corner) == 1 and not said & set(corner)]
        if self.where.inner or self.cause.name in RATES:
            return found
        if any(self.found(replace(self.where, rates=(*self.where.rates, *corner.items()))) != found for corner in free):
            return None
        return found

    def witness(self) -> tuple[Response, int, Response]:
        """A response, a token, and the response with the cause moved, of which the effect at that token is another."""
        return next(self._moves(self.where))

    def _moves(self, where: Where) -> Iterator[tuple[Response, int, Response]]:
        for response in (one for one in random_responses(where) if one.length >= SHORTEST):
            for t in self.where.tokens(response.length):
                before = self._effect(response, t)
                for moved in self._moved(response, t) if before is not None else ():
                    if self._effect(moved, t) != before:
                        yield response, t, moved

    def _effect(self, response: Response, t: int) -> Fraction | None:
        try:
            return self.effect.value(response, t, 0)
        except OutsideError:
            return None

    def _moved(self, response: Response, t: int) -> Iterator[Response]:
        given = {name: list(response.lists[name]) for name in GIVEN}
        if self.cause.name in RATES:
            rates = {**response.rates, self.cause.name: response.rates[self.cause.name] - MOVE}
            yield Response(_made(given, rates, GIVEN), rates)
            return
        for token in self.cause.tokens(t, response.length):
            lists = {name: list(numbers) for name, numbers in response.lists.items()}
            lists[self.cause.name][token] += MOVE
            yield Response(_made(lists, response.rates, (*GIVEN, self.cause.name)), response.rates)


def _made(lists: Lists, rates: Mapping[str, Fraction], fixed: tuple[str, ...]) -> Lists:
    """All quantities, with those that are fixed as they stand."""
    for name, make in _MADE.items():
        if name not in fixed:
            lists[name] = make(lists, rates)
    return lists
