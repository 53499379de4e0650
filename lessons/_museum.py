"""Disputed formulas from public discussions: the table _museum.toml, and both readings of each, run."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from engine import conventions
from engine.conventions import CONVENTIONS, Convention, Rollout
from engine.example import RUNNING
from engine.facts import Facts, Inputs, Program, compute
from engine.mistakes import MISTAKES
from engine.quantities import QUANTITIES
from engine.readings.exact import Decimal
from engine.scenario import LISTS, Scenario, scenario

TABLE = Path(__file__).parent / "_museum.toml"
CONVENTION = "convention "
NEGLIGIBLE = 1e-40  # of what 50-digit decimals leave
Ruling = Literal["right", "wrong", "depends"]


@dataclass(frozen=True)
class Thread:
    """A public discussion: an issue or a pull request of a project, and the day on which it was opened, if known."""

    project: str
    number: int
    day: str = ""

    @property
    def name(self) -> str:
        return f"{self.project}#{self.number}"

    @property
    def short(self) -> str:
        """As people call it."""
        return f"{self.project.rpartition('/')[2]}#{self.number}"


@dataclass(frozen=True)
class Exhibit:
    """What was held, what is so, and the two programs that say it."""

    id: str
    threads: tuple[Thread, ...]
    lesson: str
    quantity: str
    fact: str
    ruling: Ruling  # of what was held
    title: Mapping[str, str]
    claim: Mapping[str, str]
    says: Mapping[str, str]
    disputed: str = ""
    settled: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    disputed_with: Mapping[str, float] = field(default_factory=dict)
    settled_with: Mapping[str, float] = field(default_factory=dict)
    agree: bool = False  # both programs give the same

    @cached_property
    def scenario(self) -> Scenario:
        """The running example, or numbers of its own."""
        if not any(name in LISTS for name in self.given):
            return RUNNING.merged(dict(self.given))
        parameters = {name: x for name, x in RUNNING.given().items() if name not in LISTS and name != "tokens"}
        return scenario({**parameters, "prompt": None, **self.given})

    @property
    def own_numbers(self) -> bool:
        return bool(self.given)

    @cached_property
    def right(self) -> Facts:
        return compute(_program(self.settled, self.quantity), self.scenario.merged(dict(self.settled_with)))

    @cached_property
    def wrong(self) -> Facts:
        return compute(_program(self.disputed, self.quantity), self.scenario.merged(dict(self.disputed_with)))

    @property
    def found(self) -> Mapping[str, Any]:
        """The numbers that its words speak of."""
        settled, disputed = self.right.exact[self.fact], self.wrong.exact[self.fact]
        means = {"settled_mean": _mean(settled), "disputed_mean": _mean(disputed)} if isinstance(settled, list) else {}
        return {"settled": settled, "disputed": disputed, "values": list(self.given.get("values", ())), **means}

    @property
    def compared(self) -> int:
        """How many numbers both have."""
        return sum(x is not None for x in _listed(self.found["settled"]))

    @property
    def apart(self) -> Mapping[int, Any]:
        """Where the two differ, and by how much."""
        pairs = zip(_listed(self.found["settled"]), _listed(self.found["disputed"]), strict=True)
        apart = {t: _less(b, a) for t, (a, b) in enumerate(pairs) if a is not None and b is not None}
        return {t: x for t, x in apart.items() if abs(x) > NEGLIGIBLE}


def _program(name: str, quantity: str) -> Program:
    if name.startswith(CONVENTION):
        return _following(next(one for one in CONVENTIONS if one.name == name.removeprefix(CONVENTION)))
    return MISTAKES[name].on(quantity) if name else QUANTITIES[quantity]


def _following(convention: Convention) -> Program:
    """A project's advantages, the score put where it puts it; no KL."""

    def program(x: Inputs) -> dict[str, Any]:
        mask = x["mask"]
        placed = x.on.place_score(x.on.total(x["scores"], mask), mask, placement=convention.placement)
        made = conventions.run(Rollout(placed, x["values"], mask), convention, gamma=x["gamma"], lam=x["lam"])
        return {"advantages": made.advantages}

    return program


def _less(a: Any, b: Any) -> Any:
    """a − b, where one may be rational and the other of fifty digits."""
    same = isinstance(a, Fraction) == isinstance(b, Fraction)
    return a - b if same else _decimal(a) - _decimal(b)


def _decimal(x: Any) -> Any:
    return Decimal(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def _listed(x: Any) -> Sequence[Any]:
    return x if isinstance(x, list) else [x]


def _mean(numbers: Sequence[Any]) -> Any:
    some = [x for x in numbers if x is not None]
    return sum(some) / (Fraction(len(some)) if isinstance(some[0], Fraction) else len(some))


@cache
def exhibits() -> tuple[Exhibit, ...]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return tuple(
        Exhibit(id=id, **{**about, "threads": tuple(Thread(*one) for one in about["threads"])})
        for id, about in table.items()
    )
