"""What a statement says about given numbers: symbols, quantities and sums evaluated without sympy's algebra."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import mpmath
import sympy
from sympy.core.function import AppliedUndef

from engine import ops
from engine.readings.exact import Decimal
from engine.readings.symbols import constant

STEP = mpmath.mpf(10) ** -15  # of a difference quotient; its square is the error
TOLERANCE = mpmath.mpf(10) ** -20


@dataclass(frozen=True)
class World:
    """Numbers for the symbols, and programs for the quantities, by name. `frozen` is where constants are read."""

    symbols: dict[str, Any]
    quantities: dict[str, Callable[..., Any]]
    irrational: bool = False
    frozen: World | None = None

    def lift(self, x: Fraction) -> Any:
        return Decimal(x.numerator) / x.denominator if self.irrational else x

    def with_symbols(self, **symbols: Any) -> World:
        return replace(self, symbols={**self.symbols, **symbols})


def agree(a: Any, b: Any) -> bool:
    return a == b if isinstance(a, Fraction | int) and isinstance(b, Fraction | int) else abs(a - b) < TOLERANCE


def value(x: Any, world: World) -> Any:
    """The number that an expression is in a world."""
    if x.is_Rational:
        return world.lift(Fraction(x.p, x.q))
    if x.is_Symbol:
        return world.symbols[x.name]
    for kind, evaluate in _EVALUATE.items():
        if isinstance(x, kind):
            return evaluate(x, world)
    raise TypeError(f"{type(x)} in {x}")


def _index(x: Any, world: World) -> Any:
    found = value(x, world)
    return int(found) if found == int(found) else found


def _add(x: Any, world: World) -> Any:
    return sum((value(y, world) for y in x.args), world.lift(Fraction(0)))


def _mul(x: Any, world: World) -> Any:
    product = world.lift(Fraction(1))
    for y in x.args:
        product *= value(y, world)
    return product


def _power(x: Any, world: World) -> Any:
    base, exponent = value(x.base, world), value(x.exp, world)
    if exponent == int(exponent):
        return base ** int(exponent)
    assert exponent * 2 == int(exponent * 2), f"{x} is not a square root"
    return ops.sqrt(base) ** int(exponent * 2)


def _sum(x: Any, world: World) -> Any:
    index, low, high = x.limits[0]
    places = range(_index(low, world), _index(high, world) + 1)
    terms = (value(x.function, world.with_symbols(**{index.name: world.lift(Fraction(i))})) for i in places)
    return sum(terms, world.lift(Fraction(0)))


def _quantity(x: Any, world: World) -> Any:
    return world.quantities[x.func.__name__](*(_index(y, world) for y in x.args))


def _choice(x: Any, world: World) -> Any:
    for branch, condition in x.args:
        if condition == sympy.true or _compare(condition, world):
            return value(branch, world)
    raise ValueError(f"no branch of {x} holds")


def _compare(condition: Any, world: World) -> bool:
    less, more = value(condition.lts, world), value(condition.gts, world)
    return less < more if isinstance(condition, sympy.StrictLessThan | sympy.StrictGreaterThan) else less <= more


def _derivative(x: Any, world: World) -> Any:
    """A central difference; what is constant stays at the middle."""
    (variable, order) = x.variable_count[0]
    assert order == 1 and world.irrational
    middle = world.symbols[variable.name]
    ends = (
        value(x.expr, replace(world.with_symbols(**{variable.name: middle + side}), frozen=world))
        for side in (STEP, -STEP)
    )
    return (next(ends) - next(ends)) / (2 * STEP)


_EVALUATE: dict[type, Callable[[Any, World], Any]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.exp: lambda x, world: ops.exp(value(x.args[0], world)),
    sympy.Pow: _power,
    sympy.log: lambda x, world: ops.log(value(x.args[0], world)),
    sympy.Max: lambda x, world: max(value(y, world) for y in x.args),
    sympy.Min: lambda x, world: min(value(y, world) for y in x.args),
    sympy.KroneckerDelta: lambda x, world: world.lift(Fraction(value(x.args[0], world) == value(x.args[1], world))),
    sympy.Piecewise: _choice,
    sympy.Sum: _sum,
    sympy.Derivative: _derivative,
    constant: lambda x, world: value(x.args[0], world.frozen or world),
    AppliedUndef: _quantity,
}
