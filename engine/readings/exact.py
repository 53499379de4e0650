"""The exact reading: rationals, and 50-digit decimals where a formula leaves the rationals.

A float is read as the decimal it prints as, so 0.95 is 19/20: the number the learner typed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import mpmath

from engine import ops

_DECIMALS = mpmath.MPContext()
_DECIMALS.dps = 50
Decimal = _DECIMALS.mpf
T = TypeVar("T")
Exact: TypeAlias = Any  # a Fraction or a 50-digit decimal; mpmath makes the type of the latter at run time

LONGEST_RATIONAL = 64  # numbers; denominators grow with every step, so longer responses use decimals


class IrrationalError(ArithmeticError):
    """A rational computation met exp, log or sqrt."""


def rational(x: float) -> Fraction:
    return Fraction(repr(x))


def decimal(x: float) -> Any:
    return Decimal(repr(x))


def exactly(program: Callable[[Callable[[float], Exact]], T], size: int) -> T:
    """Run `program(lift)` on rationals; if it needs irrational numbers or is long, on 50-digit decimals."""
    if size <= LONGEST_RATIONAL:
        try:
            return program(rational)
        except IrrationalError:
            pass
    return program(decimal)


def _leaves_the_rationals(_: Fraction) -> Any:
    raise IrrationalError


def _choose(condition: bool, a: Exact, b: Exact) -> Exact:
    return a if condition else b


ops.register(
    Fraction,
    ops.Functions(
        exp=_leaves_the_rationals,
        log=_leaves_the_rationals,
        sqrt=_leaves_the_rationals,
        minimum=min,
        maximum=max,
        where=_choose,
    ),
)
ops.register(
    Decimal,
    ops.Functions(
        exp=_DECIMALS.exp,
        log=_DECIMALS.log,
        sqrt=_DECIMALS.sqrt,
        minimum=lambda a, b: min(_DECIMALS.convert(a), _DECIMALS.convert(b)),
        maximum=lambda a, b: max(_DECIMALS.convert(a), _DECIMALS.convert(b)),
        where=_choose,
    ),
)
