"""The words of a proof: quantities as functions of the token index, and what each is defined to be.

A definition is not typed here: it is the engine's own formula, called on symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import sympy

from engine import formulas

t, k, n = sympy.symbols("t k n", integer=True)
T = sympy.Symbol("T", integer=True)
# Positive, so that powers split; a statement here is a polynomial identity in γ and λ, so it also holds at 0.
gamma, lam, beta = sympy.symbols("gamma lam beta", positive=True)


def quantity(name: str) -> type[sympy.Function]:
    """A quantity as a function of the token index, under the name its facts have."""
    return sympy.Function(name, real=True)


r = quantity("rewards")
V = quantity("values")
delta = quantity("deltas")
A = quantity("advantages")
G = quantity("mc_returns")
R = quantity("returns")


Equation: TypeAlias = tuple[sympy.Expr, sympy.Expr]


@dataclass(frozen=True)
class Definition:
    """quantity(index) := formula(index), for every index before the end."""

    quantity: type[sympy.Function]
    formula: Callable[[sympy.Expr], sympy.Expr]
    source: Callable[..., object]  # the engine's formula that was called

    @property
    def name(self) -> str:
        return str(self.quantity.__name__)

    def at(self, index: sympy.Expr) -> Equation:
        return self.quantity(index), self.formula(index)


TD_ERROR = Definition(delta, lambda i: formulas.td_error(r(i), V(i), V(i + 1), gamma), formulas.td_error)
GAE_STEP = Definition(A, lambda i: formulas.gae_step(delta(i), A(i + 1), gamma, lam), formulas.gae_step)
MC_STEP = Definition(G, lambda i: formulas.mc_step(r(i), G(i + 1), gamma), formulas.mc_step)
LAMBDA_RETURN_STEP = Definition(
    R,
    lambda i: formulas.lambda_return_step(r(i), V(i + 1), R(i + 1), gamma, lam),
    formulas.lambda_return_step,
)
