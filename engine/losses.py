"""What actor and critic minimise, and what is logged beside it, on lists of any number kind.

Per-token functions take one response and give None where the mask is 0; `aggregate` makes one number of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine import formulas
from engine.errors import EngineError
from engine.masks import Mask, each_valid, valid
from engine.ops import Number, named
from engine.sequences import Row
from engine.statistics import masked_mean, total


@dataclass(frozen=True, slots=True)
class Clip:
    """The ratio is kept in [1 − low, 1 + high]; with a floor, the objective above floor·A where A < 0 (dual clip)."""

    low: Number
    high: Number
    floor: Number | None = None


class Aggregation(Enum):
    """How the losses of a batch's tokens become one number; the names are verl's."""

    TOKEN_MEAN = "token-mean"
    TOKEN_SUM = "token-sum"
    SEQ_MEAN_TOKEN_SUM = "seq-mean-token-sum"
    SEQ_MEAN_TOKEN_MEAN = "seq-mean-token-mean"
    SEQ_MEAN_TOKEN_SUM_NORM = "seq-mean-token-sum-norm"


# ---------------------------------------------------------------- the policy


def ratios(new_logps: Row, old_logps: Row, mask: Mask, *, bound: Number | None = None) -> list[Any]:
    """π_new/π_old per token; with a bound, its logarithm is kept within ±bound."""

    def quantity(t: int, new: Number, old: Number) -> Number:
        found = formulas.ratio(new, old) if bound is None else formulas.ratio_clamped(new, old, bound)
        return named(found, "ratio", t)

    return each_valid(quantity, mask, new_logps, old_logps)


def probabilities(logps: Row, mask: Mask) -> list[Any]:
    """The probability that the policy gave each token."""
    return each_valid(lambda _, logp: formulas.probability(logp), mask, logps)


def surrogates(ratios: Row, advantages: Row, mask: Mask) -> list[Any]:
    """The unclipped objective ρA."""
    return each_valid(lambda t, r, a: named(formulas.surrogate_term(r, a), "objectives", t), mask, ratios, advantages)


def objectives(ratios: Row, advantages: Row, mask: Mask, *, clip: Clip) -> list[Any]:
    """PPO's clipped objective, with dual clip if the clip has a floor."""

    def quantity(t: int, ratio: Number, adv: Number) -> Number:
        if clip.floor is None:
            return named(formulas.ppo_objective(ratio, adv, clip.low, clip.high), "objectives", t)
        return named(formulas.dual_clip_objective(ratio, adv, clip.low, clip.high, clip.floor), "objectives", t)

    return each_valid(quantity, mask, ratios, advantages)


def clipped_terms(ratios: Row, advantages: Row, mask: Mask, *, clip: Clip) -> list[Any]:
    """The objective with the ratio clipped whatever the advantage."""

    def quantity(t: int, ratio: Number, adv: Number) -> Number:
        return named(formulas.clipped_term(ratio, adv, clip.low, clip.high), "clipped", t)

    return each_valid(quantity, mask, ratios, advantages)


def policy_losses(ratios: Row, advantages: Row, mask: Mask, *, clip: Clip) -> list[Any]:
    return each_valid(lambda _, objective: -objective, mask, objectives(ratios, advantages, mask, clip=clip))


def clip_fraction(ratios: Row, advantages: Row, mask: Mask, *, clip: Clip) -> Number:
    """How many of the valid tokens the clip decides."""
    decided = each_valid(lambda _, r, a: formulas.is_clipped(r, a, clip.low, clip.high), mask, ratios, advantages)
    return masked_mean(decided, mask)


def floor_fraction(ratios: Row, advantages: Row, mask: Mask, *, clip: Clip) -> Number:
    """How many of the valid tokens the floor of dual clip decides."""
    decided = each_valid(
        lambda _, r, a: formulas.is_floored(r, a, clip.low, clip.high, clip.floor), mask, ratios, advantages
    )
    return masked_mean(decided, mask)


def approx_kl(new_logps: Row, old_logps: Row, mask: Mask) -> Number:
    """verl's: the mean of log π_old − log π_new, of either sign."""
    return masked_mean(each_valid(lambda _, new, old: formulas.approx_kl(new, old), mask, new_logps, old_logps), mask)


def approx_kl_k3(new_logps: Row, old_logps: Row, mask: Mask) -> Number:
    """CleanRL's: the mean of ρ − 1 − log ρ, never negative."""
    return masked_mean(each_valid(lambda _, new, old: formulas.k3(old, new), mask, new_logps, old_logps), mask)


def entropy(probabilities: Row) -> Number:
    """−Σ p log p over the vocabulary at one token; every p above 0."""
    return total([formulas.entropy_term(p) for p in probabilities])


# ---------------------------------------------------------------- the critic


def clipped_values(vpreds: Row, old_values: Row, mask: Mask, *, cliprange: Number) -> list[Any]:
    def quantity(t: int, vpred: Number, old: Number) -> Number:
        return named(formulas.clip_value(vpred, old, cliprange), "vpred_clipped", t)

    return each_valid(quantity, mask, vpreds, old_values)


def value_errors(vpreds: Row, old_values: Row, returns: Row, mask: Mask, *, cliprange: Number | None) -> list[Any]:
    """The squared error; with a clip range, the larger of those with and without clipping."""

    def quantity(t: int, vpred: Number, old: Number, ret: Number) -> Number:
        if cliprange is None:
            return named(formulas.squared_error(vpred, ret), "value_errors", t)
        return named(formulas.value_error(vpred, old, ret, cliprange), "value_errors", t)

    return each_valid(quantity, mask, vpreds, old_values, returns)


def value_losses(vpreds: Row, old_values: Row, returns: Row, mask: Mask, *, cliprange: Number | None) -> list[Any]:
    """Half the errors."""
    errors = value_errors(vpreds, old_values, returns, mask, cliprange=cliprange)
    return each_valid(lambda _, error: formulas.value_loss_term(error), mask, errors)


def value_clip_fraction(vpreds: Row, old_values: Row, returns: Row, mask: Mask, *, cliprange: Number) -> Number:
    """How many of the valid tokens have the larger error after clipping."""
    decided = each_valid(
        lambda _, vpred, old, ret: formulas.is_value_clipped(vpred, old, ret, cliprange),
        mask,
        vpreds,
        old_values,
        returns,
    )
    return masked_mean(decided, mask)


# ---------------------------------------------------------------- one number


def aggregate(
    terms: Sequence[Row], masks: Sequence[Mask], mode: Aggregation, *, horizon: Number | None = None
) -> Number:
    """The loss of a batch; responses without a valid token do not count. Horizon: the padded length if not given."""
    kept = [valid(row, mask) for row, mask in zip(terms, masks, strict=True) if any(mask)]
    if not kept:
        raise EngineError("no_valid_token")
    tokens = total([total(row) for row in kept])
    match mode:
        case Aggregation.TOKEN_SUM:
            return tokens
        case Aggregation.TOKEN_MEAN:
            return formulas.mean(tokens, sum(len(row) for row in kept))
        case Aggregation.SEQ_MEAN_TOKEN_SUM:
            return formulas.mean(tokens, len(kept))
        case Aggregation.SEQ_MEAN_TOKEN_MEAN:
            return formulas.mean(total([formulas.mean(total(row), len(row)) for row in kept]), len(kept))
        case Aggregation.SEQ_MEAN_TOKEN_SUM_NORM:
            return formulas.mean(formulas.mean(tokens, len(kept)), len(masks[0]) if horizon is None else horizon)
