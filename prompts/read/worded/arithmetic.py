"""A figure that is written as arithmetic: 1/3, 0.95^5, 0.32 + 0.45×0.2."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

LARGEST_EXPONENT = 2000
LARGEST = 10**12
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/"})
_DONE: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def reckoned(written: str) -> Fraction | None:
    """Its value, exactly; None where it has none."""
    plain = written.translate(_SIGNS).replace("^", "**").replace("%", "/100").replace(" ", "")
    try:
        return _value(ast.parse(plain, mode="eval").body, plain)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None


def _value(node: ast.expr, plain: str) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(plain[node.col_offset : node.end_col_offset])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, plain)
    if not isinstance(node, ast.BinOp):
        raise ValueError(plain)
    left, right = _value(node.left, plain), _value(node.right, plain)
    if isinstance(node.op, ast.Pow):
        if right.denominator != 1 or abs(right) > LARGEST_EXPONENT or (not left and right < 0):
            raise ValueError(plain)
        return _bounded(left ** int(right))
    return _bounded(_DONE[type(node.op)](left, right))


def _bounded(value: Fraction) -> Fraction:
    if abs(value) > LARGEST:
        raise ValueError
    return value
