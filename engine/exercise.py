"""An exercise: a question about numbers, the right answer, and what programs with a mistake answer in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from engine import facts
from engine.notation import show
from engine.quantities import QUANTITIES
from engine.readings.worked import Worked
from engine.scenario import PER_TOKEN, Scenario, scenario

Kind: TypeAlias = Literal["options", "sign", "change", "open", "list", "truth"]
DIGITS = 4  # of the numbers that are shown


@dataclass(frozen=True)
class Ask:
    """What may be asked: a number of a computation, and the mistakes that lead to other ones."""

    quantity: str
    fact: str
    given: tuple[str, ...]  # what the learner is shown
    mistakes: tuple[str, ...]
    at: Literal["first", "last", "any", "whole"] = "first"  # whole: one number of the whole response
    moves: tuple[str, ...] = ()  # parts that may be changed, for a question about the change
    shortest: int = 2  # tokens


@dataclass(frozen=True)
class Drill:
    """All that may be asked about one subject, under its number."""

    number: int
    asks: tuple[Ask, ...] = ()
    falsehoods: tuple[str, ...] = ()  # ids of facts whose opposite can be put into words
    truths: tuple[str, ...] = ()  # ids of the facts that can stand among them


@dataclass(frozen=True)
class Moved:
    """One number of the scenario that was changed."""

    part: str
    index: int | None
    old: float
    new: float
    before: Scenario


@dataclass(frozen=True)
class Exercise:
    kind: Kind
    ask: Ask | None  # none where statements are to be told apart
    scenario: Scenario
    index: int | None  # the token, or none for a list or a number of the whole response
    right: Any  # a number, a list of them, or the id of the true statement
    wrong: Mapping[str, Any] = field(default_factory=dict)  # mistake → what its program gives, where that differs
    options: tuple[Any, ...] = ()  # numbers, or ids of statements, in the order shown
    moved: Moved | None = None
    before: Any = None  # what the number was before the change
    wrongly_before: Mapping[str, Any] = field(default_factory=dict)

    @property
    def length(self) -> int:
        return len(self.right) if self.kind == "list" else 1

    def causes(self, value: Any) -> tuple[str, ...]:
        """The mistakes behind an option."""
        return tuple(id for id, x in self.wrong.items() if shown(x) == shown(value))

    @property
    def line(self) -> Worked | None:
        """How the number comes about; of a list, its first one."""
        if self.ask is None:
            return None
        found = _worked(self.ask, self.scenario)
        return found if isinstance(found, Worked) else found[self.index or 0]

    @property
    def lines(self) -> tuple[Worked, ...]:
        """The working from its first line to the last, which is the number itself; of a list, to each of them."""
        if self.ask is None or self.line is None:
            return ()
        if self.kind != "list":
            return tuple(_in_order(self.line))
        lines = [line for one in reversed(_worked(self.ask, self.scenario)) for line in _in_order(one)]
        return tuple({line.symbol or i: line for i, line in enumerate(lines)}.values())


def shown(x: Any) -> str:
    if isinstance(x, tuple):
        return str([shown(y) for y in x])
    return "–" if x is None else show(x, DIGITS).text


def sign(x: Any) -> int:
    return (x > 0) - (x < 0)


def _worked(ask: Ask, own: Scenario) -> Any:
    """Of the real tokens alone: the working of a response knows no padding."""
    kept = {
        name: row[: _valid(own)] if name in PER_TOKEN else row for name, row in own.given().items() if name != "mask"
    }
    return facts.work(QUANTITIES[ask.quantity], scenario(kept))[ask.fact]


def _valid(own: Scenario) -> int:
    """How many tokens come before the padding."""
    return own.length if own.mask is None else int(sum(own.rows("mask")[0]))


def _in_order(line: Worked) -> Iterator[Worked]:
    """A line's parts before it."""
    found: dict[Any, Worked] = {}

    def add(x: Worked) -> None:
        for part in x.parts:
            add(part)
        found.setdefault(x.symbol or x, x)

    add(line)
    yield from found.values()
