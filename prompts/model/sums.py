"""Sums that a model would like to speak of, worked out: arithmetic on the learner's figures, and nothing else."""

from __future__ import annotations

import ast
import math
import operator
import re
import statistics
from collections.abc import Callable, Mapping
from typing import Any

from prompts.model.standing import read_figures

LONGEST = 160  # characters
GREATEST = 1e300
_SIGN = re.compile(r"[-+*/^×−(]")
Number = float | list[float]


class _NoSumError(Exception):
    """Something that is no arithmetic, or cannot be worked out."""


def worked_out(asked: str, message: str) -> str | None:
    """“0.85^20 = 0.0387595”; None where it is no sum, has no figure of the message, or no finite result."""
    text = asked.strip().strip("`").partition("=")[0].strip()
    if not text or len(text) > LONGEST or not _SIGN.search(text) or not _figures(text) & _figures(message):
        return None
    try:
        found = _value(ast.parse(text.replace("^", "**").replace("×", "*").replace("−", "-"), mode="eval").body)
        shown = told(found)
    except (
        _NoSumError,
        SyntaxError,
        ValueError,
        ArithmeticError,
        RecursionError,
        MemoryError,
        statistics.StatisticsError,
    ):
        return None
    return f"{text.replace('**', '^')} = {shown}"


def told(x: Any) -> str:
    """Numbers at six digits, as they are read again."""
    if isinstance(x, list | tuple):
        return f"[{', '.join(map(told, x))}]"
    if x is None:
        return "–"
    if not math.isfinite(x) or abs(x) > GREATEST:
        raise _NoSumError
    return f"{x + 0.0:.6g}".replace("e+", "e")


def _figures(text: str) -> set[float]:
    signs = text.replace("-", " ")
    return {float(one) for one in read_figures(signs.replace(",", " ")) + read_figures(signs.replace(",", ""))}


def _value(node: ast.AST) -> Number:
    match node:
        case ast.Constant(value=int() | float() as x) if not isinstance(x, bool):
            return float(x)
        case ast.UnaryOp(op=ast.USub(), operand=x):
            return _each(operator.neg, _value(x))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BETWEEN:
            return _pairwise(_BETWEEN[type(op)], _value(left), _value(right))
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [_number(_value(one)) for one in elements]
        case ast.Call(func=ast.Name(id=name), args=[one], keywords=[]) if name in _OF_ONE:
            return _each(_OF_ONE[name], _value(one))
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in _OF_LISTS and given:
            row = _value(given[0]) if len(given) == 1 else [_number(_value(one)) for one in given]
            return float(_OF_LISTS[name](row if isinstance(row, list) else [row]))
    raise _NoSumError


def _each(does: Callable[[float], float], x: Number) -> Number:
    return [_real(does(one)) for one in x] if isinstance(x, list) else _real(does(x))


def _pairwise(does: Callable[[float, float], float], a: Number, b: Number) -> Number:
    if isinstance(a, list) and isinstance(b, list):
        return [_real(does(x, y)) for x, y in zip(a, b, strict=True)]
    if isinstance(a, list):
        return [_real(does(x, _number(b))) for x in a]
    return [_real(does(a, y)) for y in b] if isinstance(b, list) else _real(does(a, b))


def _number(x: Number) -> float:
    if isinstance(x, list):
        raise _NoSumError
    return x


def _real(x: Any) -> float:
    if isinstance(x, complex):
        raise _NoSumError
    return float(x)


_BETWEEN: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_OF_ONE: Mapping[str, Callable[[float], float]] = {
    "exp": math.exp, "log": math.log, "ln": math.log, "sqrt": math.sqrt, "abs": abs,
}  # fmt: skip
_OF_LISTS: Mapping[str, Callable[[list[float]], float]] = {
    "sum": sum, "mean": statistics.fmean, "min": min, "max": max, "std": statistics.stdev, "pstd": statistics.pstdev,
}  # fmt: skip
