"""What is being trained: the weights of actor and critic above the cut, and their optimizers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from engine.example import RUNNING
from engine.models.branch import depth, weights_above
from engine.models.roles import Roles

_EXAMPLE = RUNNING.given()
LAST_LAYERS = 2  # trained by default
Scope: TypeAlias = Literal["last", "all"]


@dataclass(frozen=True, slots=True)
class Settings:
    """One PPO iteration's parameters. The learning rates are far above usual, so that a few epochs show movement."""

    gamma: float = _EXAMPLE["gamma"]
    lam: float = _EXAMPLE["lam"]
    beta: float = _EXAMPLE["beta"]
    kl: str = _EXAMPLE["kl"]
    eps_low: float = _EXAMPLE["eps"]
    eps_high: float = _EXAMPLE["eps"]
    cliprange_value: float = 0.5
    epochs: int = 4
    actor_lr: float = 1e-5
    critic_lr: float = 5e-5
    max_grad_norm: float = 1.0
    train: Scope = "last"


ALL_LAYERS = Settings(train="all", actor_lr=1e-6, critic_lr=1e-5)


@dataclass(frozen=True, slots=True, eq=False)
class Learners:
    """Trained weights by name, changed in place by every update; everything else stays the roles'."""

    roles: Roles
    settings: Settings
    cut: int
    actor: dict[str, Tensor]
    critic: dict[str, Tensor]
    actor_optimizer: torch.optim.Optimizer
    critic_optimizer: torch.optim.Optimizer


def begin(roles: Roles, settings: Settings, head: dict[str, Tensor]) -> Learners:
    """Actor and critic at the start of training: the actor is the reference, the critic has the given head."""
    cut = 0 if settings.train == "all" else max(0, depth(roles.actor) - LAST_LAYERS)
    actor = weights_above(roles.actor, cut)
    own = {name: weight.clone().requires_grad_() for name, weight in head.items()}
    critic = {**weights_above(roles.critic, cut), **own}
    return Learners(
        roles, settings, cut, actor, critic, _adam(actor, settings.actor_lr), _adam(critic, settings.critic_lr)
    )


def _adam(weights: dict[str, Tensor], lr: float) -> torch.optim.Optimizer:
    """AdamW one weight at a time: all at once would hold copies of everything."""
    return torch.optim.AdamW(weights.values(), lr=lr, foreach=False)
