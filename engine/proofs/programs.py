"""Programs that the refuted claims are run through, composed of the engine's sequences and formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine import sequences
from engine.ops import Number


def gae(rewards: Sequence[Number], values: Sequence[Number], gamma: Number, lam: Number) -> list[Number]:
    return sequences.gae_advantages(sequences.deltas(rewards, values, gamma), gamma, lam)


def mean(terms: Sequence[Number]) -> Number:
    return sum(terms) / len(terms)


def expected(probabilities: Sequence[Number], of: Callable[[int], Number]) -> Number:
    """Σ p(a) of(a) over a vocabulary."""
    return sum(p * of(a) for a, p in enumerate(probabilities))
