"""A figure as data: what is to be drawn, every number out of the facts. Its words stand in the lesson's templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

from engine.notation import SYMBOLS

Kind = Literal["lanes", "together", "matrix", "waterfall", "lines"]
TOKEN = "token"  # the axis of the first response's tokens
POSITION = "position"  # that of a response without words
STATE, ACTION = "s", "a"
PAIR = 2  # responses that are drawn one below the other
OF_STATES = frozenset({
    "values", "returns", "mc_returns", "old_values", "vpreds", "vpred_clipped", "true_values", "values_without_reward",
    "values_as_given", "dense", "cost", "outcome", "dense_discounted", "cost_discounted", "outcome_discounted", STATE,
})  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """Series over one axis, or a matrix. Names are keys of the shared words, or quantities with a symbol.

    lanes: each series in a lane of its own, in the order in which one is made of the other
    together: the series on one scale
    matrix: each series is a row; its name is a token's position, a shared word or a text of its own
    waterfall: the one series goes on from `start`, step by step, to `end`
    lines: curves over numbers

    All but the curves stand on the time axis wherever their places are a response's: state, token, state, token …
    """

    kind: Kind
    x: tuple[Any, ...]  # token positions, λ values …
    series: Mapping[str, tuple[Any, ...]]
    x_name: str
    y_name: str  # for a matrix: what the rows are
    z_name: str = ""  # of a waterfall: what it ends at
    start: float = 0.0
    end: float = 0.0
    beneath: Figure | None = None  # the same of the batch's other response

    @property
    def over_time(self) -> bool:
        return self.kind != "lines" and (self.x_name in (TOKEN, POSITION) or self.x_name in SYMBOLS)

    def of_state(self, name: str) -> bool:
        """Whether a series, or a row or column of a matrix, is read at the states, before their tokens."""
        return name in OF_STATES


def first_of(numbers: Mapping[str, Any], *names: str) -> dict[str, tuple[Any, ...]]:
    """The first response's facts, as series by token."""
    rows = {name: numbers[name] for name in names if name in numbers}
    return {name: tuple(row[0] if isinstance(row[0], list) else row) for name, row in rows.items()}


def over_tokens(kind: Kind, series: Mapping[str, tuple[Any, ...]], y_name: str) -> Figure:
    """Series over the first response's tokens."""
    return Figure(kind, tuple(range(len(next(iter(series.values()))))), series, x_name=TOKEN, y_name=y_name)


def over_responses(kind: Kind, numbers: Mapping[str, Any], *names: str, y_name: str = "number") -> Figure:
    """Series over the first response's tokens; beneath them those of the other, where there are two without holes."""
    found = over_tokens(kind, first_of(numbers, *names), y_name)
    batches = [numbers[name] for name in found.series]
    if not all(isinstance(rows[0], list) and len(rows) == PAIR and None not in chain(*rows) for rows in batches):
        return found
    other = {name: numbers[name][1:] for name in found.series}
    return replace(found, beneath=over_tokens(kind, first_of(other, *names), y_name))


def lanes(numbers: Mapping[str, Any], *names: str) -> Figure:
    """What belongs to a response's states and to its tokens, in a lane for each."""
    return over_responses("lanes", numbers, *names)


def by_place(rows: Sequence[Sequence[Any]], columns: str, of: str) -> Figure:
    """A matrix along the time axis: in row t what `of` at t has of each of `columns`."""
    series = {str(t): tuple(row) for t, row in enumerate(rows)}
    return Figure("matrix", tuple(range(len(rows[0]))), series, x_name=columns, y_name=of)
