"""GAE as other projects compute it: each builder takes rewards and values and gives a call without arguments.

A call returns (advantages or None, returns) in whatever array type the project uses. Copies into that type are made
before, not in, the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import jax
import numpy as np
import rlax
import torch
from tianshou.algorithm import algorithm_base as tianshou
from torch import Tensor
from torchrl.objectives.value import functional as torchrl
from verl.trainer.ppo import core_algos as verl

GAMMA, LAM = 1.0, 0.95
Call: TypeAlias = Callable[[], tuple[Any, Any]]


def verl_loop(rewards: Tensor, values: Tensor) -> Call:
    """Its advantages come out whitened."""
    mask = torch.ones_like(rewards)
    return lambda: verl.compute_gae_advantage_return(rewards, values, mask, GAMMA, LAM)


def _torchrl(estimate: Callable[..., tuple[Tensor, Tensor]], rewards: Tensor, values: Tensor) -> Call:
    r, v = rewards[..., None], values[..., None]
    following = torch.nn.functional.pad(values[:, 1:], (0, 1))[..., None]
    done = torch.zeros_like(r, dtype=torch.bool)
    done[:, -1] = True
    return lambda: estimate(GAMMA, LAM, v, following, r, done, done)


def torchrl_loop(rewards: Tensor, values: Tensor) -> Call:
    return _torchrl(torchrl.generalized_advantage_estimate, rewards, values)


def torchrl_vectorised(rewards: Tensor, values: Tensor) -> Call:
    return _torchrl(torchrl.vec_generalized_advantage_estimate, rewards, values)


def rlax_jit(rewards: Tensor, values: Tensor) -> Call:
    r, v = jax.numpy.asarray(rewards.numpy()), jax.numpy.asarray(values.numpy())
    discounts = jax.numpy.full_like(r, GAMMA).at[:, -1].set(0)

    @jax.jit
    def estimate(r: Any, discounts: Any, v: Any) -> tuple[Any, Any]:
        bootstrapped = jax.numpy.pad(v, ((0, 0), (0, 1)))
        rows = jax.vmap(rlax.truncated_generalized_advantage_estimation, in_axes=(0, 0, None, 0))
        advantages = rows(r, discounts, LAM, bootstrapped)
        return advantages, advantages + v

    return lambda: jax.block_until_ready(estimate(r, discounts, v))


def tianshou_numba(rewards: Tensor, values: Tensor) -> Call:
    following = torch.nn.functional.pad(values[:, 1:], (0, 1))
    r, v, v_next = (x.numpy().ravel() for x in (rewards, values, following))
    last = np.zeros(rewards.shape, dtype=bool)
    last[:, -1] = True
    ends = last.ravel()

    def estimate() -> tuple[Any, Any]:
        advantages = tianshou._gae(v, v_next, r, ends, GAMMA, LAM)
        return advantages, advantages + v

    return estimate


PEERS: dict[str, Callable[[Tensor, Tensor], Call]] = {
    "verl 0.9.1, loop": verl_loop,
    "torchrl, loop": torchrl_loop,
    "torchrl, vectorised": torchrl_vectorised,
    "rlax, jit": rlax_jit,
    "tianshou, numba": tianshou_numba,
}
