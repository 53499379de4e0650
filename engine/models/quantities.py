"""What PPO computes from a rollout, on tensors: the one place where the models' numbers meet the formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from engine import formulas, sequences
from engine.errors import EngineError
from engine.models.learners import Settings
from engine.models.rollout import Rollout
from engine.readings import tensors as _tensors  # noqa: F401  (registers the tensor reading)

WHITEN_EPSILON = 1e-8  # verl's


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
    """Values and rewards are 0 after the last token, so the recursion over all columns is right for every row."""
    mask = rollout.response_mask
    kl = formulas.k1(rollout.old_log_probs, rollout.ref_log_prob) * mask
    rewards = formulas.token_reward(rollout.scores, kl, settings.beta)
    deltas = sequences.deltas(rewards.unbind(dim=1), rollout.values.unbind(dim=1), settings.gamma)
    advantages = _rows(sequences.gae_advantages(deltas, settings.gamma, settings.lam))
    returns = formulas.critic_target(advantages, rollout.values)
    return Estimates(kl, rewards, _rows(deltas), advantages, returns, whiten(advantages, mask) * mask)


def _rows(columns: Sequence[Tensor]) -> Float[Tensor, "B T"]:
    return torch.stack(list(columns), dim=1)


def masked_mean(x: Float[Tensor, "B T"], mask: Float[Tensor, "B T"]) -> Float[Tensor, ""]:
    return (x * mask).sum() / mask.sum()


def whiten(x: Float[Tensor, "B T"], mask: Float[Tensor, "B T"]) -> Float[Tensor, "B T"]:
    """With the sample variance over all valid tokens of the batch, as verl does."""
    valid = x[mask.bool()]
    if len(valid) == 1:
        raise EngineError("one_value", field="advantages")
    return formulas.whiten(x, valid.mean(), valid.var(), WHITEN_EPSILON)


def policy_loss(
    new: Float[Tensor, "B T"], rollout: Rollout, advantages: Float[Tensor, "B T"], eps: float
) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
    """The clipped loss, and what is logged beside it."""
    mask = rollout.response_mask
    ratio = formulas.ratio(new, rollout.old_log_probs)
    loss = -masked_mean(formulas.ppo_objective(ratio, advantages, eps, eps), mask)
    clipped = formulas.is_clipped(ratio, advantages, eps, eps).double()
    return loss, {
        "pg_loss": loss,
        "pg_clipfrac": masked_mean(clipped, mask),
        "approx_kl": masked_mean(formulas.approx_kl(new, rollout.old_log_probs), mask),
        "ratios": ratio,
    }


def value_loss(
    vpreds: Float[Tensor, "B T"], rollout: Rollout, returns: Float[Tensor, "B T"], cliprange: float
) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
    """The clipped value loss, and what is logged beside it."""
    mask = rollout.response_mask
    error = formulas.value_error(vpreds, rollout.values, returns, cliprange)
    loss = masked_mean(error, mask) / 2
    clipped = (error > formulas.squared_error(vpreds, returns)).double()
    return loss, {"vf_loss": loss, "vf_clipfrac": masked_mean(clipped, mask), "values": vpreds}
