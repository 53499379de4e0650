"""A figure as data: what is to be drawn, every number out of the facts. Its words stand in the lesson's templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["bars", "lines", "panels", "heat", "waterfall", "timeline"]


@dataclass(frozen=True)
class Figure:
    """Series over one axis, or a matrix. Names are keys of the shared words, or quantities with a symbol.

    panels: each series in a strip of its own, in the order in which one is made of the other
    heat: each series is a row of the matrix; its name is a token's position, a shared word or a text of its own
    waterfall: the one series goes on from `start`, step by step, to `end`
    timeline: what belongs to the state before each token, and what to the token
    """

    kind: Kind
    x: tuple[Any, ...]  # token positions, λ values …
    series: Mapping[str, tuple[Any, ...]]
    x_name: str
    y_name: str  # for "heat": what the rows are
    z_name: str = ""  # for "heat": what the cells hold, where it is not what the rows are
    start: float = 0.0
    end: float = 0.0
    of_state: tuple[str, ...] = ()  # the series of a timeline that belong to the state


LONGEST_TIMELINE = 8  # tokens


def first_of(numbers: Mapping[str, Any], *names: str) -> dict[str, tuple[Any, ...]]:
    """The first response's facts, as series by token."""
    rows = {name: numbers[name] for name in names if name in numbers}
    return {name: tuple(row[0] if isinstance(row[0], list) else row) for name, row in rows.items()}


def over_tokens(kind: Kind, series: Mapping[str, tuple[Any, ...]], y_name: str) -> Figure:
    """Series over the first response's tokens."""
    return Figure(kind, tuple(range(len(next(iter(series.values()))))), series, x_name="token", y_name=y_name)


def timeline(numbers: Mapping[str, Any], of_state: tuple[str, ...], of_token: tuple[str, ...]) -> Figure:
    """The first response as it is written, its beginning where it is long."""
    found = first_of(numbers, *of_state, *of_token)
    series = {name: row[:LONGEST_TIMELINE] for name, row in found.items()}
    places = tuple(range(len(next(iter(series.values())))))
    drawn = tuple(name for name in of_state if name in series)
    return Figure("timeline", places, series, x_name="token", y_name="number", of_state=drawn)
