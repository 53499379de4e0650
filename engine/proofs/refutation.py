"""A false claim and the numbers that refute it: run exactly when made, so that it cannot be a mere assertion."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.proofs.language import Relation
from engine.proofs.steps import ProofError
from engine.readings.exact import Exact, exactly

Input: TypeAlias = int | float | Sequence[int | float]

HOLDS: dict[Relation, Callable[[Exact, Exact], bool]] = {
    "=": operator.eq,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}


@dataclass(frozen=True)
class Claim:
    """left = right, or another relation, for whatever inputs: two programs of the same named inputs."""

    name: str
    left: Callable[..., Exact]
    right: Callable[..., Exact]
    relation: Relation = "="


@dataclass(frozen=True)
class Counterexample:
    """Inputs, named as in a scenario, on which the claim fails, and what its two sides are there."""

    claim: Claim
    inputs: tuple[tuple[str, Input], ...]
    left: Exact
    right: Exact

    def __post_init__(self) -> None:
        run = _run(self.claim, dict(self.inputs))
        if run != (self.left, self.right):
            raise ProofError(f"{self.claim.name}: the sides are {run}, not {(self.left, self.right)}")
        if HOLDS[self.claim.relation](self.left, self.right):
            raise ProofError(f"{self.claim.name} holds here: {self.left} {self.claim.relation} {self.right}")

    @property
    def name(self) -> str:
        return self.claim.name


def refute(claim: Claim, **inputs: Any) -> Counterexample:
    """Run the claim on the inputs, and have it fail."""
    return Counterexample(claim, tuple(inputs.items()), *_run(claim, inputs))


def _run(claim: Claim, inputs: dict[str, Any]) -> tuple[Exact, Exact]:
    def both(lift: Callable[[float], Exact]) -> tuple[Exact, Exact]:
        lifted = {
            name: lift(float(x)) if isinstance(x, int | float) else [lift(float(y)) for y in x]
            for name, x in inputs.items()
        }
        return claim.left(**lifted), claim.right(**lifted)

    return exactly(both, size=1)
