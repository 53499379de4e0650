"""The two inductions in use: from the end of the response backwards, and from the first value upwards."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from engine.proofs.language import T
from engine.proofs.proof import Induction, Statement
from engine.proofs.steps import Move, chain


def backwards(statement: Statement, base: Sequence[Move], step: Sequence[Move], end: sympy.Expr = T) -> Induction:
    """At the end, and at every place from the place after it; both chains go from the left side to the right."""
    here = statement.over
    assert here is not None, "an induction needs a variable"
    last, general = statement.at(end), statement.equation
    return Induction(
        statement,
        base=end,
        known=here + 1,
        shown=here,
        base_chain=chain(last[0], base, last[1]),
        step_chain=chain(general[0], step, general[1]),
    )


def upwards(statement: Statement, first: int, base: Sequence[Move], step: Sequence[Move]) -> Induction:
    """At the first value, and at every value from the one before; both chains go from the left side to the right."""
    known = statement.over
    assert known is not None, "an induction needs a variable"
    start, following = statement.at(sympy.Integer(first)), statement.at(known + 1)
    return Induction(
        statement,
        base=sympy.Integer(first),
        known=known,
        shown=known + 1,
        base_chain=chain(start[0], base, start[1]),
        step_chain=chain(following[0], step, following[1]),
    )
