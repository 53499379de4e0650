"""Derivatives of the kernels: against finite differences, and against their closed forms."""

from __future__ import annotations

import pytest
import torch

from engine.kernels import gae, mc_returns, n_step_advantages, td_errors
from tests.engine.kernels.kernel_oracle import KINDS, assert_same, random_batch, random_mask


def tracked(rows, length):
    return [x.requires_grad_() for x in random_batch(rows, length, torch.float64)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 1.0), (0.9, 0.8), (1.0, 0.0), (0.0, 0.9)])
@pytest.mark.parametrize("length", [4, 66])
def test_gae(kind, gamma, lam, length):
    mask = random_mask(kind, 2 if length == 4 else 1, length, seed=3)
    inputs = tracked(2 if length == 4 else 1, length)
    assert torch.autograd.gradcheck(lambda r, v: gae(r, v, mask, gamma=gamma, lam=lam), inputs)


@pytest.mark.parametrize("kind", KINDS)
def test_the_others(kind):
    mask = random_mask(kind, 2, 7, seed=1)
    r, v = tracked(2, 7)
    assert torch.autograd.gradcheck(lambda r, v: td_errors(r, v, mask, gamma=0.9), (r, v))
    assert torch.autograd.gradcheck(lambda r: mc_returns(r, mask, gamma=0.9), (r,))
    assert torch.autograd.gradcheck(lambda r, v: n_step_advantages(r, v, mask, gamma=0.9, n=3), (r, v))


def test_one_of_the_two_may_be_constant():
    r, v = random_batch(2, 5, torch.float64)
    assert torch.autograd.gradcheck(lambda x: gae(x, v, gamma=0.9, lam=0.8), r.clone().requires_grad_())
    assert torch.autograd.gradcheck(lambda x: gae(r, x, gamma=0.9, lam=0.8), v.clone().requires_grad_())


def test_what_an_advantage_depends_on():
    """∂A_t/∂r_k = (γλ)^{k−t}; ∂A_t/∂V_t = −1, ∂A_t/∂V_k = γ(1−λ)(γλ)^{k−t−1}; nothing of the past."""
    gamma, lam, length = 0.9, 0.8, 70
    r, v = random_batch(1, length, torch.float64)
    by_reward, by_value = torch.func.jacrev(lambda r, v: gae(r, v, gamma=gamma, lam=lam)[0][0], argnums=(0, 1))(r, v)
    ahead = (torch.arange(length) - torch.arange(length)[:, None]).double()
    weight = (gamma * lam) ** ahead.clamp(min=0)
    assert_same(by_reward[:, 0], torch.where(ahead >= 0, weight, 0.0), torch.float64)
    later = torch.where(ahead > 0, gamma * (1 - lam) * weight / (gamma * lam), 0.0)
    assert_same(by_value[:, 0], torch.where(ahead == 0, -1.0, later), torch.float64)


def test_no_graph_without_need():
    r, v = random_batch(2, 5, torch.float64)
    assert not any(x.requires_grad for x in gae(r, v, gamma=0.9, lam=0.8))
    with torch.no_grad():
        assert not any(x.requires_grad for x in gae(r.requires_grad_(), v, gamma=0.9, lam=0.8))
