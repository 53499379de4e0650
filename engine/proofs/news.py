"""GAE's variance where it is the news that varies: every δ independent, with a variance of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sympy

from engine.proofs.inductions import backwards
from engine.proofs.language import T, gamma, lam, m, t
from engine.proofs.moves import empty_sum, fold, hypothesis, recall, reindex, split_first
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Counterexample
from engine.proofs.variance import GAE_VARIANCE, NO_VARIANCE_LEFT, VAR_A, VAR_DELTA


@cache
def gae_variance_of_independent_news() -> Theorem:
    """Σ (γλ)^{2m} Var δ_{t+m} = Var A_t, for every γ, λ and T."""
    weighed = sympy.Sum((gamma * lam) ** (2 * m) * VAR_DELTA(t + m), (m, 0, T - t - 1))
    statement = Statement(weighed, VAR_A(t), over=t)
    proof = backwards(
        statement,
        base=[empty_sum(), recall(NO_VARIANCE_LEFT, "nothing_varies_after_the_end")],
        step=[split_first(), reindex(1), hypothesis(statement, t + 1), fold(GAE_VARIANCE, t)],
    )
    return Theorem("gae_variance_of_independent_news", statement, proof, (GAE_VARIANCE,), (NO_VARIANCE_LEFT,))


THEOREMS = {"gae_variance_of_independent_news": gae_variance_of_independent_news}
COUNTEREXAMPLES: dict[str, Callable[[], Counterexample]] = {}
