"""What actor and critic minimise, and what is logged beside it: engine.losses on batches [B, T].

Per-token functions give 0 where the mask is 0. Inputs are set to 0 there first, so that NaN reaches no gradient.
"""

from __future__ import annotations

from torch import Tensor

import engine.readings.tensors  # noqa: F401  (the formulas below are read on tensors)
from engine import formulas
from engine.kernels.positions import require, zeroed
from engine.kernels.shapes import alike
from engine.kernels.statistics import masked_mean
from engine.losses import Aggregation, Clip
from engine.ops import Number

# ---------------------------------------------------------------- the policy


def ratios(new_logps: Tensor, old_logps: Tensor, mask: Tensor, *, bound: Number | None = None) -> Tensor:
    """π_new/π_old per token; with a bound, its logarithm is kept within ±bound."""
    new, old = zeroed(new_logps, mask), zeroed(old_logps, mask)
    found = formulas.ratio(new, old) if bound is None else formulas.ratio_clamped(new, old, bound)
    return zeroed(found, mask)


def probabilities(logps: Tensor, mask: Tensor) -> Tensor:
    """The probability that the policy gave each token."""
    return zeroed(formulas.probability(zeroed(logps, mask)), mask)


def surrogates(ratios: Tensor, advantages: Tensor, mask: Tensor) -> Tensor:
    """The unclipped objective ρA."""
    return formulas.surrogate_term(zeroed(ratios, mask), zeroed(advantages, mask))


def objectives(ratios: Tensor, advantages: Tensor, mask: Tensor, *, clip: Clip) -> Tensor:
    """PPO's clipped objective, with dual clip if the clip has a floor."""
    ratio, adv = zeroed(ratios, mask), zeroed(advantages, mask)
    if clip.floor is None:
        return formulas.ppo_objective(ratio, adv, clip.low, clip.high)
    return formulas.dual_clip_objective(ratio, adv, clip.low, clip.high, clip.floor)


def clipped_terms(ratios: Tensor, advantages: Tensor, mask: Tensor, *, clip: Clip) -> Tensor:
    """The objective with the ratio clipped whatever the advantage."""
    return formulas.clipped_term(zeroed(ratios, mask), zeroed(advantages, mask), clip.low, clip.high)


def policy_losses(ratios: Tensor, advantages: Tensor, mask: Tensor, *, clip: Clip) -> Tensor:
    return -objectives(ratios, advantages, mask, clip=clip)


def clip_fraction(ratios: Tensor, advantages: Tensor, mask: Tensor, *, clip: Clip) -> Tensor:
    """How many of the valid tokens the clip decides."""
    alike(ratios, advantages=advantages)
    return _fraction(formulas.is_clipped(ratios, advantages, clip.low, clip.high), mask, like=ratios)


def floor_fraction(ratios: Tensor, advantages: Tensor, mask: Tensor, *, clip: Clip) -> Tensor:
    """How many of the valid tokens the floor of dual clip decides."""
    alike(ratios, advantages=advantages)
    return _fraction(formulas.is_floored(ratios, advantages, clip.low, clip.high, clip.floor), mask, like=ratios)


def _fraction(decided: Tensor, mask: Tensor, *, like: Tensor) -> Tensor:
    return masked_mean(decided.to(like.dtype), mask)


def approx_kl(new_logps: Tensor, old_logps: Tensor, mask: Tensor) -> Tensor:
    """verl's: the mean of log π_old − log π_new, of either sign."""
    return masked_mean(formulas.approx_kl(zeroed(new_logps, mask), zeroed(old_logps, mask)), mask)


def approx_kl_k3(new_logps: Tensor, old_logps: Tensor, mask: Tensor) -> Tensor:
    """CleanRL's: the mean of ρ − 1 − log ρ, never negative."""
    return masked_mean(formulas.k3(zeroed(old_logps, mask), zeroed(new_logps, mask)), mask)


def entropy_of_logits(logits: Tensor) -> Tensor:
    """The entropy [...] of each distribution over the last axis; a logit of −∞ is a token that cannot come."""
    logp = logits.log_softmax(dim=-1)
    p = logp.exp()
    return -(p * logp.masked_fill(p == 0, 0)).sum(dim=-1)


# ---------------------------------------------------------------- the critic


def clipped_values(vpreds: Tensor, old_values: Tensor, mask: Tensor, *, cliprange: Number) -> Tensor:
    return formulas.clip_value(zeroed(vpreds, mask), zeroed(old_values, mask), cliprange)


def value_errors(
    vpreds: Tensor, old_values: Tensor, returns: Tensor, mask: Tensor, *, cliprange: Number | None
) -> Tensor:
    """The squared error; with a clip range, the larger of those with and without clipping."""
    vpred, old, ret = zeroed(vpreds, mask), zeroed(old_values, mask), zeroed(returns, mask)
    if cliprange is None:
        return formulas.squared_error(vpred, ret)
    return formulas.value_error(vpred, old, ret, cliprange)


def value_losses(
    vpreds: Tensor, old_values: Tensor, returns: Tensor, mask: Tensor, *, cliprange: Number | None
) -> Tensor:
    """Half the errors."""
    return formulas.value_loss_term(value_errors(vpreds, old_values, returns, mask, cliprange=cliprange))


def value_clip_fraction(
    vpreds: Tensor, old_values: Tensor, returns: Tensor, mask: Tensor, *, cliprange: Number
) -> Tensor:
    """How many of the valid tokens have the larger error after clipping."""
    alike(vpreds, old_values=old_values, returns=returns)
    return _fraction(formulas.is_value_clipped(vpreds, old_values, returns, cliprange), mask, like=vpreds)


# ---------------------------------------------------------------- one number


def aggregate(terms: Tensor, mask: Tensor, mode: Aggregation, *, horizon: Number | None = None) -> Tensor:
    """The loss of a batch; rows without a valid token do not count. The horizon is the padded length if not given."""
    kept = zeroed(terms, mask)
    lengths = mask.bool().sum(dim=1)
    rows = (lengths > 0).sum()
    require(rows > 0, "no_valid_token")
    match mode:
        case Aggregation.TOKEN_SUM:
            return kept.sum()
        case Aggregation.TOKEN_MEAN:
            return formulas.mean(kept.sum(), lengths.sum())
        case Aggregation.SEQ_MEAN_TOKEN_SUM:
            return formulas.mean(kept.sum(), rows)
        case Aggregation.SEQ_MEAN_TOKEN_MEAN:
            return formulas.mean(formulas.mean(kept.sum(dim=1), lengths.clamp(min=1)).sum(), rows)
        case Aggregation.SEQ_MEAN_TOKEN_SUM_NORM:
            return formulas.mean(formulas.mean(kept.sum(), rows), mask.shape[1] if horizon is None else horizon)
