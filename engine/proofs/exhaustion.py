"""Whether cases leave nothing out: every combination of signs of what they ask about falls into one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import sympy

from engine.proofs.language import Condition


def exhaustive(cases: Sequence[Sequence[Condition]]) -> bool:
    subjects = list(dict.fromkeys(_subject(condition)[0] for case in cases for condition in case))
    return all(any(_falls(signs, case) for case in cases) for signs in _combinations(subjects))


def _combinations(subjects: Sequence[sympy.Expr]) -> Iterator[dict[sympy.Expr, int]]:
    for signs in product((-1, 0, 1), repeat=len(subjects)):
        yield dict(zip(subjects, signs, strict=True))


def _falls(signs: dict[sympy.Expr, int], case: Sequence[Condition]) -> bool:
    return all(_met(condition, signs) for condition in case)


def _met(condition: Condition, signs: dict[sympy.Expr, int]) -> bool:
    subject, side = _subject(condition)
    sign = side * signs[subject]
    return sign > 0 or (sign == 0 and not condition.strict)


def _subject(condition: Condition) -> tuple[sympy.Expr, int]:
    """The expression up to its sign, so that x > 0 and −x ≥ 0 speak of the same thing; and which sign it has."""
    expression = sympy.expand(condition.expression)
    negated = sympy.expand(-expression)
    first = min(expression, negated, key=sympy.default_sort_key)
    return first, 1 if first == expression else -1
