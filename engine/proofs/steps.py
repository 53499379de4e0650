"""The links of a proof: a move, the step that it makes from one line to the next, and the chain of such steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import sympy

from engine.proofs.language import Condition, Definition, Equation, Relation
from engine.proofs.latex import latex
from engine.proofs.normal import equal, residual, vanishes
from engine.proofs.signs import Facts, shown

DIRECTION = {"<": -1, "<=": -1, "=": 0, ">=": 1, ">": 1}


class ProofError(Exception):
    """A step that does not follow, a chain that does not arrive, an induction whose parts do not fit."""


@runtime_checkable
class Lemma(Protocol):
    """What a move may know of an earlier theorem that it uses: an equation, or for an inequality a condition."""

    @property
    def relation(self) -> Relation: ...

    @property
    def equation(self) -> Equation: ...

    @property
    def fact(self) -> Condition: ...


@dataclass(frozen=True)
class Move:
    """One named step. `reason` is the key under which the words of each language stand.

    What it may use beyond algebra: definitions, unfolded everywhere; a recursion, unfolded at one index; equations:
    a hypothesis, a boundary value; conditions; theorems, at given values. `relation` is how the line before stands
    to the line after. With `minimum_at` the line after is the smallest value of a convex line.
    """

    reason: str
    apply: Callable[[sympy.Expr], sympy.Expr]
    definitions: tuple[Definition, ...] = ()
    recursions: tuple[tuple[Definition, tuple[sympy.Expr, ...]], ...] = ()
    equations: tuple[Equation, ...] = ()
    conditions: tuple[Condition, ...] = ()
    lemmas: tuple[Lemma, ...] = ()
    relation: Relation = "="
    minimum_at: tuple[sympy.Symbol, sympy.Expr] | None = None

    def all_equations(self) -> list[Equation]:
        unfolded = [definition.at(*index) for definition, index in self.recursions]
        return [*unfolded, *self.equations, *(lemma.equation for lemma in self.lemmas if lemma.relation == "=")]

    def facts(self) -> Facts:
        return [*self.conditions, *(lemma.fact for lemma in self.lemmas if lemma.relation != "=")]


@dataclass(frozen=True)
class Step:
    """before = after (or ≤, <, ≥, >), because of `move`. Cannot be made unless it follows."""

    before: sympy.Expr
    after: sympy.Expr
    move: Move

    def __post_init__(self) -> None:
        move = self.move
        if self.after == self.before:
            raise ProofError(f"{move.reason} changes nothing in {self.before}")
        if move.minimum_at is not None:
            self._check_minimum(*move.minimum_at)
            return
        rest = residual(self.before, self.after, move.definitions, move.all_equations(), move.facts())
        if not (vanishes(rest) if move.relation == "=" else self._is_bound(rest)):
            raise ProofError(f"{move.reason}: not {self.before} {move.relation} {self.after}; they differ by {rest}")

    def _is_bound(self, rest: sympy.Expr) -> bool:
        """Whether the difference has the sign that the relation asks for, as it stands or in its normal form."""
        direction, strict = DIRECTION[self.move.relation], self.move.relation in ("<", ">")
        return any(shown(direction * x, self.move.facts(), strict=strict) for x in (self.before - self.after, rest))

    def _check_minimum(self, variable: sympy.Symbol, place: sympy.Expr) -> None:
        """A line that is convex in a variable, and flat at a place, is nowhere below its value there."""
        slope = sympy.diff(self.before, variable)
        convex = shown(sympy.diff(slope, variable), self.move.facts(), strict=False)
        flat = equal(slope.subs(variable, place), sympy.Integer(0))
        if not (self.move.relation == ">=" and convex and flat and self.before.subs(variable, place) == self.after):
            raise ProofError(f"{self.after} is not the minimum of {self.before}")


@dataclass(frozen=True)
class Chain:
    """start = … = goal, step by step; or start ≤ … ≤ goal."""

    start: sympy.Expr
    goal: sympy.Expr
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        line = self.start
        for step in self.steps:
            if step.before != line:
                raise ProofError(f"{step.move.reason} starts from {step.before}, not from {line}")
            line = step.after
        if not equal(line, self.goal):
            raise ProofError(f"the chain ends at {line}, not at {self.goal}")
        if len({DIRECTION[step.move.relation] for step in self.steps} - {0}) > 1:
            raise ProofError("a chain may go up or down, not both")

    @property
    def relation(self) -> Relation:
        """How the start stands to the goal: as loosely as its loosest step says, strictly if one step is strict."""
        bounds = [step.move.relation for step in self.steps if step.move.relation != "="]
        return min(bounds, key=len, default="=")

    def scopes(self) -> Iterator[tuple[Facts, Step]]:
        return (((), step) for step in self.steps)


def chain(start: sympy.Expr, moves: Sequence[Move], goal: sympy.Expr) -> Chain:
    """Apply the moves to the start one after the other; the end must be the goal, and is written as the goal is."""
    line, steps = start, []
    for move in moves:
        following = move.apply(line)
        steps.append(Step(line, following, move))
        line = following
    if latex(line) != latex(goal) and equal(line, goal):
        steps.append(Step(line, goal, Move(_closing(line, goal), lambda _: goal)))
    return Chain(start, goal, tuple(steps))


def _closing(line: sympy.Expr, goal: sympy.Expr) -> str:
    """Why a last line is the goal already: sums may have been written out that have no term, or one."""
    return "as_claimed_in_sums" if len(line.atoms(sympy.Sum)) < len(goal.atoms(sympy.Sum)) else "as_claimed"
