"""What an operator makes of a formula: its differential, and for independent noise its variance.

Both read the engine's formula as it stands, so a recursion for A_t becomes a recursion for ∂A_t/∂r_k or Var A_t.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import sympy
from sympy.core.function import AppliedUndef

from engine.proofs.language import Definition, Quantity
from engine.proofs.steps import ProofError

Images: TypeAlias = Mapping[Quantity, Callable[[sympy.Expr], sympy.Expr]]


def differential(definition: Definition, name: Quantity, images: Images) -> Definition:
    """The derivative of a quantity, as the formula's chain rule: Σ ∂formula/∂x · image(x)."""
    return Definition(name, lambda i: _read(definition.formula(i), images, lambda c: c), definition.source)


def variance(definition: Definition, name: Quantity, images: Images) -> Definition:
    """The variance of a quantity that its formula adds up from independent ones: Σ coefficient² · image(x)."""
    return Definition(name, lambda i: _affine(definition.formula(i), images, lambda c: c**2), definition.source)


def expectation(definition: Definition, name: Quantity, images: Images) -> Definition:
    """The mean of a quantity that its formula adds up, multiplied by constants: Σ coefficient · image(x)."""
    return Definition(name, lambda i: _affine(definition.formula(i), images, lambda c: c), definition.source)


def _read(formula: sympy.Expr, images: Images, weight: Callable[[sympy.Expr], sympy.Expr]) -> sympy.Expr:
    quantities = sorted(formula.atoms(AppliedUndef), key=sympy.default_sort_key)
    return sympy.Add(*(weight(sympy.diff(formula, x)) * images[x.func](*x.args) for x in quantities))


def _affine(formula: sympy.Expr, images: Images, weight: Callable[[sympy.Expr], sympy.Expr]) -> sympy.Expr:
    quantities = formula.atoms(AppliedUndef)
    if any(sympy.diff(formula, x).atoms(AppliedUndef) for x in quantities):
        raise ProofError(f"{formula} multiplies what it should add up")
    if formula.subs(dict.fromkeys(quantities, 0)) != 0:
        raise ProofError(f"{formula} adds a constant, which the operator would lose")
    return _read(formula, images, weight)
