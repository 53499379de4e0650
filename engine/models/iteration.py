"""One PPO iteration that really runs: estimate from a rollout, then update the critic and the actor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from engine import kernels
from engine.losses import Clip
from engine.models.branch import below
from engine.models.learners import Learners
from engine.models.progress import Listener, Progress, Stage, nobody
from engine.models.quantities import Estimates, estimate, policy_loss, value_loss
from engine.models.rollout import (
    Rollout,
    critic_outputs,
    response_logits,
    token_entropies,
    token_log_probs,
    value_slice,
)


@dataclass(frozen=True, slots=True, eq=False)
class CriticStep:
    """The critic as it was before this mini-step's update. grad_norm is taken before the gradient is clipped."""

    vf_loss: float
    vf_clipfrac: float
    grad_norm: float
    values: Float[Tensor, "B T"]


@dataclass(frozen=True, slots=True, eq=False)
class ActorStep:
    """The actor as it was before this mini-step's update."""

    pg_loss: float
    pg_clipfrac: float
    approx_kl: float
    entropy: float
    grad_norm: float
    ratios: Float[Tensor, "B T"]


@dataclass(frozen=True, slots=True, eq=False)
class Iteration:
    """Each list of steps has one more entry than there were updates: the last is measured after all of them."""

    rollout: Rollout
    estimates: Estimates
    critic_steps: tuple[CriticStep, ...]
    actor_steps: tuple[ActorStep, ...]


def iterate(learners: Learners, rollout: Rollout, listener: Listener = nobody) -> Iteration:
    """Update the learners in place, the critic first, one mini-step per epoch over the whole rollout."""
    settings, batch, mask = learners.settings, rollout.batch, rollout.response_mask
    length = mask.shape[1]
    estimates = estimate(rollout, settings)
    hidden = below(learners.roles.actor, batch, learners.cut)

    def critic_loss() -> tuple[Tensor, dict[str, Tensor]]:
        vpreds = value_slice(critic_outputs(learners, batch, hidden), length)
        return value_loss(vpreds * mask, rollout, estimates.returns, settings.cliprange_value)

    def actor_loss() -> tuple[Tensor, dict[str, Tensor]]:
        logits = response_logits(learners, learners.actor, batch, hidden, length)
        new = token_log_probs(logits, batch.ids[:, -length:]) * mask
        loss, report = policy_loss(new, rollout, estimates.whitened, Clip(settings.eps_low, settings.eps_high))
        return loss, {**report, "entropy": kernels.masked_mean(token_entropies(logits.detach()), mask)}

    critic_reports = _epochs("critic", learners, critic_loss, listener)
    actor_reports = _epochs("actor", learners, actor_loss, listener)
    return Iteration(
        rollout,
        estimates,
        tuple(CriticStep(**report) for report in critic_reports),
        tuple(ActorStep(**report) for report in actor_reports),
    )


def _epochs(
    stage: Stage, learners: Learners, loss_of: Callable[[], tuple[Tensor, dict[str, Tensor]]], listener: Listener
) -> list[dict[str, Any]]:
    """Measure and update as often as there are epochs, then measure once more."""
    weights = learners.critic if stage == "critic" else learners.actor
    optimizer = learners.critic_optimizer if stage == "critic" else learners.actor_optimizer
    settings, found = learners.settings, []
    for epoch in range(settings.epochs + 1):
        listener(Progress(stage, epoch, settings.epochs + 1))
        loss, report = loss_of()
        torch.autograd.backward(loss)
        norm = clip_grad_norm_(weights.values(), settings.max_grad_norm, foreach=False)
        found.append(_numbers({**report, "grad_norm": norm}))
        if epoch < settings.epochs:
            optimizer.step()
        optimizer.zero_grad()
    listener(Progress(stage, settings.epochs + 1, settings.epochs + 1))
    return found


def _numbers(report: dict[str, Tensor]) -> dict[str, Any]:
    """Scalars as floats, rows as tensors without history."""
    return {name: x.item() if x.ndim == 0 else x.detach() for name, x in report.items()}
