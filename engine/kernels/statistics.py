"""Mean, variance and whitening over the valid numbers of a batch of any shape: engine.statistics on tensors."""

from __future__ import annotations

import torch
from torch import Tensor

import engine.readings.tensors  # noqa: F401  (the formulas below are read on tensors)
from engine import formulas
from engine.kernels.positions import require, zeroed
from engine.ops import Number, maximum
from engine.statistics import WHITENING_EPSILON


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    """Measured from the first valid number, so that equal numbers have exactly themselves as mean: their deviations
    from it are divided by ε where they are whitened."""
    count = mask.bool().sum()
    require(count > 0, "no_valid_token")
    first = x.detach().flatten().index_select(0, mask.bool().flatten().int().argmax().reshape(1)).squeeze(0)
    return first + formulas.mean(zeroed(x - first, mask).sum(), count)


def masked_variance(x: Tensor, mask: Tensor, *, sample: bool = True) -> Tensor:
    """The mean squared deviation; over one less than the count if it is the sample's."""
    count = mask.bool().sum()
    mean = masked_mean(x, mask)
    squares = zeroed(formulas.squared_error(zeroed(x, mask), mean), mask).sum()
    if not sample:
        return formulas.mean(squares, count)
    require(count > 1, "one_value_has_no_sample_variance")
    return formulas.sample_variance(squares, count)


def whiten(
    x: Tensor,
    mask: Tensor,
    *,
    shift_mean: bool = True,
    sample: bool = True,
    epsilon: Number = float(WHITENING_EPSILON),
    floors: bool = False,
) -> Tensor:
    """Each valid x in units of the standard deviation, 0 elsewhere.

    ε is added to the variance; with `floors` it is the least variance instead, as in OpenRLHF.
    """
    mean, variance = masked_mean(x, mask), masked_variance(x, mask, sample=sample)
    if floors:
        variance, epsilon = maximum(variance, epsilon), 0.0
    formula = formulas.whiten if shift_mean else formulas.whiten_about_mean
    return zeroed(formula(zeroed(x, mask), mean, variance, epsilon), mask)


def whiten_everywhere(x: Tensor, mask: Tensor, *, sample: bool = True, floors: bool = False) -> Tensor:
    """Every x by the statistics of the valid ones, outside the mask too: what stands there in verl's tensors.

    Outside it is a constant: no derivative passes, so that garbage there reaches none.
    """
    inside = whiten(x, mask, sample=sample, floors=floors)
    mean, variance = (y.detach() for y in (masked_mean(x, mask), masked_variance(x, mask, sample=sample)))
    spread = maximum(variance, float(WHITENING_EPSILON)) if floors else variance + float(WHITENING_EPSILON)
    return torch.where(mask.bool(), inside, formulas.whiten(x.detach(), mean, spread))
