"""What was computed, twice: on tensors and exactly. Facts exist only where the two agree."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch

from engine import batches, kernels
from engine.errors import EngineError
from engine.readings.exact import exactly
from engine.readings.worked import given
from engine.scenario import Scenario

TOLERANCE = 1e-9  # of the largest number involved, or of 1


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
    device: str


@dataclass(frozen=True)
class Inputs:
    """A scenario's numbers in one reading, and the functions of that reading."""

    scenario: Scenario
    on: ModuleType  # engine.kernels for tensors, engine.batches for exact numbers: the same names in both
    number: Callable[[str, float], Any]
    series: Callable[[str, tuple[tuple[float, ...], ...]], Any]

    def has(self, name: str) -> bool:
        return getattr(self.scenario, name) is not None

    def __getitem__(self, name: str) -> Any:
        """A parameter as a number, or a list by token as a batch."""
        given = getattr(self.scenario, name)
        if given is None:
            raise EngineError("missing", field=name)
        if isinstance(given, float):
            return self.number(name, given)
        return self.series(name, self.scenario.rows(name))

    @property
    def mask(self) -> Any:
        return self["mask"] if self.has("mask") else None


Program = Callable[[Inputs], dict[str, Any]]


def compute(program: Program, scenario: Scenario) -> Facts:
    """Run a program on tensors and on exact numbers, and compare."""
    device = kernels.device()
    on_tensors = program(
        Inputs(
            scenario,
            kernels,
            number=lambda _name, x: x,
            series=lambda _name, rows: torch.tensor(rows, dtype=torch.float64, device=device),
        )
    )
    exactly_computed = exactly(
        lambda lift: program(
            Inputs(
                scenario,
                batches,
                number=lambda _name, x: lift(x),
                series=lambda _name, rows: [[lift(x) for x in row] for row in rows],
            )
        ),
        size=scenario.length,
    )
    numbers = _flat(_lists(on_tensors, scenario), scenario)
    exact = _flat(exactly_computed, scenario)
    checks = tuple(Check(name, _distance(numbers[name], exact[name])) for name in numbers)
    for check in checks:
        if not check.ok:
            raise DisagreementError(f"{check.what}: tensors and exact numbers differ by {check.residual}")
    return Facts(numbers, exact, checks, str(device))


def work(program: Program, scenario: Scenario) -> Mapping[str, Any]:
    """Run a program on worked numbers: the first response's quantities, each number with its line."""
    on_worked = exactly(
        lambda lift: program(
            Inputs(
                scenario,
                batches,
                number=lambda name, x: given(lift(x), name),
                series=lambda name, rows: [[given(lift(x), name, t) for t, x in enumerate(rows[0])]],
            )
        ),
        size=scenario.length,
    )
    return {name: rows[0] for name, rows in on_worked.items()}


def _lists(found: Mapping[str, Any], scenario: Scenario) -> dict[str, Any]:
    """Tensors as rows of floats, None where the mask is 0; numbers by response as they are."""
    masks = scenario.rows("mask") if scenario.mask is not None else None
    return {name: _masked(x.tolist(), masks) if x.dim() == 2 and masks else x.tolist() for name, x in found.items()}


def _masked(rows: list[list[float]], masks: Sequence[Sequence[float]]) -> list[list[float | None]]:
    return [
        [x if keep else None for x, keep in zip(row, mask, strict=True)] for row, mask in zip(rows, masks, strict=True)
    ]


def _flat(batch: Mapping[str, Any], scenario: Scenario) -> Mapping[str, Any]:
    """A single response without the batch around it."""
    return batch if scenario.batched else {name: x[0] for name, x in batch.items()}


def _distance(a: Any, b: Any) -> float:
    """The largest difference, as a part of the largest number, or of 1."""
    pairs = list(_pairs(a, b))
    if any((x is None) != (y is None) for x, y in pairs):
        return math.inf
    known = [(x, float(y)) for x, y in pairs if x is not None]
    scale = max((abs(y) for _, y in known), default=1.0)
    return max((abs(x - y) for x, y in known), default=0.0) / max(scale, 1.0)


def _pairs(a: Any, b: Any) -> list[tuple[Any, Any]]:
    if isinstance(a, list) or isinstance(b, list):
        if not (isinstance(a, list) and isinstance(b, list) and len(a) == len(b)):
            return [(math.inf, 0.0)]
        return [pair for x, y in zip(a, b, strict=True) for pair in _pairs(x, y)]
    return [(a, b)]
