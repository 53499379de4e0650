"""GAE in blocks is GAE token by token, and has its identities."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import TypeCheckError

import engine
from engine.kernels import advantages as module
from engine.kernels import gae, lambda_returns, mc_returns, n_step_advantages, td_errors
from tests.engine.kernels.kernel_oracle import (
    DETERMINISTIC,
    KINDS,
    assert_same,
    batches,
    defined_gae,
    discounts,
    dtypes,
    random_batch,
    random_mask,
    without_shape_checks,
)


@DETERMINISTIC
@given(batches, discounts, discounts, dtypes, st.sampled_from(KINDS), st.integers(0, 99))
def test_the_kernel_is_the_definition(shape, gamma, lam, dtype, kind, seed):
    rewards, values = random_batch(*shape, dtype, seed)
    mask = random_mask(kind, *shape, seed)
    expected = defined_gae(rewards, values, mask, gamma, lam)
    found = gae(rewards, values, mask, gamma=gamma, lam=lam)
    for x, y in zip(found, expected, strict=True):
        assert_same(x, y, dtype, scale=values.abs().max().item())


@pytest.mark.parametrize(
    ("gamma", "lam", "kind"), [(1.0, 1.0, "none"), (1.0, 1.0, "holes"), (1.0, 0.95, "padded"), (0.99, 1.0, "whole")]
)
def test_long_responses(gamma, lam, kind):
    rewards, values = random_batch(1, 32768, torch.float32)
    mask = random_mask(kind, 1, 32768)
    expected = defined_gae(rewards, values, mask, gamma, lam)
    for dtype in (torch.float32, torch.float64):
        found = gae(rewards.to(dtype), values.to(dtype), mask, gamma=gamma, lam=lam)
        for x, y in zip(found, expected, strict=True):
            assert_same(x, y, dtype)


@DETERMINISTIC
@given(st.integers(1, 90), discounts, discounts, st.integers(0, 99))
def test_advantages_are_the_double_sum(length, gamma, lam, seed):
    rewards, values = random_batch(1, length, torch.float64, seed)
    v = [*values[0].tolist(), 0.0]
    deltas = [r + gamma * v[t + 1] - v[t] for t, r in enumerate(rewards[0].tolist())]
    sums = [sum((gamma * lam) ** (k - t) * deltas[k] for k in range(t, length)) for t in range(length)]
    assert_same(gae(rewards, values, gamma=gamma, lam=lam)[0], torch.tensor([sums], dtype=torch.float64), torch.float64)


@DETERMINISTIC
@given(batches, discounts, st.sampled_from(KINDS), st.integers(0, 99))
def test_lambda_0_is_delta_and_lambda_1_is_g_minus_v(shape, gamma, kind, seed):
    rewards, values = random_batch(*shape, torch.float64, seed)
    mask = random_mask(kind, *shape, seed)
    inside = torch.ones(shape) if mask is None else mask
    short, _ = gae(rewards, values, mask, gamma=gamma, lam=0.0)
    long, returns = gae(rewards, values, mask, gamma=gamma, lam=1.0)
    assert_same(short, td_errors(rewards, values, mask, gamma=gamma), torch.float64)
    assert_same(long, mc_returns(rewards, mask, gamma=gamma) - values * inside, torch.float64, scale=10)
    assert_same(returns, mc_returns(rewards, mask, gamma=gamma), torch.float64)


@DETERMINISTIC
@given(st.integers(1, 40), discounts, discounts, st.sampled_from(KINDS), st.integers(0, 99))
def test_gae_mixes_the_n_step_advantages(length, gamma, lam, kind, seed):
    """Written with the longest n for all: where fewer tokens are left, n-step advantages repeat and weights add up."""
    rewards, values = random_batch(2, length, torch.float64, seed)
    mask = random_mask(kind, 2, length, seed)
    mixed = sum(
        ((1 - lam) * lam ** (n - 1) if n < length else lam ** (n - 1))
        * n_step_advantages(rewards, values, mask, gamma=gamma, n=n)
        for n in range(1, length + 1)
    )
    assert_same(gae(rewards, values, mask, gamma=gamma, lam=lam)[0], mixed, torch.float64, scale=10)


@pytest.mark.parametrize(
    ("values", "lam", "advantages", "returns"),
    [
        ([0.5, 0.6, 0.9, 0, 0], 1.0, [0.5, 0.41, 0.09], [1.0, 1.01, 0.99]),
        ([0.5, 0.6, 0.9, 0, 0], 0.95, [0.475225, 0.4055, 0.09], [0.975225, 1.0055, 0.99]),
        ([0.5, 0.6, 0.9, 0.8, 0], 0.95, [0.511325, 0.4435, 0.13], [1.011325, 1.0435, 1.03]),
        ([0.5, 0.6, 0.9, 0.8, 0.7], 0.95, [0.541333, 0.475087, 0.16325], [1.041333, 1.075088, 1.06325]),
    ],
)
def test_numbers_from_verl(values, lam, advantages, returns):
    rewards = torch.tensor([[-0.01, 0.02, 0.99, 0, 0]], dtype=torch.float64)
    found = gae(rewards, torch.tensor([values], dtype=torch.float64), gamma=1.0, lam=lam)
    for x, y in zip(found, (advantages, returns), strict=True):
        assert x[0, :3].tolist() == pytest.approx(y, abs=1e-6)


@pytest.mark.parametrize(
    ("mask", "rewards", "values", "expected"),
    [
        ([1, 1, 1, 0], [0, 0, 1, 0], [0.5, 0.6, 0.9, 100], [0.47525, 0.395, 0.1, 0]),
        ([1, 1, 0, 1], [0, 0, 0, 1], [0.2, 0.3, 0.9, 0.4], [0.7365, 0.67, 0, 0.6]),
    ],
)
def test_numbers_from_verl_with_a_mask(mask, rewards, values, expected):
    r, v = torch.tensor([rewards, values], dtype=torch.float64)[:, None]
    advantages, _ = gae(r, v, torch.tensor([mask]), gamma=1.0, lam=0.95)
    assert advantages[0].tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_out_is_filled_and_inputs_are_left_as_they_were(kind):
    rewards, values = random_batch(5, 100, torch.float64)
    mask = random_mask(kind, 5, 100)
    before = rewards.clone(), values.clone()
    out = torch.full_like(rewards, torch.nan), torch.full_like(values, torch.nan)
    found = gae(rewards, values, mask, gamma=1.0, lam=0.9, out=out)
    assert found[0] is out[0] and found[1] is out[1]
    for x, y in zip(out, gae(rewards, values, mask, gamma=1.0, lam=0.9), strict=True):
        assert torch.equal(x, y)
    assert torch.equal(rewards, before[0]) and torch.equal(values, before[1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cached", [1, 150, 250])
def test_cutting_the_batch_into_rows_changes_nothing(monkeypatch, kind, cached):
    rewards, values = random_batch(7, 70, torch.float64)
    mask = random_mask(kind, 7, 70)
    whole = gae(rewards, values, mask, gamma=1.0, lam=0.9)
    monkeypatch.setattr(module, "CACHED", cached)
    for x, y in zip(gae(rewards, values, mask, gamma=1.0, lam=0.9), whole, strict=True):
        assert_same(x, y, torch.float64)


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_may_lie_anywhere_in_memory(kind):
    rewards, values = random_batch(100, 10, torch.float64)
    mask = random_mask(kind, 10, 100)
    apart = gae(rewards.mT, values.mT, None if mask is None else mask.mT.contiguous().mT, gamma=1.0, lam=0.9)
    together = gae(rewards.mT.contiguous(), values.mT.contiguous(), mask, gamma=1.0, lam=0.9)
    for x, y in zip(apart, together, strict=True):
        assert x.is_contiguous()
        assert_same(x, y, torch.float64)


@pytest.mark.parametrize("shape", [(0, 5), (0, 100), (3, 0), (0, 0), (2, 1)])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("tracked", [False, True])
def test_batches_with_little_in_them(shape, masked, tracked):
    empty = torch.zeros(shape, requires_grad=tracked)
    mask = torch.ones(shape, dtype=torch.bool) if masked else None
    for x in gae(empty, empty, mask, gamma=1.0, lam=0.9):
        assert x.shape == shape
    assert n_step_advantages(empty, empty, mask, gamma=1.0, n=2).shape == shape


@DETERMINISTIC
@given(batches, discounts, discounts, st.sampled_from(KINDS), st.integers(0, 99))
def test_the_differentiable_form_has_the_same_numbers(shape, gamma, lam, kind, seed):
    rewards, values = random_batch(*shape, torch.float64, seed)
    mask = random_mask(kind, *shape, seed)
    plain = gae(rewards, values, mask, gamma=gamma, lam=lam)
    tracked = gae(rewards, values.requires_grad_(), mask, gamma=gamma, lam=lam)
    for x, y in zip(plain, tracked, strict=True):
        assert_same(x, y.detach(), torch.float64)


def test_the_package_offers_it():
    assert engine.gae is gae
    rewards, values = random_batch(2, 9, torch.float64)
    assert torch.equal(lambda_returns(rewards, values, gamma=0.9, lam=0.8), gae(rewards, values, gamma=0.9, lam=0.8)[1])


def test_wrong_arguments_stop_at_the_door():
    x = torch.zeros(2, 3)
    with pytest.raises(TypeCheckError):  # the shapes in the signature
        gae(x, x[:, :2], gamma=1.0, lam=1.0)
    with pytest.raises(TypeCheckError):
        gae(x, x, torch.ones(2, 2), gamma=1.0, lam=1.0)
    with pytest.raises(ValueError, match="floating type"):
        gae(x, x.double(), gamma=1.0, lam=1.0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        gae(x, x, gamma=1.5, lam=1.0)
    with pytest.raises(ValueError, match="contiguous"):
        gae(x, x, gamma=1.0, lam=1.0, out=(torch.zeros(3, 2).mT, x.clone()))
    with pytest.raises(ValueError, match="out= differs"):
        gae(x, x, gamma=1.0, lam=1.0, out=(x.double(), x.clone()))
    with pytest.raises(ValueError, match="differentiated"):
        gae(x.requires_grad_(), x, gamma=1.0, lam=1.0, out=(x.detach().clone(), x.detach().clone()))
    with pytest.raises(ValueError, match="at least one"):
        n_step_advantages(x, x, gamma=1.0, n=0)


def overlapping() -> dict[str, Any]:
    """name → rewards, values, mask and an `out` of which two share memory."""
    memory, other = torch.zeros(40), torch.ones(2, 5)
    first, second = memory[:10].view(2, 5), memory[10:20].view(2, 5)
    return {
        "rewards": (first, second, None, (first, other)),
        "values": (first, second, None, (other, second)),
        "the mask": (second, other, first, (first, torch.zeros(2, 5))),
        "a part of the rewards": (first, second, None, (memory[5:15].view(2, 5), other)),
        "rewards apart in memory": (
            memory.view(4, 10)[::2, ::2],
            other,
            None,
            (memory[3:13].view(2, 5), second.clone()),
        ),
        "each other": (first, second, None, (other, other)),
        "a part of each other": (first, second, None, (memory[20:30].view(2, 5), memory[25:35].view(2, 5))),
    }


@pytest.mark.parametrize("case", overlapping().values(), ids=overlapping())
def test_an_out_that_overlaps_is_refused(case):
    rewards, values, mask, out = case
    with pytest.raises(ValueError, match="overlaps"):
        gae(rewards, values, mask, gamma=1.0, lam=1.0, out=out)


def test_an_out_beside_the_inputs_in_one_memory_is_taken():
    memory = torch.rand(40)
    rewards, values, *out = (part.view(2, 5) for part in memory.split(10))
    expected = gae(rewards, values, gamma=1.0, lam=0.9)
    for x, y in zip(gae(rewards, values, gamma=1.0, lam=0.9, out=tuple(out)), expected, strict=True):
        assert torch.equal(x, y)


def test_numbers_that_are_not_of_a_floating_type_are_refused():
    whole = torch.ones(2, 3, dtype=torch.int64)
    with without_shape_checks(), pytest.raises(ValueError, match="floating type"):
        gae(whole, whole, gamma=1.0, lam=1.0)
    row = torch.ones(3)
    with without_shape_checks(), pytest.raises(ValueError, match=r"\[B, T\]"):
        gae(row, row, gamma=1.0, lam=1.0)
