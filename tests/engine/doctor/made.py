"""Batches as training code makes them: by each project's loop, or with a mistake planted in it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from engine import kernels
from engine.conventions import Convention, Rollout, run
from engine.doctor import recursions
from engine.doctor.recursions import OfTensors
from engine.mistakes import MISTAKES
from engine.scenario import Scenario

GAMMA, LAM = 0.9, 0.8


def rollout(
    *, rows: int = 24, tokens: int = 40, holes: bool = False, padded: bool = True, garbage: float = 0.0, seed: int = 0
) -> Rollout:
    draw = torch.Generator().manual_seed(seed)
    rewards, values, noise = (torch.randn(rows, tokens, generator=draw) for _ in range(3))
    mask = torch.ones(rows, tokens)
    if padded:
        mask = (torch.arange(tokens) < torch.randint(2, tokens + 1, (rows, 1), generator=draw)).float()
    if holes:
        mask = mask * (torch.rand(rows, tokens, generator=draw) < 0.8)
        mask[:, 0] = 1
    return Rollout(0.1 * rewards * mask, values * mask + garbage * noise * (1 - mask), mask)


def followed(given: Rollout, convention: Convention, *, gamma: float = GAMMA, lam: float = LAM) -> dict[str, Tensor]:
    """What the project's loop makes of a rollout: whitened advantages and returns, and the raw ones."""
    found = run(given, convention, gamma=gamma, lam=lam)
    return {"raw": found.advantages, "whitened": found.normalised, "returns": found.returns}


def planted(id: str, given: Rollout, *, gamma: float = GAMMA, lam: float = LAM) -> dict[str, Tensor]:
    """The same with a mistake's program."""
    mistake = MISTAKES[id]
    right = recursions._monte_carlo if mistake.quantity == "mc" else recursions._gae

    def program(x: Any) -> dict[str, Any]:
        found = right(x)
        return {**found, "whitened": x.on.whiten(found["advantages"], x.mask)}

    tensors = {"rewards": given.rewards, "values": given.values, "mask": given.mask, "gamma": gamma, "lam": lam}
    inputs = OfTensors(Scenario(), kernels, number=lambda _, x: x, series=lambda n, _: tensors[n], tensors=tensors)
    found = mistake.change(program)(inputs)
    return {"raw": found["advantages"], "whitened": found["whitened"], "returns": found["returns"]}


def lists(given: Rollout) -> dict[str, Tensor]:
    return {"rewards": given.rewards, "values": given.values, "mask": given.mask}
