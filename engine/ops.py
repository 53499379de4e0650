"""The few functions that operators do not cover, dispatched on the operands' reading in this one place.

A formula that needs exp or max says `ops.exp(x)`; which exp that is depends on what x is: a tensor, an exact
number, a symbol or a worked number. Each reading registers its own functions for its own type.
"""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple, Protocol, TypeAlias

Number: TypeAlias = Any  # a float, an exact number, a tensor, a sympy expression or a Worked number


class _Unary(Protocol):
    def __call__(self, x: Number, /) -> Number: ...


class _Binary(Protocol):
    def __call__(self, a: Number, b: Number, /) -> Number: ...


class _Choice(Protocol):
    def __call__(self, condition: Any, a: Number, b: Number, /) -> Number: ...


class _Comparison(Protocol):
    def __call__(self, a: Number, b: Number, /) -> Any: ...


class _Naming(Protocol):
    def __call__(self, x: Number, quantity: str, index: int | None, /) -> Number: ...


class _Boundary(Protocol):
    def __call__(self, like: Number, quantity: str, index: int, /) -> Number: ...


class Functions(NamedTuple):
    """What a reading provides beyond operators."""

    exp: _Unary
    log: _Unary
    sqrt: _Unary
    minimum: _Binary
    maximum: _Binary
    where: _Choice
    less: _Comparison = lambda a, b: a < b  # and not by rounding alone
    constant: _Unary = lambda x: x  # the same number, cut off from differentiation
    named: _Naming = lambda x, _quantity, _index: x  # what is done with a quantity's finished value
    boundary: _Boundary = lambda _like, _quantity, _index: 0  # the 0 that stands after the last token


_REGISTERED: dict[type, Functions] = {}
_LARGEST_EXPONENT = math.log(sys.float_info.max)


def _exp(x: float) -> float:
    """Infinity beyond the largest float, as torch has it."""
    return math.exp(x) if x <= _LARGEST_EXPONENT else math.inf


_PLAIN = Functions(
    exp=_exp,
    log=math.log,
    sqrt=math.sqrt,
    minimum=min,
    maximum=max,
    where=lambda condition, a, b: a if condition else b,
)


def register(kind: type, functions: Functions) -> None:
    """Declare which functions numbers of this type use."""
    _REGISTERED[kind] = functions


def _functions(*operands: Number) -> Functions:
    """The functions of the first operand that belongs to a reading; plain Python's if none does."""
    for operand in operands:
        for kind in type(operand).__mro__:
            if kind in _REGISTERED:
                return _REGISTERED[kind]
    return _PLAIN


def exp(x: Number) -> Number:
    return _functions(x).exp(x)


def log(x: Number) -> Number:
    return _functions(x).log(x)


def sqrt(x: Number) -> Number:
    return _functions(x).sqrt(x)


def minimum(a: Number, b: Number) -> Number:
    return _functions(a, b).minimum(a, b)


def maximum(a: Number, b: Number) -> Number:
    return _functions(a, b).maximum(a, b)


def clip(x: Number, low: Number, high: Number) -> Number:
    return minimum(maximum(x, low), high)


def where(condition: Any, a: Number, b: Number) -> Number:
    """a where the condition holds, else b. The condition is a comparison of two numbers of one reading."""
    return _functions(condition, a, b).where(condition, a, b)


def less(a: Number, b: Number) -> Any:
    """Whether a lies below b, where rounding does not decide a tie."""
    return _functions(a, b).less(a, b)


def constant(x: Number) -> Number:
    """x as a number that no derivative passes through (torch's detach)."""
    return _functions(x).constant(x)


def named(x: Number, quantity: str, index: int | None = None) -> Number:
    """x, finished, as the value of a quantity (at an index). Worked numbers write a line here; others pass."""
    return _functions(x).named(x, quantity, index)


def boundary(like: Number, quantity: str, index: int) -> Number:
    """The 0 that a quantity is after the last token, as a number of the reading that `like` belongs to."""
    return _functions(like).boundary(like, quantity, index)
