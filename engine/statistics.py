"""Mean, variance and whitening over the valid numbers of a list.

A batch is one list for these purposes: `whiten_batch` joins the responses, whitens, and takes them apart again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from operator import add
from typing import Any

from engine import formulas
from engine.errors import EngineError
from engine.masks import Mask, spread, valid
from engine.ops import Number, maximum, named
from engine.sequences import Row

WHITENING_EPSILON = Fraction(1, 10**8)  # verl's and TRL's, inside the root


def total(xs: Row) -> Number:
    """Σ x, without a 0 in front of it."""
    return reduce(add, xs)


def masked_mean(xs: Row, mask: Mask) -> Number:
    kept = valid(xs, mask)
    if not kept:
        raise EngineError("no_valid_token")
    return formulas.mean(total(kept), len(kept))


def masked_variance(xs: Row, mask: Mask, *, sample: bool = True) -> Number:
    """The mean squared deviation; over one less than the count if it is the sample's."""
    mean = named(masked_mean(xs, mask), "mean")
    kept = valid(xs, mask)
    squares = total([formulas.squared_error(x, mean) for x in kept])
    if not sample:
        return formulas.mean(squares, len(kept))
    if len(kept) == 1:
        raise EngineError("one_value_has_no_sample_variance", count=1)
    return formulas.sample_variance(squares, len(kept))


def whiten(
    xs: Row,
    mask: Mask,
    *,
    shift_mean: bool = True,
    sample: bool = True,
    epsilon: Number = WHITENING_EPSILON,
    floors: bool = False,
) -> list[Any]:
    """Each valid x in units of the standard deviation, None elsewhere.

    ε is added to the variance; with `floors` it is the least variance instead, as in OpenRLHF.
    """
    mean = named(masked_mean(xs, mask), "mean")
    variance = named(masked_variance(xs, mask, sample=sample), "variance")
    if floors:
        variance, epsilon = maximum(variance, epsilon), 0
    formula = formulas.whiten if shift_mean else formulas.whiten_about_mean
    whitened = [
        named(formula(x, mean, variance, epsilon), "whitened", t)
        for t, (x, m) in enumerate(zip(xs, mask, strict=True))
        if m
    ]
    return spread(whitened, mask)


def whiten_everywhere(xs: Row, mask: Mask, *, sample: bool = True, floors: bool = False) -> list[Any]:
    """Every x by the statistics of the valid ones, outside the mask too: what stands there in verl's tensors."""
    mean, variance = masked_mean(xs, mask), masked_variance(xs, mask, sample=sample)
    spread = maximum(variance, WHITENING_EPSILON) if floors else variance + WHITENING_EPSILON
    return [formulas.whiten(x, mean, spread) for x in xs]


def whiten_batch(rows: Sequence[Row], masks: Sequence[Mask], **choices: Any) -> list[list[Any]]:
    """The responses whitened together, as PPO does: one mean and one variance for the batch."""
    return _apart(whiten(list(chain(*rows)), list(chain(*masks)), **choices), rows)


def whiten_batch_everywhere(rows: Sequence[Row], masks: Sequence[Mask], **choices: Any) -> list[list[Any]]:
    return _apart(whiten_everywhere(list(chain(*rows)), list(chain(*masks)), **choices), rows)


def _apart(joined: Row, like: Sequence[Row]) -> list[list[Any]]:
    following = iter(joined)
    return [[next(following) for _ in row] for row in like]
