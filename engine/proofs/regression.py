"""What a squared error teaches: its gradient vanishes where the prediction is the mean of the targets."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas
from engine.proofs.language import a, quantity
from engine.proofs.moves import differentiate, sum_by_terms, use
from engine.proofs.proof import Statement, Theorem
from engine.proofs.steps import chain
from engine.proofs.value_loss import vpred
from engine.proofs.vocabulary import P_SUMS_TO_ONE, expected

return_of = quantity("return_of_token")  # the target that came, when token a was drawn


@cache
def regression_is_flat_at_the_mean() -> Theorem:
    """d/dV E[(V − R)²] = 2 (V − E[R])."""
    start = sympy.Derivative(expected(formulas.squared_error(vpred, return_of(a))), vpred)
    goal = 2 * (vpred - expected(return_of(a)))
    proof = chain(
        start,
        [
            differentiate(),
            sum_by_terms("expectation_is_linear"),
            use(P_SUMS_TO_ONE, "probabilities_sum_to_one"),
        ],
        goal,
    )
    return Theorem("regression_is_flat_at_the_mean", Statement(start, goal), proof, boundary=(P_SUMS_TO_ONE,))


THEOREMS = {"regression_is_flat_at_the_mean": regression_is_flat_at_the_mean}
