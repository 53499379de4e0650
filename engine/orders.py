"""Which of two terms is the larger, on drawn responses, at the tokens where conditions of the same kind hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.drawn import Number, OutsideError, Response, Where, random_responses
from engine.terms import Term

ROUNDS = 12  # times as many responses as for an equation: conditions leave few
LEAST = 12  # tokens at which the conditions hold, for anything to be said


@dataclass(frozen=True)
class Order:
    """larger > smaller"""

    larger: Term
    smaller: Term

    @property
    def latex(self) -> str:
        return f"{self.larger.latex} > {self.smaller.latex}"

    @property
    def quantities(self) -> frozenset[str]:
        return self.larger.quantities | self.smaller.quantities

    def sides(self, response: Response, t: int) -> tuple[Number, Number]:
        return self.larger.value(response, t, 0), self.smaller.value(response, t, 0)


@dataclass(frozen=True)
class Found:
    """At how many tokens it was tried, at how many it holds, and one token that shows it."""

    seen: int
    held: int
    witness: tuple[Response, int] | None

    @property
    def known(self) -> bool:
        return self.seen >= LEAST and self.held in (0, self.seen)

    @property
    def always(self) -> bool:
        return self.seen == self.held


def settle(order: Order, conditions: Sequence[Order], where: Where) -> Found:
    tried = list(_tried(order, conditions, where))
    held = [place for place, so in tried if so]
    missed = [place for place, so in tried if not so]
    return Found(len(tried), len(held), next(iter(missed or held), None))


def _tried(order: Order, conditions: Sequence[Order], where: Where) -> Iterator[tuple[tuple[Response, int], bool]]:
    for response in random_responses(where, ROUNDS):
        for t in where.tokens(response.length):
            try:
                met = all(_holds(condition, response, t) for condition in conditions)
                so = met and _holds(order, response, t)
            except OutsideError:
                continue
            if met:
                yield (response, t), so


def _holds(order: Order, response: Response, t: int) -> bool:
    larger, smaller = order.sides(response, t)
    return bool(larger > smaller)
