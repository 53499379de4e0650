"""From rewards and values to advantages, batch × time. Position t belongs to response token t; V after the last is 0.

The numbers inside the mask must be finite.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine import formulas
from engine.kernels.given import check_out
from engine.kernels.masks import layout_of, on_response
from engine.kernels.scan import linear_scan, scan
from engine.kernels.shapes import Mask, PerToken, alike

CACHED = 2**20  # numbers per tensor that a CPU keeps at hand from one pass over them to the next


def td_errors(rewards: PerToken, values: PerToken, mask: Mask | None = None, *, gamma: float) -> PerToken:
    """δ_t = r_t + γV_{t+1} − V_t."""
    return on_response(lambda r, v: formulas.td_error(r, v, _later(v, 1), gamma), mask, rewards, values)


def n_step_advantages(
    rewards: PerToken, values: PerToken, mask: Mask | None = None, *, gamma: float, n: int
) -> PerToken:
    """A^(n): n rewards from token t on, then V, minus V_t. Where fewer than n tokens are left it takes those."""
    if n < 1:
        raise ValueError("an advantage looks at least one token ahead")

    def kernel(r: PerToken, v: PerToken) -> PerToken:
        steps = min(n, r.shape[1])
        return formulas.advantage(_window(r, gamma, steps) + gamma**steps * _later(v, steps), v)

    return on_response(kernel, mask, rewards, values)


def gae(
    rewards: PerToken,
    values: PerToken,
    mask: Mask | None = None,
    *,
    gamma: float,
    lam: float,
    out: tuple[PerToken, PerToken] | None = None,
) -> tuple[PerToken, PerToken]:
    """A_t = Σ (γλ)^k δ_{t+k}, not whitened, and the critic's targets A_t + V_t.

    The targets are the λ-returns, and these are scanned; scanning δ instead, with V in every term, rounds more.
    `out` is two contiguous tensors that overlap neither each other nor the inputs.
    """
    alike(rewards, values=values, mask=mask)
    if rewards.dim() != 2 or rewards.dtype != values.dtype or not rewards.is_floating_point():
        raise ValueError(f"rewards and values are [B, T] of one floating type, not {rewards.dtype}, {values.dtype}")
    if not (0 <= gamma <= 1 and 0 <= lam <= 1):
        raise ValueError(f"γ and λ lie between 0 and 1, not {gamma}, {lam}")
    if torch.is_grad_enabled() and (rewards.requires_grad or values.requires_grad):
        if out is not None:
            raise ValueError("what is differentiated cannot be written into out=")
        return _differentiable_gae(rewards, values, mask, gamma, lam)
    if out is None:
        out = _fresh_pair(rewards)
    else:
        check_out(out, rewards, values, mask)
    if rewards.numel() <= CACHED or rewards.device.type != "cpu":
        _write_gae(rewards, values, mask, out, gamma, lam)
        return out
    rows = max(1, CACHED // rewards.shape[1])
    for part in (slice(start, start + rows) for start in range(0, rewards.shape[0], rows)):
        some = None if mask is None else mask[part]
        _write_gae(rewards[part], values[part], some, (out[0][part], out[1][part]), gamma, lam)
    return out


def advantages_of(returns: PerToken, values: PerToken, mask: Mask | None = None) -> PerToken:
    """What returns, of whatever kind, have over the values."""
    return on_response(formulas.advantage, mask, returns, values)


def critic_targets(advantages: PerToken, values: PerToken, mask: Mask | None = None) -> PerToken:
    return on_response(formulas.critic_target, mask, advantages, values)


def _differentiable_gae(
    rewards: Tensor, values: Tensor, mask: Tensor | None, gamma: float, lam: float
) -> tuple[Tensor, Tensor]:
    layout = layout_of(mask, rewards)
    r, v = layout.pack(rewards), layout.pack(values)
    returns = linear_scan(formulas.lambda_return_step(r, _later(v, 1), 0, gamma, lam), gamma * lam)
    return layout.unpack(formulas.advantage(returns, v)), layout.unpack(returns)


def _write_gae(
    rewards: Tensor, values: Tensor, mask: Tensor | None, out: tuple[Tensor, Tensor], gamma: float, lam: float
) -> None:
    """The same in place: the advantages' memory first holds what is scanned."""
    layout = layout_of(mask, rewards)
    advantages, returns = out
    v = layout.pack(values)
    scanned = layout.pack(rewards, out=advantages)
    if lam != 1:
        scanned[:, :-1].add_(v[:, 1:], alpha=gamma * (1 - lam))
    scan(scanned, gamma * lam, out=returns)
    torch.sub(returns, v, out=advantages)
    for packed in out:
        layout.unpack_in_place(packed)


def _fresh_pair(like: Tensor) -> tuple[Tensor, Tensor]:
    """Two halves of one allocation: two of some megabytes each go back to the system and come anew at every call."""
    advantages, returns = like.new_empty(2, *like.shape).unbind()
    return advantages, returns


def _later(x: PerToken, steps: int) -> PerToken:
    """x_{t+steps} at t, 0 after the end."""
    steps = min(steps, x.shape[1])
    return torch.nn.functional.pad(x[:, steps:], (0, steps))


def _window(x: PerToken, gamma: float, length: int) -> PerToken:
    """Σ γ^k x_{t+k} over k < length, put together from windows of 1, 2, 4 … tokens; differences of long sums cancel."""
    total, reached, window, width = torch.zeros_like(x), 0, x, 1
    while width <= length:
        if length & width:
            total = total + gamma**reached * _later(window, reached)
            reached += width
        window = window + gamma**width * _later(window, width)
        width *= 2
    return total
