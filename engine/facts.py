"""What was computed, twice: on tensors and exactly. Facts exist only where the two agree."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import ModuleType
from typing import Any

import torch

from engine import batches, kernels
from engine.errors import EngineError
from engine.readings.exact import exactly
from engine.readings.worked import given
from engine.scenario import PER_TOKEN, Scenario

TOLERANCE = 1e-9  # of the largest number involved, or of 1
# What stands outside the mask, and lists by n.
AS_COMPUTED = ("unmasked", "rewards_as_given", "values_as_given", "mask", "hole_mask", "weights", "n_step_advantages")


class DisagreementError(Exception):
    """Tensors and exact numbers differ: never a page."""


@dataclass(frozen=True)
class Check:
    """One cross-check that was run, and how far the two sides were apart."""

    what: str
    residual: float

    @property
    def ok(self) -> bool:
        return self.residual <= TOLERANCE


@dataclass(frozen=True)
class Facts:
    """name → number, list or rows. `numbers` are float64 from the tensors, `exact` the same without rounding."""

    numbers: Mapping[str, Any]
    exact: Mapping[str, Any]
    checks: tuple[Check, ...]
    used: frozenset[str]  # the parts of the scenario that were read
    device: str

    def beside(self, other: Facts) -> Facts:
        """These facts and those of another computation; what both have stays as it is here."""
        return replace(
            self,
            numbers={**other.numbers, **self.numbers},
            exact={**other.exact, **self.exact},
            checks=(*self.checks, *(check for check in other.checks if check.what not in self.numbers)),
            used=self.used | other.used,
        )

    def of_first(self) -> Facts:
        """Of a batch the first response's part, and what is the whole batch's."""
        numbers, exact = (
            {name: x[0] if isinstance(x, list) else x for name, x in found.items()}
            for found in (self.numbers, self.exact)
        )
        return replace(self, numbers=numbers, exact=exact)

    def under(self, name: str) -> Facts:
        """The same facts as one entry of the given name: those of a counterexample, of a wrong program."""
        checks = tuple(replace(check, what=f"{name}.{check.what}") for check in self.checks)
        return replace(self, numbers={name: self.numbers}, exact={name: self.exact}, checks=checks)


@dataclass(frozen=True)
class Inputs:
    """A scenario's numbers in one reading, and the functions of that reading."""

    scenario: Scenario
    on: ModuleType  # engine.kernels for tensors, engine.batches for exact numbers: the same names in both
    number: Callable[[str, float], Any]
    series: Callable[[str, tuple[tuple[float, ...], ...]], Any]
    used: set[str] = field(default_factory=set)

    def has(self, *names: str) -> bool:
        return all(getattr(self.scenario, name) is not None for name in names)

    def __getitem__(self, name: str) -> Any:
        """A parameter as a number, or a list by token as a batch."""
        found = getattr(self.scenario, name)
        if found is None:
            raise EngineError("missing", field=name)
        self.used.add(name)
        return self.number(name, found) if isinstance(found, float) else self.series(name, self.scenario.rows(name))

    @property
    def mask(self) -> Any:
        """The given mask, or one that keeps every token."""
        if self.has("mask"):
            return self["mask"]
        return self.series("mask", self._every_token)

    @property
    def tokens(self) -> int:
        """How many tokens count."""
        return int(sum(map(sum, self.scenario.rows("mask") if self.has("mask") else self._every_token)))

    @property
    def _every_token(self) -> tuple[tuple[float, ...], ...]:
        series = next(name for name in PER_TOKEN if self.has(name))
        return tuple(tuple(1.0 for _ in row) for row in self.scenario.rows(series))


Program = Callable[[Inputs], dict[str, Any]]
Lift = Callable[[str, int | None, float], Any]  # a number by its name, its token and what the scenario has for it


def compute(program: Program, scenario: Scenario) -> Facts:
    """Run a program on tensors and on exact numbers, and compare."""
    device = kernels.default_device()
    inputs = Inputs(scenario, kernels, number=lambda _name, x: x, series=_tensor)
    on_tensors = program(inputs)
    numbers = {name: finished(name, _plain(x), inputs) for name, x in on_tensors.items()}
    if not all(math.isfinite(x) for x, _ in _pairs(numbers, numbers) if x is not None):
        raise EngineError("overflow")
    exact = exact_facts(program, scenario)
    checks = tuple(Check(name, _distance(numbers[name], exact[name])) for name in numbers)
    for check in checks:
        if not check.ok:
            raise DisagreementError(f"{check.what}: tensors and exact numbers differ by {check.residual}")
    return Facts(numbers, exact, checks, frozenset(inputs.used), str(device))


def exact_facts(program: Program, scenario: Scenario) -> dict[str, Any]:
    """The program on exact numbers."""
    return dict(_exact_facts(program, scenario))


@lru_cache(maxsize=256)
def _exact_facts(program: Program, scenario: Scenario) -> dict[str, Any]:
    """A page, its claims and its exercises ask for the same facts again and again."""
    return exactly(lambda lift: facts_of_lists(program, scenario, lambda _name, _t, x: lift(x)), scenario.length)


def quick_facts(program: Program, scenario: Scenario) -> dict[str, Any]:
    """The program on plain floats: for searching, where many programs are tried."""
    return facts_of_lists(program, scenario, lambda _name, _t, x: float(x))


def facts_of_lists(
    program: Program, scenario: Scenario, lift: Callable[[str, int | None, float], Any]
) -> dict[str, Any]:
    """The program on numbers of any kind."""
    inputs = _lists_of(scenario, lift)
    return {name: finished(name, x, inputs) for name, x in program(inputs).items()}


def work(program: Program, scenario: Scenario) -> Mapping[str, Any]:
    """Run a program on worked numbers: the first response's quantities, each number with its line."""
    found = exactly(
        lambda lift: program(_lists_of(scenario, lambda name, t, x: given(lift(x), name, t))), scenario.length
    )
    return {name: x[0] if isinstance(x, list) else x for name, x in found.items()}


def _tensor(_name: str, rows: tuple[tuple[float, ...], ...]) -> torch.Tensor:
    device = kernels.default_device()
    return torch.tensor(rows, dtype=kernels.widest_float(device), device=device)


def _lists_of(scenario: Scenario, lift: Lift) -> Inputs:
    return Inputs(
        scenario,
        batches,
        number=lambda name, x: lift(name, None, x),
        series=lambda name, rows: [[lift(name, t, x) for t, x in enumerate(row)] for row in rows],
    )


# ---------------------------------------------------------------- from a reading's batches to facts


def _plain(x: Any) -> Any:
    """Tensors, wherever they stand, as numbers and lists."""
    if isinstance(x, torch.Tensor):
        return x.tolist()
    if isinstance(x, Mapping):
        return {name: _plain(y) for name, y in x.items()}
    return [_plain(y) for y in x] if isinstance(x, list | tuple) else x


def finished(name: str, x: Any, inputs: Inputs) -> Any:
    """None where the mask is 0, if the program read it; a single response without the batch around it."""
    if isinstance(x, Mapping):
        return {key: finished(name, y, inputs) for key, y in x.items()}
    if not isinstance(x, list):
        return x
    if "mask" in inputs.used and name not in AS_COMPUTED and isinstance(x[0], list):
        x = [_masked(row, keep) for row, keep in zip(x, inputs.scenario.rows("mask"), strict=True)]
    return x if len(x) > 1 or inputs.scenario.batched else x[0]


def _masked(row: Sequence[Any], keep: Sequence[float]) -> list[Any]:
    return [x if valid else None for x, valid in zip(row, keep, strict=True)]


def _distance(a: Any, b: Any) -> float:
    """The largest difference, as a part of the largest number, or of 1."""
    pairs = list(_pairs(a, b))
    if any((x is None) != (y is None) for x, y in pairs):
        return math.inf
    known = [(x, float(y)) for x, y in pairs if x is not None]
    scale = max((abs(y) for _, y in known), default=1.0)
    return max((abs(x - y) for x, y in known), default=0.0) / max(scale, 1.0)


def _pairs(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers of two facts side by side; facts of different shapes have infinitely different ones."""
    if isinstance(a, Mapping) and isinstance(b, Mapping) and list(a) == list(b):
        a, b = list(a.values()), list(b.values())
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for x, y in zip(a, b, strict=True):
            yield from _pairs(x, y)
    elif isinstance(a, list | Mapping) or isinstance(b, list | Mapping):
        yield math.inf, 0.0
    else:
        yield a, b
