"""Expectations over the next token: sums over a vocabulary with probabilities that sum to 1."""

from __future__ import annotations

import sympy

from engine.proofs.language import Equation, N, a, quantity

p = quantity("probabilities", positive=True)  # of token a under the policy
q = quantity("ref_probabilities", positive=True)  # under the reference


def expected(of_token: sympy.Expr) -> sympy.Expr:
    """Σ p(a) of_token, over the vocabulary."""
    return total(p(a) * of_token)


def total(of_token: sympy.Expr) -> sympy.Expr:
    return sympy.Sum(of_token, (a, 0, N - 1))


P_SUMS_TO_ONE: Equation = (total(p(a)), sympy.Integer(1))
Q_SUMS_TO_ONE: Equation = (total(q(a)), sympy.Integer(1))
