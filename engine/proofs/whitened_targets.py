"""Why the critic's targets take the advantages as they are: whitened ones say nothing of what was earned."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas
from engine.proofs.language import N, V, k
from engine.proofs.moves import arrange, sum_by_terms, use
from engine.proofs.proof import Statement, Theorem
from engine.proofs.steps import chain
from engine.proofs.whitening import MEAN, a_1, epsilon, mu, total_of_samples, value, variance, whitened, x


@cache
def raw_targets_move_with_the_mean_advantage() -> Theorem:
    """Σ (A + V) = Σ V + N · mean: on average the critic is told to move by the mean advantage."""
    start, goal = total_of_samples(formulas.critic_target(x(k), V(k))), total_of_samples(V(k)) + N * mu
    proof = chain(start, [sum_by_terms(), use(MEAN, "mean")], goal)
    return Theorem("raw_targets_move_with_the_mean_advantage", Statement(start, goal), proof, boundary=(MEAN,))


@cache
def whitened_targets_tell_the_critic_to_stay() -> Theorem:
    """Σ (whitened + V) = Σ V: whatever was earned, on average the critic would be told that it was right."""
    start = total_of_samples(formulas.critic_target(whitened(x(k)), V(k)))
    proof = chain(start, [sum_by_terms(), use(MEAN, "mean")], total_of_samples(V(k)))
    return Theorem(
        "whitened_targets_tell_the_critic_to_stay",
        Statement(start, total_of_samples(V(k))),
        proof,
        boundary=(MEAN,),
    )


@cache
def whitened_target_misses_the_return() -> Theorem:
    """(whitened + V) − (A + V) is 0 only where A is its own whitened number: the mean 0, the deviation 1."""
    start = formulas.critic_target(whitened(a_1), value) - formulas.critic_target(a_1, value)
    goal = ((1 - sympy.sqrt(variance + epsilon)) * a_1 - mu) / sympy.sqrt(variance + epsilon)
    proof = chain(start, [arrange(goal, "common_denominator")], goal)
    return Theorem("whitened_target_misses_the_return", Statement(start, goal), proof)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        raw_targets_move_with_the_mean_advantage,
        whitened_targets_tell_the_critic_to_stay,
        whitened_target_misses_the_return,
    )
}
