"""What PPO computes from a rollout: the one place where the models' numbers meet the kernels."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from engine import formulas, kernels
from engine.losses import Aggregation, Clip
from engine.models.learners import Settings
from engine.models.rollout import Rollout


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """From scores to whitened advantages; 0 outside the mask."""

    kl: Float[Tensor, "B T"]
    rewards: Float[Tensor, "B T"]
    deltas: Float[Tensor, "B T"]
    advantages: Float[Tensor, "B T"]
    returns: Float[Tensor, "B T"]
    whitened: Float[Tensor, "B T"]


def estimate(rollout: Rollout, settings: Settings) -> Estimates:
    mask, values = rollout.response_mask, rollout.values
    gamma, lam = settings.gamma, settings.lam
    kl = kernels.kl_penalties(rollout.old_log_probs, rollout.ref_log_prob, mask, kind=settings.kl)
    rewards = kernels.token_rewards(rollout.scores, kl, mask, beta=settings.beta)
    deltas = kernels.td_errors(rewards, values, mask, gamma=gamma)
    advantages, returns = kernels.gae(rewards, values, mask, gamma=gamma, lam=lam)
    return Estimates(kl, rewards, deltas, advantages, returns, kernels.whiten(advantages, mask))


def policy_loss(
    new: Float[Tensor, "B T"], rollout: Rollout, advantages: Float[Tensor, "B T"], clip: Clip
) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
    """The clipped loss, and what is logged beside it."""
    mask = rollout.response_mask
    ratios = kernels.ratios(new, rollout.old_log_probs, mask)
    loss = kernels.aggregate(kernels.policy_losses(ratios, advantages, mask, clip=clip), mask, Aggregation.TOKEN_MEAN)
    return loss, {
        "pg_loss": loss,
        "pg_clipfrac": kernels.clip_fraction(ratios, advantages, mask, clip=clip),
        "approx_kl": kernels.approx_kl(new, rollout.old_log_probs, mask),
        "ratios": ratios,
    }


def value_loss(
    vpreds: Float[Tensor, "B T"], rollout: Rollout, returns: Float[Tensor, "B T"], cliprange: float
) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
    """The clipped value loss, and what is logged beside it."""
    mask, old = rollout.response_mask, rollout.values
    errors = kernels.value_errors(vpreds, old, returns, mask, cliprange=cliprange)
    loss = formulas.value_loss_term(kernels.masked_mean(errors, mask))
    return loss, {
        "vf_loss": loss,
        "vf_clipfrac": kernels.value_clip_fraction(vpreds, old, returns, mask, cliprange=cliprange),
        "values": vpreds,
    }
