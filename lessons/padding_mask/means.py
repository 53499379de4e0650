"""Means under a mask that are no number, or are refused, and what torch's own mean counts."""

from __future__ import annotations

from math import isnan, nan

import torch

from engine.errors import EngineError
from engine.scenario import Scenario
from engine.statistics import masked_mean, whiten
from lessons._fact import Check, Judged, holds
from lessons._trials import judged

ROW, BROKEN, KEEP = (1.0, 3.0, 0.0), (1.0, 3.0, nan), (1, 1, 0)
LOSSES = ((1.0, 3.0), (2.0, 0.0, 0.0, 0.0, 0.0, 6.0))  # at each token


def _multiplied() -> float:
    """A NaN in the padding, times the mask."""
    return sum(x * m for x, m in zip(BROKEN, KEEP, strict=True))


def _nan_times_zero(_: Scenario) -> Judged:
    return Judged(holds(not isnan(_multiplied())), {"safe": masked_mean(BROKEN, KEEP)})


def _nan_in_padding(_: Scenario) -> Judged:
    safe = masked_mean(BROKEN, KEEP)
    return judged([isnan(_multiplied()), isnan(safe)], safe=safe, clean=masked_mean(ROW, KEEP))


def _mean_of_nothing(_: Scenario) -> Judged:
    """A masked mean where no token counts: refused."""
    try:
        masked_mean([1, 2], (0, 0))
    except EngineError:
        return Judged("false", {"one": masked_mean([1, 2], (1, 0))})
    return Judged("true")


def _one_can_be_whitened(_: Scenario) -> Judged:
    """A sample variance takes two numbers at least."""
    try:
        whiten([1, 0], (1, 0))
    except EngineError:
        return Judged("false", {"count": 1})
    return Judged("true", {"count": 1})


def _no_tokens_left(_: Scenario) -> Judged:
    """One number for each sequence, then torch's own sum over numel; and the mean over all tokens."""
    sums, count = torch.tensor([sum(row) for row in LOSSES], dtype=torch.float64), sum(map(len, LOSSES))
    over_numel, mean, tokens = float(sums.sum() / sums.numel()), float(sums.mean()), float(sums.sum() / count)
    found = {"sums": sums.tolist(), "numel": sums.numel(), "found": over_numel, "mean": mean, "count": count}
    return Judged(holds(over_numel == mean != tokens), {**found, "tokens": tokens})


MEANS: dict[str, Check] = {
    "nan_times_mask_is_zero": _nan_times_zero,
    "a_nan_in_the_padding_spoils_the_mean": _nan_in_padding,
    "masked_mean_of_no_tokens_is_zero": _mean_of_nothing,
    "one_valid_token_can_be_whitened": _one_can_be_whitened,
    "after_summing_each_sequence_numel_counts_sequences": _no_tokens_left,
}
