"""Actor, reference, critic and reward, on one loaded model.

The reference is the actor as it was loaded, so it needs no weights of its own: its log-probabilities are those of the
model without any trained weights. The critic is the same trunk under a head with one output.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from engine.errors import EngineError
from engine.models import checkpoint
from engine.models.branch import Batch, Weights, above, below, depth
from engine.models.progress import Listener, Progress, nobody

_ONE_AT_A_TIME = threading.Lock()
# Half of the cores, for the thread that runs the models: threads that wait for a busy core cost more than they bring.
THREADS = max(1, (os.cpu_count() or 1) // 2)
HEAD = "score"  # what transformers calls the layer with one output per token


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    name: str
    tokenizer: Any
    actor: Any  # and, without trained weights, the reference
    critic: Any
    device: torch.device


def load(device: str | torch.device = "cpu", listener: Listener = nobody) -> Roles:
    """The roles, loaded at the first call and kept for the process."""
    torch.set_num_threads(min(torch.get_num_threads(), THREADS))
    location = checkpoint.locate(listener)
    listener(Progress("load", 0, 1))
    with _ONE_AT_A_TIME:
        roles = _loaded(location, torch.device(device))
    listener(Progress("load", 1, 1))
    return roles


@lru_cache(maxsize=1)
def _loaded(location: str, device: torch.device) -> Roles:
    tokenizer, actor, critic = checkpoint.load(location)
    _require_layers(location, actor)
    actor.to(device)
    critic.to(device)
    own = dict(actor.base_model.named_parameters())
    for name, weight in critic.base_model.named_parameters():
        weight.data = own[name].data
    roles = Roles(location, tokenizer, actor, critic, device)
    _require_cut(roles)
    return roles


def seeded_head(roles: Roles, seed: int) -> dict[str, Tensor]:
    """A random value head, the same for the same seed: what a critic starts from."""
    chance = torch.Generator().manual_seed(seed)
    head = getattr(roles.critic, HEAD)
    spread = roles.critic.config.initializer_range
    weight = torch.randn(head.weight.shape, generator=chance) * spread
    return head_weights(roles, weight, torch.zeros(1))


def head_weights(roles: Roles, weight: Tensor, bias: Tensor) -> dict[str, Tensor]:
    """A value head under the names of the critic's weights."""
    head = getattr(roles.critic, HEAD)
    named = {f"{HEAD}.weight": weight} if head.bias is None else {f"{HEAD}.weight": weight, f"{HEAD}.bias": bias}
    return {name: value.to(roles.device, torch.float32) for name, value in named.items()}


def _require_layers(location: str, actor: Any) -> None:
    if not hasattr(actor.base_model, "layers"):
        raise EngineError("unsupported_model", name=location, reason="layers")


def _require_cut(roles: Roles) -> None:
    """Refuse a model that does not give the same outputs when it is run in two parts."""
    ids = torch.arange(4, device=roles.device)[None]
    batch = Batch(ids, torch.ones_like(ids))
    cut = depth(roles.actor) - 1
    own: Weights = {}
    whole = above(roles.actor, own, batch, None, 0)
    parts = above(roles.actor, own, batch, below(roles.actor, batch, cut), cut)
    if not torch.allclose(whole, parts, rtol=1e-3, atol=1e-3):
        raise EngineError("unsupported_model", name=roles.name, reason="layers")
