"""A proof as a value: chains of moves, and induction for statements about every length. It checks itself when made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy

from engine.proofs.language import Definition, Equation
from engine.proofs.moves import Move, use
from engine.proofs.normal import equal, residual


class ProofError(Exception):
    """A step that does not follow, a chain that does not arrive, an induction whose parts do not fit."""


@dataclass(frozen=True)
class Step:
    """before = after, because of `move`. Cannot be made unless it follows."""

    before: sympy.Expr
    after: sympy.Expr
    move: Move

    def __post_init__(self) -> None:
        if self.after == self.before:
            raise ProofError(f"{self.move.reason} changes nothing in {self.before}")
        equations = [definition.at(index) for definition, index in self.move.recursions]
        equations += self.move.equations
        rest = residual(self.before, self.after, self.move.definitions, equations)
        if rest != 0:
            raise ProofError(f"{self.move.reason}: {self.before} is not {self.after}; they differ by {rest}")


@dataclass(frozen=True)
class Chain:
    """start = … = goal, step by step."""

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


def chain(start: sympy.Expr, moves: Sequence[Move], goal: sympy.Expr) -> Chain:
    """Apply the moves to the start one after the other; the end must be the goal."""
    line, steps = start, []
    for move in moves:
        following = move.apply(line)
        steps.append(Step(line, following, move))
        line = following
    return Chain(start, goal, tuple(steps))


@dataclass(frozen=True)
class Statement:
    """left = right, for every value of `over` (None: of the symbols that stand in it)."""

    left: sympy.Expr
    right: sympy.Expr
    over: sympy.Symbol | None = None

    def at(self, value: sympy.Expr) -> Equation:
        assert self.over is not None, "a statement without a variable holds at no particular value"
        return self.left.subs(self.over, value), self.right.subs(self.over, value)

    @property
    def equation(self) -> Equation:
        return self.left, self.right


@dataclass(frozen=True)
class Induction:
    """The statement for every value of its variable: at `base`, and from `known` to `shown` (its neighbours)."""

    statement: Statement
    base: sympy.Expr
    known: sympy.Expr
    shown: sympy.Expr
    base_chain: Chain
    step_chain: Chain

    def __post_init__(self) -> None:
        assert self.statement.over is not None, "an induction needs a variable"
        if abs(self.known - self.shown) != 1:
            raise ProofError(f"from {self.known} to {self.shown} is not a step of one")
        for name, part, value in (("base", self.base_chain, self.base), ("step", self.step_chain, self.shown)):
            claimed = self.statement.at(value)
            if claimed not in ((part.start, part.goal), (part.goal, part.start)):
                raise ProofError(f"the {name} shows {part.start} = {part.goal}, not {claimed}")
        for step in self.base_chain.steps:
            if step.move.reason == HYPOTHESIS:
                raise ProofError("the base has no hypothesis")
        for step in self.step_chain.steps:
            if step.move.reason == HYPOTHESIS and step.move.equations != (self.statement.at(self.known),):
                raise ProofError(f"the hypothesis is the statement at {self.known}, not {step.move.equations}")


HYPOTHESIS = "hypothesis"


@dataclass(frozen=True)
class Theorem:
    """A named statement with its proof, under the definitions and the boundary values that it needs."""

    name: str
    statement: Statement
    proof: Chain | Induction
    definitions: tuple[Definition, ...]
    boundary: tuple[Equation, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.proof, Induction):
            proved = self.proof.statement.equation
        else:
            proved = (self.proof.start, self.proof.goal)
        if proved != self.statement.equation:
            raise ProofError(f"{self.name}: the proof shows {proved}, not {self.statement.equation}")
        for step in self.steps():
            self._check_what_it_uses(step.move)

    def _check_what_it_uses(self, move: Move) -> None:
        """Nothing but what the theorem declares, and in an induction its hypothesis."""
        used = {*move.definitions, *(definition for definition, _ in move.recursions)}
        if not used <= set(self.definitions):
            raise ProofError(f"{self.name}: {move.reason} uses a definition that is not among those given")
        if move.reason != HYPOTHESIS and not set(move.equations) <= set(self.boundary):
            raise ProofError(f"{self.name}: {move.reason} uses {move.equations}, which is not among what is given")
        if move.reason == HYPOTHESIS and not isinstance(self.proof, Induction):
            raise ProofError(f"{self.name}: only an induction has a hypothesis")

    def steps(self) -> Iterator[Step]:
        if isinstance(self.proof, Induction):
            yield from self.proof.base_chain.steps
            yield from self.proof.step_chain.steps
        else:
            yield from self.proof.steps


def hypothesis(statement: Statement, value: sympy.Expr) -> Move:
    """Put what the statement says at a neighbouring value, as the induction step may."""
    return use(statement.at(value), HYPOTHESIS)
