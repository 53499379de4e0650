"""GAE as a mixture of n-step advantages: geometric weights, with all that is left on the longest."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas, sequences
from engine.proofs.inductions import backwards, upwards
from engine.proofs.language import (
    GAE_STEP,
    TD_ERROR,
    A,
    Definition,
    N,
    T,
    V,
    delta,
    gamma,
    lam,
    n,
    quantity,
    r,
    t,
)
from engine.proofs.monte_carlo import decayed, gae_is_decayed_sum_of_deltas
from engine.proofs.moves import (
    arrange,
    by,
    cancel,
    empty_sum,
    fold,
    hypothesis,
    split_last,
    unfold_at,
    write_out,
)
from engine.proofs.programs import gae
from engine.proofs.proof import Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain
from engine.proofs.telescoping import discounted

H = quantity("n_step_returns")  # by first token and by the place of the value that ends it
A_N = quantity("n_step_advantages")  # of token t, by n
E = sympy.Symbol("E", integer=True)
N_STEP_RETURN = Definition(H, lambda i, end: formulas.mc_step(r(i), H(i + 1, end), gamma), formulas.mc_step)
N_STEP_ADVANTAGE = Definition(A_N, lambda n: formulas.advantage(H(t, t + n), V(t)), formulas.advantage)


N_STEP_RETURN_ENDS = Definition(H, lambda end: V(end), formulas.mc_step, place=lambda end: (end, end))


@cache
def n_step_advantage_is_sum_of_deltas() -> Theorem:
    """From any token t to any place E after it, n = E − t: the n-step return less V_t is Σ γ^k δ_{t+k}."""
    statement = Statement(formulas.advantage(H(t, E), V(t)), discounted(delta, t, E - t), over=t)
    proof = backwards(
        statement,
        base=[unfold_at(N_STEP_RETURN_ENDS, E, reason="no_step_is_taken")],
        step=[
            unfold_at(N_STEP_RETURN, t, E),
            hypothesis(statement, t + 1, solve_for=H(t + 1, E)),
            fold(TD_ERROR, t),
            arrange(statement.right, "one_sum"),
        ],
        end=E,
    )
    return Theorem("n_step_advantage_is_sum_of_deltas", statement, proof, (N_STEP_RETURN, N_STEP_RETURN_ENDS, TD_ERROR))


@cache
def next_n_step_advantage_adds_one_delta() -> Theorem:
    """A^(n+1) = A^(n) + γ^n δ_{t+n}."""
    goal = A_N(N) + gamma**N * delta(t + N)
    proof = chain(
        A_N(N + 1),
        [
            unfold_at(N_STEP_ADVANTAGE, N + 1),
            by(
                n_step_advantage_is_sum_of_deltas(),
                "n_step_is_sum_of_deltas",
                {E: t + N + 1},
                solve_for=H(t, t + N + 1),
            ),
            split_last(),
            by(
                n_step_advantage_is_sum_of_deltas(),
                "sum_of_deltas_is_n_step",
                {E: t + N},
                solve_for=discounted(delta, t, N),
            ),
            fold(N_STEP_ADVANTAGE, N),
        ],
        goal,
    )
    return Theorem(
        "next_n_step_advantage_adds_one_delta",
        Statement(A_N(N + 1), goal, over=N),
        proof,
        (N_STEP_ADVANTAGE, N_STEP_RETURN, N_STEP_RETURN_ENDS, TD_ERROR),
    )


def _mixture(terms: sympy.Expr) -> sympy.Expr:
    """Σ weights · terms(n), the first N − 1 of them geometric, the last with the tail weight."""
    shorter = sympy.Sum(formulas.mixture_weight(n, lam) * terms, (n, 1, N - 1))
    return shorter + formulas.tail_weight(N, lam) * terms.subs(n, N)


@cache
def mixture_weights_sum_to_one() -> Theorem:
    """Σ_{n<N} (1−λ) λ^{n−1} + λ^{N−1} = 1, for every N."""
    statement = Statement(_mixture(sympy.Integer(1)), sympy.Integer(1), over=N)
    shorter = statement.left.atoms(sympy.Sum).pop()
    proof = upwards(
        statement,
        first=1,
        base=[empty_sum()],
        step=[split_last(), hypothesis(statement, N, solve_for=shorter), cancel("tail_is_shared_out")],
    )
    return Theorem("mixture_weights_sum_to_one", statement, proof)


@cache
def mixture_of_n_steps_is_decayed_sum() -> Theorem:
    """The mixture of the first N n-step advantages of token t is Σ_{k<N} (γλ)^k δ_{t+k}, for every N."""
    statement = Statement(_mixture(A_N(n)), decayed(delta, t, N), over=N)
    shorter = statement.left.atoms(sympy.Sum).pop()
    one_step = {E: t + 1}
    proof = upwards(
        statement,
        first=1,
        base=[
            empty_sum(),
            unfold_at(N_STEP_ADVANTAGE, sympy.Integer(1)),
            by(n_step_advantage_is_sum_of_deltas(), "n_step_is_sum_of_deltas", one_step, solve_for=H(t, t + 1)),
            write_out(),
        ],
        step=[
            split_last(),
            hypothesis(statement, N, solve_for=shorter),
            by(next_n_step_advantage_adds_one_delta(), "one_more_delta"),
            cancel("shorter_advantages_cancel"),
            arrange(statement.at(N + 1)[1], "one_sum"),
        ],
    )
    return Theorem(
        "mixture_of_n_steps_is_decayed_sum",
        statement,
        proof,
        (N_STEP_ADVANTAGE, N_STEP_RETURN, N_STEP_RETURN_ENDS, TD_ERROR),
    )


@cache
def gae_is_mixture_of_n_step_advantages() -> Theorem:
    """GAE is the mixture of all its n-step advantages, the tail weight on the one that reaches the end."""
    mixture = _mixture(A_N(n))
    proof = chain(
        mixture,
        [
            by(mixture_of_n_steps_is_decayed_sum(), "mixture_is_decayed_sum", solve_for=mixture.atoms(sympy.Sum).pop()),
            by(gae_is_decayed_sum_of_deltas(), "decayed_sum_is_gae", {T: t + N}, solve_for=decayed(delta, t, N)),
        ],
        A(t),
    )
    return Theorem(
        "gae_is_mixture_of_n_step_advantages",
        Statement(mixture, A(t), over=N),
        proof,
        (GAE_STEP, N_STEP_ADVANTAGE, N_STEP_RETURN, N_STEP_RETURN_ENDS, TD_ERROR),
        ((A(t + N), sympy.Integer(0)),),
    )


@cache
def mixture_without_tail_weight() -> Counterexample:
    """The claim that the geometric weights alone sum to 1 over a response."""
    claim = Claim(
        "mixture_without_tail_weight",
        left=lambda lam: sum(formulas.mixture_weight(n, lam) for n in range(1, 4)),
        right=lambda lam: lam**0,
    )
    return refute(claim, lam=0.5)


@cache
def gae_is_longest_n_step_advantage() -> Counterexample:
    """The claim that GAE is the advantage with the most steps, whatever λ is."""
    claim = Claim(
        "gae_is_longest_n_step_advantage",
        left=lambda **given: gae(**given)[0],
        right=lambda rewards, values, gamma, **_: sequences.n_step_advantages(rewards, values, gamma)[-1],
    )
    return refute(claim, rewards=(0, 0, 1), values=(0.5, 0.6, 0.9), gamma=1, lam=0.5)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        n_step_advantage_is_sum_of_deltas,
        next_n_step_advantage_adds_one_delta,
        mixture_weights_sum_to_one,
        mixture_of_n_steps_is_decayed_sum,
        gae_is_mixture_of_n_step_advantages,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (mixture_without_tail_weight, gae_is_longest_n_step_advantage)
}
