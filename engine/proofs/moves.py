"""The moves of a derivation. Each is applied here to the last line; none is trusted: proof.py checks the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy

from engine.proofs.language import Definition, Equation


@dataclass(frozen=True)
class Move:
    """One named step. `reason` is the key under which the words of each language stand.

    What it may use beyond algebra: definitions, unfolded everywhere; a recursion, unfolded at one index;
    equations: a hypothesis, a boundary value.
    """

    reason: str
    apply: Callable[[sympy.Expr], sympy.Expr]
    definitions: tuple[Definition, ...] = ()
    recursions: tuple[tuple[Definition, sympy.Expr], ...] = ()
    equations: tuple[Equation, ...] = ()


def unfold(definition: Definition) -> Move:
    """Replace the quantity, wherever it stands, by what it is defined to be."""
    return Move(
        f"unfold_{definition.name}",
        lambda line: line.replace(definition.quantity, definition.formula),
        definitions=(definition,),
    )


def unfold_at(definition: Definition, index: sympy.Expr) -> Move:
    """One step of a recursion, at one index."""
    return Move(
        f"unfold_{definition.name}",
        lambda line: line.subs(*definition.at(index)),
        recursions=((definition, index),),
    )


def fold(definition: Definition, index: sympy.Expr) -> Move:
    """Recognise the defining formula at one index and write the quantity for it."""
    quantity, formula = definition.at(index)
    return Move(
        f"fold_{definition.name}",
        lambda line: sympy.expand(line - formula) + quantity,
        recursions=((definition, index),),
    )


def use(equation: Equation, reason: str) -> Move:
    """Put the right side of a known equation for its left: the hypothesis, a boundary value, an earlier theorem."""
    left, right = equation
    return Move(reason, lambda line: line.subs(left, right), equations=(equation,))


def split_first() -> Move:
    """Take the first term out of the sum."""

    def split(summand: sympy.Expr, limits: sympy.Tuple) -> sympy.Expr:
        index, low, high = limits
        return summand.subs(index, low) + sympy.Sum(summand, (index, low + 1, high))

    return Move("split_first", lambda line: line.replace(sympy.Sum, split))


def split_last() -> Move:
    """Take the last term out of the sum."""

    def split(summand: sympy.Expr, limits: sympy.Tuple) -> sympy.Expr:
        index, low, high = limits
        return sympy.Sum(summand, (index, low, high - 1)) + summand.subs(index, high)

    return Move("split_last", lambda line: line.replace(sympy.Sum, split))


def reindex(shift: int) -> Move:
    """Count the sum from another start: the index k becomes k + shift, common factors go in front."""

    def shifted(summand: sympy.Expr, limits: sympy.Tuple) -> sympy.Expr:
        index, low, high = limits
        moved = sympy.expand_power_exp(summand.subs(index, index + shift))
        front, inside = moved.as_independent(index, as_Add=False)
        return front * sympy.Sum(inside, (index, low - shift, high - shift))

    return Move("reindex", lambda line: line.replace(sympy.Sum, shifted))


def expand(reason: str = "expand") -> Move:
    return Move(reason, sympy.expand)


def cancel(reason: str = "cancel") -> Move:
    """Multiply out, and let opposite terms vanish."""
    return Move(reason, sympy.expand)


def collect(by: sympy.Expr | tuple[sympy.Expr, ...], reason: str = "collect") -> Move:
    return Move(reason, lambda line: sympy.collect(sympy.expand(line), by))


def factor(reason: str = "factor") -> Move:
    return Move(reason, sympy.factor)


def simplify(reason: str = "simplify") -> Move:
    return Move(reason, sympy.simplify)


def substitute(symbol: sympy.Expr, value: sympy.Expr, reason: str) -> Move:
    """Set a parameter to the value that the statement is about."""
    return Move(reason, lambda line: line.subs(symbol, value), equations=((symbol, value),))


def write_out() -> Move:
    """A sum of known length, term by term."""
    return Move("write_out", lambda line: line.replace(sympy.Sum, lambda *a: sympy.Sum(*a).doit()))


def arrange(target: sympy.Expr, reason: str = "arrange") -> Move:
    """The same line by algebra alone, arranged as the reader needs it."""
    return Move(reason, lambda _line: target)
