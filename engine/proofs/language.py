"""The words of a proof: quantities as functions of the token index, their definitions, and conditions.

A definition is not typed here: it is the engine's own formula, called on symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Literal, TypeAlias

import sympy
from sympy.core.function import UndefinedFunction

from engine import formulas

t, k, n = sympy.symbols("t k n", integer=True)
T = sympy.Symbol("T", integer=True)
m = sympy.Symbol("m", integer=True, nonnegative=True)  # how many tokens lie between two
j = sympy.Symbol("j", integer=True, positive=True)
N = sympy.Symbol("N", integer=True, positive=True)  # how many there are: terms, tokens of the vocabulary, responses
a = sympy.Symbol("a", integer=True)  # a token of the vocabulary
# Positive, so that powers split; a statement here is a polynomial identity in γ and λ, so it also holds at 0.
gamma, lam, beta = sympy.symbols("gamma lam beta", positive=True)


Quantity: TypeAlias = UndefinedFunction  # of an index: what sympy.Function(name) makes


def quantity(name: str, **assumptions: bool) -> Quantity:
    """A quantity as a function of the token index, under the name its facts have."""
    return sympy.Function(name, real=True, **assumptions)


r = quantity("rewards")
V = quantity("values")
delta = quantity("deltas")
A = quantity("advantages")
G = quantity("mc_returns")
R = quantity("returns")


Equation: TypeAlias = tuple[sympy.Expr, sympy.Expr]
Relation: TypeAlias = Literal["=", "<=", "<", ">=", ">"]


def _itself(*index: sympy.Expr) -> tuple[sympy.Expr, ...]:
    return index


@dataclass(frozen=True)
class Definition:
    """quantity(index) := formula(index), for every index before the end."""

    quantity: Quantity
    formula: Callable[..., sympy.Expr]
    source: Callable[..., object]  # the engine's formula that was called
    place: Callable[..., tuple[sympy.Expr, ...]] = _itself  # where it holds, when not at every index

    @property
    def name(self) -> str:
        return str(self.quantity.__name__)

    @property
    def parameters(self) -> frozenset[sympy.Symbol]:
        """The symbols it is about, beside the index: γ, λ …"""
        index = [sympy.Dummy(name, integer=True) for name in signature(self.formula).parameters]
        return frozenset(self.formula(*index).free_symbols - set(index))

    def at(self, *index: sympy.Expr) -> Equation:
        return self.quantity(*self.place(*index)), self.formula(*index)


@dataclass(frozen=True)
class Condition:
    """expression > 0, or ≥ 0 where it is not strict: what a theorem or a case takes for granted."""

    expression: sympy.Expr
    strict: bool = True
    for_all: frozenset[sympy.Symbol] = frozenset()  # it holds whatever these are


def greater(left: sympy.Expr, right: sympy.Expr) -> Condition:
    return Condition(left - right)


def at_least(left: sympy.Expr, right: sympy.Expr) -> Condition:
    return Condition(left - right, strict=False)


TD_ERROR = Definition(delta, lambda i: formulas.td_error(r(i), V(i), V(i + 1), gamma), formulas.td_error)
GAE_STEP = Definition(A, lambda i: formulas.gae_step(delta(i), A(i + 1), gamma, lam), formulas.gae_step)
MC_STEP = Definition(G, lambda i: formulas.mc_step(r(i), G(i + 1), gamma), formulas.mc_step)
LAMBDA_RETURN_STEP = Definition(
    R,
    lambda i: formulas.lambda_return_step(r(i), V(i + 1), R(i + 1), gamma, lam),
    formulas.lambda_return_step,
)

# What stands after the last token.
NO_VALUE_LEFT: Equation = (V(T), sympy.Integer(0))
NO_ADVANTAGE_LEFT: Equation = (A(T), sympy.Integer(0))
NO_REWARD_LEFT: Equation = (G(T), sympy.Integer(0))
NO_RETURN_LEFT: Equation = (R(T), sympy.Integer(0))
