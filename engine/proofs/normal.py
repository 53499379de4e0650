"""When two expressions are equal: both are brought to one normal form, sums of symbolic length included.

This is the checker of every proof step, and knows nothing of the moves that made the step.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy.core.function import AppliedUndef

from engine.proofs.language import Condition, Definition, Equation
from engine.proofs.signs import nonzero, resolved

_INDEX = sympy.Dummy("k", integer=True)  # no statement's own symbol can be mistaken for it


def equal(a: sympy.Expr, b: sympy.Expr) -> bool:
    """Whether a = b by algebra and by splitting sums."""
    return vanishes(residual(a, b))


def vanishes(difference: sympy.Expr) -> bool:
    """Whether it is 0, if need be over a common denominator."""
    return difference == 0 or normal(sympy.fraction(sympy.together(difference))[0]) == 0


def residual(
    a: sympy.Expr,
    b: sympy.Expr,
    definitions: Sequence[Definition] = (),
    equations: Sequence[Equation] = (),
    conditions: Sequence[Condition] = (),
) -> sympy.Expr:
    """What is left of a − b under the equations, definitions and conditions; a = b where it vanishes.

    A definition is unfolded wherever its quantity stands; an equation eliminates one term. Neither reaches into a
    derivative: what holds at a point says nothing about the neighbourhood.
    """
    difference = normal(without_derivatives(resolved(a, conditions) - resolved(b, conditions)))
    for equation in equations:
        difference = _eliminated(difference, equation, conditions)
    for definition in definitions:
        difference = normal(difference.replace(definition.quantity, definition.formula))
    return difference


def without_derivatives(expression: sympy.Expr) -> sympy.Expr:
    """Every derivative of a quantity written as a quantity of its own, so that no substitution reaches inside."""
    return expression.replace(
        sympy.Derivative,
        lambda inside, *by: sympy.Function(f"derivative of {inside.func} by {by}", real=True)(*inside.args),
    )


def _eliminated(expression: sympy.Expr, equation: Equation, conditions: Sequence[Condition]) -> sympy.Expr:
    """The expression without one term of the equation (a sum if it has one); as it is, if none can be eliminated.

    The term is solved for where nothing that may be 0 divides it; else a multiple of the equation is taken off.
    """
    left, right = equation
    if left.is_Symbol:
        return normal(expression.subs(left, right))
    law = normal(without_derivatives(left - right))
    candidates = law.atoms(sympy.Sum) or normal(without_derivatives(left)).atoms(AppliedUndef)
    pivots = sorted(candidates, key=sympy.default_sort_key)
    for pivot in pivots:
        coefficient = law.coeff(pivot)
        if nonzero(coefficient, conditions):
            return normal(expression.subs(pivot, sympy.expand(pivot - law / coefficient)))
    for pivot in pivots:
        multiple = sympy.cancel(expression.coeff(pivot) / law.coeff(pivot))
        if nonzero(sympy.fraction(multiple)[1], conditions):
            return normal(expression - multiple * law)
    return expression


def normal(expression: sympy.Expr) -> sympy.Expr:
    """Expanded, with every sum in the form of `_normal_product_sum`."""
    return sympy.expand(sympy.expand(expression.replace(sympy.Sum, _normal_sum)))


def _normal_sum(summand: sympy.Expr, limits: sympy.Tuple) -> sympy.Expr:
    index, low, high = limits
    term = sympy.expand(summand.subs(index, _INDEX))
    return sympy.Add(*(_normal_product_sum(product, low, high) for product in sympy.Add.make_args(term)))


def _normal_product_sum(product: sympy.Expr, low: sympy.Expr, high: sympy.Expr) -> sympy.Expr:
    """Σ of one product, counted so that its first quantity stands at the index itself, from and to plain symbols.

    Terms at the ends that the plain symbols leave out or have too many stand beside the sum.
    """
    shift = _offset(product)
    product = sympy.expand(product.subs(_INDEX, _INDEX - shift))
    low, high = sympy.expand(low + shift), sympy.expand(high + shift)
    if (high - low).is_Integer:
        return sympy.Add(*(product.subs(_INDEX, low + i) for i in range(int(high - low) + 1)))
    front, varying = product.as_independent(_INDEX, as_Add=False)
    after_low, plain_low = low.as_coeff_Add()
    after_high, plain_high = (high + 1).as_coeff_Add()
    if varying == 1:
        return front * (high - low + 1)
    whole = sympy.Sum(varying, (_INDEX, plain_low, plain_high - 1))
    return front * (whole - _run(varying, plain_low, after_low) + _run(varying, plain_high, after_high))


def _run(term: sympy.Expr, start: sympy.Expr, count: sympy.Expr) -> sympy.Expr:
    """The terms from start on, `count` of them; with a negative count, minus those before the start."""
    if count >= 0:
        return sympy.Add(*(term.subs(_INDEX, start + i) for i in range(int(count))))
    return -sympy.Add(*(term.subs(_INDEX, start - i) for i in range(1, 1 - int(count))))


def _offset(product: sympy.Expr) -> sympy.Expr:
    """How far past the index the product's first quantity stands; 0 when it has none."""
    places = (place for f in product.atoms(AppliedUndef) for place in f.args if place.diff(_INDEX) == 1)
    return min((sympy.expand(place - _INDEX) for place in places), key=sympy.default_sort_key, default=sympy.Integer(0))
