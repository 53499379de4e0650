"""Which expressions are positive, and which branch of a min, max or choice holds, under given conditions.

What cannot be shown is not shown: every answer errs on the side of "no".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

import sympy
from sympy.core.assumptions import check_assumptions

from engine.proofs.language import Condition

Facts: TypeAlias = Sequence[Condition]
_Test: TypeAlias = Callable[[sympy.Expr, tuple[Condition, ...], bool], bool]


def holds(condition: Condition, facts: Facts) -> bool:
    return shown(condition.expression, facts, strict=condition.strict)


def nonzero(expression: sympy.Expr, facts: Facts) -> bool:
    return bool(expression.is_nonzero) or any(shown(x, facts, strict=True) for x in (expression, -expression))


def shown(expression: sympy.Expr, facts: Facts, *, strict: bool) -> bool:
    """Whether expression > 0 (or ≥ 0) follows: from its symbols, from the signs of its parts, or from facts."""
    return _shown(expression, tuple(facts), strict)


@cache
def _shown(expression: sympy.Expr, facts: tuple[Condition, ...], strict: bool) -> bool:
    if isinstance(expression, sympy.Sum):
        known = [
            fact for fact in facts if not set(expression.variables) & (fact.expression.free_symbols - fact.for_all)
        ]
        in_range = all(check_assumptions(low, against=index) for index, low, _ in expression.limits)
        return not strict and in_range and _shown(expression.function, tuple(known), False)
    if _plainly(expression, facts, strict) or _by_extremes(expression, facts, strict, _shown):
        return True
    factored = sympy.factor(expression)
    return factored != expression and _by_factors(factored, facts, strict)


@cache
def _plainly(expression: sympy.Expr, facts: tuple[Condition, ...], strict: bool) -> bool:
    """As it stands, without looking for factors."""
    return _undivided(expression, facts, strict) or (expression.is_Mul and _by_factors(expression, facts, strict))


@cache
def _undivided(expression: sympy.Expr, facts: tuple[Condition, ...], strict: bool) -> bool:
    if expression.is_positive or (expression.is_nonnegative and not strict):
        return True
    return (
        _by_a_fact(expression, facts, strict)
        or _by_extremes(expression, facts, strict, _plainly)
        or _by_terms(sympy.expand(expression), facts, strict)
    )


def _by_a_fact(expression: sympy.Expr, facts: tuple[Condition, ...], strict: bool) -> bool:
    """The expression is a fact's, or exceeds it by something that is itself not negative."""
    for i, fact in enumerate(facts):
        over = sympy.expand(expression - fact.expression)
        over_must_be_strict = strict and not fact.strict
        if over == 0 and not over_must_be_strict:
            return True
        if over != 0 and _plainly(over, facts[:i] + facts[i + 1 :], over_must_be_strict):
            return True
    return False


def _by_extremes(expression: sympy.Expr, facts: tuple[Condition, ...], strict: bool, test: _Test) -> bool:
    """A max is at least each of its arguments, a min at most; and either is one of them."""
    for term in sympy.Add.make_args(expression):
        number, extreme = term.as_coeff_Mul()
        if isinstance(extreme, sympy.Max | sympy.Min):
            enough = any if number.is_positive == isinstance(extreme, sympy.Max) else all
            rest = expression - term
            return enough(test(rest + number * x, facts, strict) for x in extreme.args)
    return False


def _by_factors(expression: sympy.Expr, facts: tuple[Condition, ...], strict: bool) -> bool:
    """Squares aside, an even number of the factors is negative."""
    number, product = expression.as_coeff_Mul()
    positive = bool(number.is_positive)
    for factor in sympy.Mul.make_args(product):
        base, power = factor.as_base_exp()
        if power.is_even and power.is_nonnegative and base.is_real and not strict:
            continue
        x = base if power.is_integer else factor
        if _undivided(x, facts, strict):
            continue
        if not (_undivided(-x, facts, strict) and (x is factor or power.is_odd)):
            return False
        positive = not positive
    return positive


def _by_terms(total: sympy.Expr, facts: tuple[Condition, ...], strict: bool) -> bool:
    if not total.is_Add:
        return False
    if not all(_plainly(term, facts, False) for term in total.args):
        return False
    return not strict or any(_plainly(term, facts, True) for term in total.args)


def resolved(expression: sympy.Expr, facts: Facts) -> sympy.Expr:
    """Derivatives taken, and every min, max and choice replaced by the branch that the facts decide for."""
    expression = expression.replace(sympy.Derivative, lambda inside, *by: _derivative(inside, by, facts))
    expression = expression.replace(sympy.Max, lambda *args: sympy.Max(*_undominated(args, facts, 1)))
    expression = expression.replace(sympy.Min, lambda *args: sympy.Min(*_undominated(args, facts, -1)))
    return expression.replace(sympy.Piecewise, lambda *branches: _chosen(branches, facts))


def _derivative(inside: sympy.Expr, by: Sequence[sympy.Tuple], facts: Facts) -> sympy.Expr:
    """A branch may be differentiated only where it holds all around: by strict facts, or by such as do not vary."""
    varying = {variable for variable, _ in by}
    around = [fact for fact in facts if fact.strict or not fact.expression.free_symbols & varying]
    return sympy.diff(resolved(inside, around), *by)


def _undominated(arguments: Sequence[sympy.Expr], facts: Facts, direction: int) -> list[sympy.Expr]:
    """The arguments without those that another one is shown to reach."""
    left = list(arguments)
    for x in arguments:
        if any(y is not x and shown(direction * (y - x), facts, strict=False) for y in left):
            left.remove(x)
    return left


def _chosen(branches: Sequence[sympy.Tuple], facts: Facts) -> sympy.Expr:
    """The first branch whose condition is shown, once those before it are excluded."""
    for i, (value, condition) in enumerate(branches):
        if condition == sympy.true or _true(condition, facts):
            return value
        if not _true(sympy.Not(condition), facts):
            return sympy.Piecewise(*branches[i:])
    return sympy.Piecewise(*branches)


def _true(condition: sympy.Rel, facts: Facts) -> bool:
    return shown(
        condition.gts - condition.lts,
        facts,
        strict=isinstance(condition, sympy.StrictGreaterThan | sympy.StrictLessThan),
    )
