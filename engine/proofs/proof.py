"""A proof as a value: statements, induction for every length, case splits, theorems. It checks itself when made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import sympy
from sympy.core.assumptions import check_assumptions
from sympy.core.function import AppliedUndef

from engine.proofs.exhaustion import exhaustive
from engine.proofs.language import Condition, Definition, Equation, Relation
from engine.proofs.signs import Facts, holds, nonzero
from engine.proofs.steps import DIRECTION, Chain, Move, ProofError, Step

HYPOTHESIS = "hypothesis"


@dataclass(frozen=True)
class Statement:
    """left = right (or another relation), for every value of `over` (None: of the symbols that stand in it)."""

    left: sympy.Expr
    right: sympy.Expr
    over: sympy.Symbol | None = None
    relation: Relation = "="

    def at(self, value: sympy.Expr) -> Equation:
        assert self.over is not None, "a statement without a variable holds at no particular value"
        return instance(self.left, {self.over: value}), instance(self.right, {self.over: value})

    @property
    def equation(self) -> Equation:
        return self.left, self.right


def instance(expression: sympy.Expr, values: dict[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """The expression with the values put for their symbols, all at once."""
    bound = {index for total in expression.atoms(sympy.Sum) for index in total.variables}
    if bound & {symbol for value in values.values() for symbol in (sympy.S.Zero + value).free_symbols}:
        raise ProofError(f"{values} would be counted by a sum in {expression}")
    return expression.subs(values, simultaneous=True)


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
        over = self.statement.over
        assert over is not None, "an induction needs a variable"
        rises = self.shown - self.known == 1
        if not rises and self.known - self.shown != 1:
            raise ProofError(f"from {self.known} to {self.shown} is not a step of one")
        if over != (self.known if rises else self.shown):
            raise ProofError(f"the step must go {'from' if rises else 'to'} {over} itself, so that none is left out")
        if rises and not (_may_be(self.base, over) and check_assumptions(self.base - 1, against=over) is False):
            raise ProofError(f"{self.base} is not the first value of {over}")
        for name, part, value in (("base", self.base_chain, self.base), ("step", self.step_chain, self.shown)):
            claimed = self.statement.at(value)
            if part.relation != "=" or claimed not in ((part.start, part.goal), (part.goal, part.start)):
                raise ProofError(f"the {name} shows {part.start} {part.relation} {part.goal}, not {claimed}")
        for step in self.base_chain.steps:
            if step.move.reason == HYPOTHESIS:
                raise ProofError("the base has no hypothesis")
        for step in self.step_chain.steps:
            if step.move.reason == HYPOTHESIS and step.move.equations != (self.statement.at(self.known),):
                raise ProofError(f"the hypothesis is the statement at {self.known}, not {step.move.equations}")

    @property
    def relation(self) -> Relation:
        return "="

    @property
    def start(self) -> sympy.Expr:
        return self.statement.left

    @property
    def goal(self) -> sympy.Expr:
        return self.statement.right

    def scopes(self) -> Iterator[tuple[Facts, Step]]:
        yield from self.base_chain.scopes()
        yield from self.step_chain.scopes()


@dataclass(frozen=True)
class Case:
    """A chain that holds under conditions of its own."""

    conditions: tuple[Condition, ...]
    chain: Chain


@dataclass(frozen=True)
class Cases:
    """One statement, shown in every case. The cases leave nothing out."""

    cases: tuple[Case, ...]

    def __post_init__(self) -> None:
        if len({(case.chain.start, case.chain.goal) for case in self.cases}) != 1:
            raise ProofError("every case must show the same")
        if len({DIRECTION[case.chain.relation] for case in self.cases} - {0}) > 1:
            raise ProofError("the cases point in different directions")
        if not exhaustive([case.conditions for case in self.cases]):
            raise ProofError("the cases leave something out")

    @property
    def relation(self) -> Relation:
        """What all cases have in common: = where all say so, strict only where all are."""
        found = {case.chain.relation for case in self.cases}
        if len(found) == 1:
            return found.pop()
        return "<=" if any(DIRECTION[relation] < 0 for relation in found) else ">="

    @property
    def start(self) -> sympy.Expr:
        return self.cases[0].chain.start

    @property
    def goal(self) -> sympy.Expr:
        return self.cases[0].chain.goal

    def scopes(self) -> Iterator[tuple[Facts, Step]]:
        for case in self.cases:
            for step in case.chain.steps:
                yield case.conditions, step


Proof: TypeAlias = Chain | Induction | Cases


@dataclass(frozen=True)
class Theorem:
    """A named statement with its proof, under the definitions, boundary values and conditions that it needs."""

    name: str
    statement: Statement
    proof: Proof
    definitions: tuple[Definition, ...] = ()
    boundary: tuple[Equation, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        claimed = self.statement.equation
        if (self.proof.start, self.proof.goal) != claimed:
            raise ProofError(f"{self.name}: the proof shows {self.proof.start}, {self.proof.goal}, not {claimed}")
        if self.proof.relation not in (self.statement.relation, self.statement.relation[0]):
            raise ProofError(f"{self.name}: shown is {self.proof.relation}, claimed {self.statement.relation}")
        self._check_what_is_given()
        for scope, step in self.proof.scopes():
            self._check_what_it_uses(step.move, (*self.conditions, *scope))
            for line in (step.before, step.after):
                self._check_that_it_means_something(line, (*self.conditions, *scope))

    def _check_what_is_given(self) -> None:
        """The claim itself is not given, a symbol is given a value it may have, and the given holds for every case."""
        over = self.statement.over
        for left, right in self.boundary:
            if {left, right} == set(self.statement.equation):
                raise ProofError(f"{self.name}: {left} = {right} is what is to be shown")
            if left.is_Symbol and not _may_be(right, left):
                raise ProofError(f"{self.name}: {left} cannot be {right}")
        given = [side for equation in self.boundary for side in equation]
        given += [condition.expression for condition in self.conditions]
        if isinstance(self.proof, Induction) and any(over in x.free_symbols for x in given):
            raise ProofError(f"{self.name}: what is given for one {over} does not hold for all")

    def _check_what_it_uses(self, move: Move, available: Facts) -> None:
        """Nothing but what the theorem declares, and in an induction its hypothesis."""
        definitions = {*move.definitions, *(definition for definition, _ in move.recursions)}
        equations = set() if move.reason == HYPOTHESIS else set(move.equations)
        conditions = [*move.conditions]
        for lemma in move.lemmas:
            if not isinstance(lemma, Instance):
                raise ProofError(f"{self.name}: {move.reason} uses {lemma}, which is not a proved theorem")
            definitions |= set(lemma.theorem.definitions)
            equations |= set(lemma.boundary)
            conditions += lemma.conditions
        if not definitions <= set(self.definitions):
            raise ProofError(f"{self.name}: {move.reason} uses a definition that is not among those given")
        if not equations <= set(self.boundary):
            raise ProofError(f"{self.name}: {move.reason} uses {equations}, not all of which is given")
        for condition in conditions:
            if not holds(condition, available):
                raise ProofError(f"{self.name}: {move.reason} uses {condition}, which is not given")
        if move.reason == HYPOTHESIS and not isinstance(self.proof, Induction):
            raise ProofError(f"{self.name}: only an induction has a hypothesis")

    def _check_that_it_means_something(self, line: sympy.Expr, available: Facts) -> None:
        """No division by what may be 0; no derivative of a quantity that hides what it is differentiated by."""
        for power in line.atoms(sympy.Pow):
            if not (power.exp.is_nonnegative or nonzero(power.base, available)):
                raise ProofError(f"{self.name}: {power.base} may be 0 in {line}")
        defined = {definition.quantity for definition in self.definitions}
        for derivative in line.atoms(sympy.Derivative):
            if defined & {f.func for f in derivative.atoms(AppliedUndef)}:
                raise ProofError(f"{self.name}: {derivative} leaves out what a definition in it depends on")

    def steps(self) -> Iterator[Step]:
        for _, step in self.proof.scopes():
            yield step


@dataclass(frozen=True)
class Instance:
    """What a theorem says when values are put for symbols, and what it then rests on."""

    theorem: Theorem
    values: tuple[tuple[sympy.Symbol, sympy.Expr], ...]

    def __post_init__(self) -> None:
        for symbol, value in self.values:
            if any(symbol in definition.parameters for definition in self.theorem.definitions):
                raise ProofError(f"{self.theorem.name}: the definitions speak of one {symbol}")
            if not _may_be(value, symbol):
                raise ProofError(f"{self.theorem.name}: {symbol} cannot be {value}")
            if isinstance(self.theorem.proof, Induction) and symbol == self.theorem.statement.over:
                self._check_range(self.theorem.proof, value)

    def _check_range(self, proof: Induction, value: sympy.Expr) -> None:
        if proof.known - proof.shown == 1 and (value - proof.base.subs(dict(self.values))).is_positive:
            raise ProofError(f"{self.theorem.name}: shown up to {proof.base}, not at {value}")

    def _put(self, expression: sympy.Expr) -> sympy.Expr:
        return instance(expression, dict(self.values))

    @property
    def relation(self) -> Relation:
        return self.theorem.statement.relation

    @property
    def equation(self) -> Equation:
        left, right = self.theorem.statement.equation
        return self._put(left), self._put(right)

    @property
    def fact(self) -> Condition:
        """An inequality as the condition that the greater side less the other is positive, or not negative.

        It holds for all values of the symbols that only the values brought in.
        """
        left, right = self.equation
        given = [x for equation in self.boundary for x in equation] + [c.expression for c in self.conditions]
        free = {symbol for _, value in self.values for symbol in value.free_symbols}
        fixed = {symbol for x in given for symbol in x.free_symbols}
        excess = DIRECTION[self.relation] * (left - right)
        return Condition(excess, strict=len(self.relation) == 1, for_all=frozenset(free - fixed))

    @property
    def boundary(self) -> tuple[Equation, ...]:
        return tuple((self._put(left), self._put(right)) for left, right in self.theorem.boundary)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return tuple(Condition(self._put(c.expression), c.strict) for c in self.theorem.conditions)


def _may_be(value: sympy.Expr, symbol: sympy.Symbol) -> bool:
    """Whether the value has everything that is assumed of the symbol."""
    return check_assumptions(value, against=symbol) is True
