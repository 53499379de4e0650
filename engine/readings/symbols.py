"""The symbol reading: sympy expressions, with a quantity's value at an index written as a function of it."""

from __future__ import annotations

from typing import Any

import sympy

from engine import ops


class constant(sympy.Function):  # type: ignore[misc]  # noqa: N801  (untyped base; sympy prints the class name)
    """A number that no derivative passes through. `value(expression)` reads it as the number."""

    def _eval_derivative(self, _symbol: sympy.Symbol) -> sympy.Expr:
        return sympy.Integer(0)


def value(expression: sympy.Expr) -> sympy.Expr:
    """The expression with every `constant(x)` read as x."""
    return expression.replace(constant, lambda x: x)


def _where(condition: Any, a: ops.Number, b: ops.Number) -> sympy.Expr:
    return sympy.Piecewise((a, condition), (b, True))


ops.register(
    sympy.Basic,
    ops.Functions(
        exp=sympy.exp,
        log=sympy.log,
        sqrt=sympy.sqrt,
        minimum=sympy.Min,
        maximum=sympy.Max,
        where=_where,
        constant=constant,
    ),
)
