"""What is counted when a loss is averaged, where the log-probs were summed over each sequence first."""

from __future__ import annotations

from fractions import Fraction

import torch

from engine.losses import Aggregation, aggregate
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._trials import judged

BATCHES = ((2, 6), (2, 2))  # lengths of two responses, in two batches
LONGEST = 6
LOSSES = ((1.0, 3.0), (2.0, 0.0, 0.0, 0.0, 0.0, 6.0))  # at each token


def _weight(lengths: tuple[int, ...], mode: Aggregation) -> Fraction:
    """What a loss of one at a single token adds."""
    masks = [[int(t < length) for t in range(LONGEST)] for length in lengths]
    terms = [[Fraction(int(i == t == 0)) for t in range(LONGEST)] for i in range(len(lengths))]
    return Fraction(aggregate(terms, masks, mode))


def _summed(_: Scenario) -> Judged:
    """A token's weight in two batches: over the number of sequences, and over that of tokens."""
    sums, means = (
        [_weight(lengths, mode) for lengths in BATCHES]
        for mode in (Aggregation.SEQ_MEAN_TOKEN_SUM, Aggregation.TOKEN_MEAN)
    )
    factors = [a / b for a, b in zip(sums, means, strict=True)]
    lengths = [Fraction(sum(batch), len(batch)) for batch in BATCHES]
    return judged(
        factors == lengths and factors[0] != factors[1], batches=[sum(b) for b in BATCHES], count=len(BATCHES[0]),
        sums=sums, means=means, lengths=lengths,
    )  # fmt: skip


def _no_tokens_left(_: Scenario) -> Judged:
    """One number for each sequence, then torch's own sum over numel; and the mean over all tokens."""
    sums = torch.tensor([sum(row) for row in LOSSES], dtype=torch.float64)
    over_numel, mean = float(sums.sum() / sums.numel()), float(sums.mean())
    tokens = float(sums.sum() / sum(map(len, LOSSES)))
    return Judged(
        holds(over_numel == mean != tokens),
        {
            "sums": sums.tolist(),
            "numel": sums.numel(),
            "found": over_numel,
            "mean": mean,
            "count": sum(map(len, LOSSES)),
            "tokens": tokens,
        },
    )


UNITS: dict[str, Check] = {
    "summed_log_probs_over_sequences_weigh_tokens_otherwise": _summed,
    "after_summing_each_sequence_numel_counts_sequences": _no_tokens_left,
}
