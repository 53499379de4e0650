"""From rewards and values to returns, batch × time. Position t belongs to response token t; V after the last is 0."""

from __future__ import annotations

from engine.kernels.advantages import gae
from engine.kernels.masks import on_response
from engine.kernels.scan import linear_scan
from engine.kernels.shapes import Mask, PerToken


def mc_returns(rewards: PerToken, mask: Mask | None = None, *, gamma: float) -> PerToken:
    """G_t = r_t + γG_{t+1}."""
    return on_response(lambda r: linear_scan(r, gamma), mask, rewards)


def lambda_returns(
    rewards: PerToken, values: PerToken, mask: Mask | None = None, *, gamma: float, lam: float
) -> PerToken:
    """R_t = r_t + γ((1−λ)V_{t+1} + λR_{t+1}): what GAE calls its returns."""
    return gae(rewards, values, mask, gamma=gamma, lam=lam)[1]
