"""What was found, as a value: to assert on, to print, to send on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from engine.doctor.whitening import Moments

Outcome: TypeAlias = Literal["follows", "departs"]


@dataclass(frozen=True)
class Departure:
    """The first number of a list that is not what is due, and the id of the mistake that gives it."""

    name: str
    row: int
    token: int
    stated: float
    correct: float
    cause: str

    @property
    def where(self) -> str:
        return f"{self.name}[{self.row}][{self.token}]"


@dataclass(frozen=True)
class Verdict:
    """Which convention the numbers of a batch follow, or where they first depart from the nearest one, and why."""

    outcome: Outcome
    conventions: tuple[str, ...]  # those these numbers could be of (engine.conventions); the nearest, if they depart
    gamma: float | None  # None: these numbers do not settle it
    lam: float | None
    product: float  # γλ
    found: tuple[str, ...]  # which of both rates were not given
    whitening: tuple[str, ...]  # none, sample, population, elsewhere: those that these numbers could be of
    masked: bool | None  # whether the recursion leaves out what is outside the mask; None: these numbers do not tell
    cause: str | None  # the mistake that gives them: an id of engine.mistakes, or other_rates, or unknown
    others: tuple[str, ...]  # mistakes that give the same numbers here
    departures: tuple[Departure, ...]  # the first of each list
    departing: int  # tokens
    departing_rows: int
    tokens: int
    rows: int
    residual: float  # the largest distance of a number from what the verdict says it is
    tolerance: float  # the largest that rounding was allowed
    dtype: str
    decides: tuple[str, ...]  # what would tell apart what these numbers do not
    moments: Moments = field(default_factory=Moments)  # of what was whitened

    @property
    def right(self) -> bool:
        return self.outcome == "follows"

    @property
    def convention(self) -> str:
        return self.conventions[0]

    def mistakes(self) -> list[dict[str, Any]]:
        """As in an answer's `mistakes`: where, stated, correct, cause."""
        return [
            {"where": one.where, "stated": one.stated, "correct": one.correct, "cause": one.cause}
            for one in self.departures
        ]

    def data(self) -> dict[str, Any]:
        """Everything, for JSON."""
        found = asdict(self)
        del found["departures"], found["moments"]
        return {**found, "mistakes": self.mistakes()}
