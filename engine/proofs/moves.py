"""The moves of a derivation. Each is applied here to the last line; none is trusted: steps.py checks the result."""

from __future__ import annotations

import sympy

from engine.proofs.language import Condition, Definition, Equation, Relation
from engine.proofs.proof import HYPOTHESIS, Instance, Statement, Theorem
from engine.proofs.steps import Move


def unfold(definition: Definition) -> Move:
    """Replace the quantity, wherever it stands, by what it is defined to be."""
    return Move(
        f"unfold_{definition.name}",
        lambda line: line.replace(definition.quantity, definition.formula),
        definitions=(definition,),
    )


def unfold_at(definition: Definition, *index: sympy.Expr, reason: str | None = None) -> Move:
    """One step of a recursion, at one index; for a reason of its own where the definition is one of a special case."""
    return Move(
        reason or f"unfold_{definition.name}",
        lambda line: _put(line, *definition.at(*index)),
        recursions=((definition, index),),
    )


def fold(definition: Definition, *index: sympy.Expr) -> Move:
    """Recognise the defining formula at one index and write the quantity for it."""
    quantity, formula = definition.at(*index)
    return Move(
        f"fold_{definition.name}",
        lambda line: sympy.expand(line - formula) + quantity,
        recursions=((definition, index),),
    )


def use(equation: Equation, reason: str) -> Move:
    """Put the right side of a known equation for its left: the hypothesis, a boundary value, an earlier theorem."""
    left, right = equation
    return Move(reason, lambda line: _put(line, left, right), equations=(equation,))


def recall(equation: Equation, reason: str, times: sympy.Expr = sympy.S.One) -> Move:
    """Bring in the left side of a known equation for its right, so often."""
    left, right = equation
    return Move(reason, lambda line: sympy.expand(line + times * (left - right)), equations=(equation,))


def hypothesis(statement: Statement, value: sympy.Expr, solve_for: sympy.Expr | None = None) -> Move:
    """Put what the statement says at a neighbouring value, as the induction step may."""
    equation = statement.at(value)
    left, right = _solved(equation, solve_for)
    return Move(HYPOTHESIS, lambda line: _put(line, left, right), equations=(equation,))


def by(
    theorem: Theorem,
    reason: str,
    values: dict[sympy.Symbol, sympy.Expr] | None = None,
    solve_for: sympy.Expr | None = None,
) -> Move:
    """Put what an earlier theorem says, at the values given for its symbols: its right side for its left."""
    lemma = Instance(theorem, tuple((values or {}).items()))
    left, right = _solved(lemma.equation, solve_for)
    return Move(reason, lambda line: _put(line, left, right), lemmas=(lemma,))


def _solved(equation: Equation, term: sympy.Expr | None) -> Equation:
    """The equation with one of its terms alone on the left; as it stands when no term is named."""
    if term is None:
        return equation
    unknown = sympy.Dummy()
    law = (equation[0] - equation[1]).xreplace({term: unknown})
    return term, -law.xreplace({unknown: sympy.S.Zero}) / law.diff(unknown)


def _put(line: sympy.Expr, left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    """The line with right for left, except inside derivatives."""
    inside = {d: sympy.Dummy() for side in (line, left, right) for d in side.atoms(sympy.Derivative)}
    outside = {dummy: derivative for derivative, dummy in inside.items()}
    bare, old, new = (side.xreplace(inside) for side in (line, left, right))
    found = bare.xreplace({old: new}) if bare.has(old) else bare.subs(old, new)
    return found.xreplace(outside)


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


def reindex(shift: int, reason: str = "reindex") -> Move:
    """Count the sum from another start: the index k becomes k + shift, common factors go in front if there are any."""

    def shifted(summand: sympy.Expr, limits: sympy.Tuple) -> sympy.Expr:
        index, low, high = limits
        moved = sympy.expand_power_exp(summand.subs(index, index + shift))
        front, inside = moved.as_independent(index, as_Add=False)
        return front * sympy.Sum(inside, (index, low - shift, high - shift))

    return Move(reason, lambda line: line.replace(sympy.Sum, shifted))


def cancel(reason: str = "cancel") -> Move:
    """Multiply out, and let opposite terms vanish."""
    return Move(reason, sympy.expand)


def factor(reason: str = "factor") -> Move:
    return Move(reason, sympy.factor)


def write_out(reason: str = "write_out") -> Move:
    """A sum of known length, term by term."""
    return Move(reason, lambda line: line.replace(sympy.Sum, lambda *a: sympy.Sum(*a).doit()))


def empty_sum() -> Move:
    """A sum without terms is 0."""
    return write_out("empty_sum")


def sum_by_terms(reason: str = "sum_by_terms") -> Move:
    """The sum of a sum is the sum of the sums; what does not depend on the index goes in front."""

    def split(summand: sympy.Expr, limits: sympy.Tuple) -> sympy.Expr:
        parts = []
        for term in sympy.Add.make_args(sympy.expand(summand)):
            front, inside = term.as_independent(limits[0], as_Add=False)
            parts.append(front * (sympy.Sum(inside, limits) if inside != 1 else limits[2] - limits[1] + 1))
        return sympy.Add(*parts)

    return Move(reason, lambda line: line.replace(sympy.Sum, split))


def differentiate(reason: str = "differentiate", conditions: tuple[Condition, ...] = ()) -> Move:
    """Take the derivatives that the line speaks of."""
    return Move(
        reason,
        lambda line: line.replace(sympy.Derivative, lambda inside, *by: sympy.diff(inside, *by)),
        conditions=conditions,
    )


def choose(branch: sympy.Expr, of: sympy.Expr, reason: str, *conditions: Condition) -> Move:
    """Put one branch for a min, max or choice: the one that the conditions decide for; inside derivatives too."""
    return Move(reason, lambda line: line.subs(of, branch), conditions=conditions)


def bound(relation: Relation, target: sympy.Expr, reason: str, *conditions: Condition) -> Move:
    """Go on to a line that is larger (<=, <) or smaller (>=, >) by something whose sign the conditions show."""
    return Move(reason, lambda _line: target, conditions=conditions, relation=relation)


def bound_by(lemma: Instance, relation: Relation, target: sympy.Expr, reason: str) -> Move:
    """Go on to a line that is larger or smaller by what an earlier inequality says."""
    return Move(reason, lambda _line: target, lemmas=(lemma,), relation=relation)


def minimum(variable: sympy.Symbol, place: sympy.Expr, reason: str = "convex_minimum") -> Move:
    """Go down to the smallest value of a line that is convex in the variable and flat at the place."""
    return Move(reason, lambda line: line.subs(variable, place), relation=">=", minimum_at=(variable, place))


def arrange(target: sympy.Expr, reason: str = "arrange", *conditions: Condition) -> Move:
    """The same line by algebra alone, arranged as the reader needs it; under the conditions, if there are any."""
    return Move(reason, lambda _line: target, conditions=conditions)
