"""What is stated of a number or a list, and what an audit makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.facts import Facts


@dataclass(frozen=True)
class Claim:
    """What was stated of a fact: a number, a list, rows, or (of a sweep) lists by λ; and how many decimals it shows."""

    name: str
    stated: Any
    decimals: int
    index: int | None = None  # if it is one number of a list
    places: tuple[int, ...] = ()  # where in the text its numbers stand, if that is known
    shown: tuple[int, ...] = ()  # the decimals of each number, where they differ
    quantity: str | None = None  # the computation that is meant, where several have the fact
    made: tuple[float | None, ...] = ()  # what the working that was written beside each number adds up to
    open: bool = False  # of what it follows from, something is missing

    @property
    def tolerance(self) -> float:
        """Half a unit of the last digit shown; a whole number is one to the first decimal."""
        return half_a_unit(self.decimals)

    @property
    def where(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"

    def decimals_of(self, k: int) -> int:
        """The decimals of the k-th number that is stated."""
        return self.shown[k] if k < len(self.shown) else self.decimals


def half_a_unit(decimals: int) -> float:
    return 0.5 * 10.0 ** -max(decimals, 1)


@dataclass(frozen=True)
class Checked:
    """One stated number beside the computed one."""

    where: str
    stated: float
    correct: Any
    cause: str | None = None  # None: right at the digits shown
    decimals: int = 0
    place: int | None = None  # where in the text it stands, if that is known

    @property
    def shown(self) -> str:
        """The stated number as it was written."""
        return f"{self.stated:.{self.decimals}f}"

    @property
    def right(self) -> bool:
        return self.cause is None


@dataclass(frozen=True)
class Audited:
    """Every stated number that could be checked, in the order of the claims, and the claims that could not be."""

    checked: tuple[Checked, ...]
    unchecked: tuple[str, ...]
    facts: tuple[Facts, ...]
    computations: Mapping[str, str] = field(default_factory=dict)  # fact → the quantity that it was computed as
    planted: bool = False  # nobody stated these: a demonstration
    undetermined: tuple[int, ...] = ()  # where in the text the numbers stand that could not be checked
    solved: tuple[str, ...] = ()  # parameters that nobody stated, taken as they fit the numbers best

    @property
    def wrong(self) -> tuple[Checked, ...]:
        return tuple(number for number in self.checked if not number.right)
