"""The blocked scan is the recurrence."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from engine import sequences
from engine.kernels import linear_scan
from engine.kernels.scan import BLOCK, WHOLE, scan
from tests.engine.kernels.kernel_oracle import (
    DETERMINISTIC,
    assert_same,
    batches,
    discounts,
    dtypes,
    random_batch,
    row_by_row,
)


def defined_scan(b: torch.Tensor, decay: float) -> torch.Tensor:
    return row_by_row(lambda row: sequences.mc_returns(row, decay), None, b)


@DETERMINISTIC
@given(batches, discounts, dtypes, st.integers(0, 99))
def test_blocks_give_the_recurrence(shape, decay, dtype, seed):
    b, _ = random_batch(*shape, dtype, seed)
    assert_same(linear_scan(b, decay), defined_scan(b, decay), dtype)


@pytest.mark.parametrize("decay", [1.0, 0.9999])
def test_rounding_does_not_grow_with_the_length(decay):
    b, _ = random_batch(1, 32768, torch.float32)
    expected = defined_scan(b, decay)
    for dtype in (torch.float32, torch.float64):
        assert_same(linear_scan(b.to(dtype), decay), expected, dtype)


@pytest.mark.parametrize("length", [1, BLOCK, WHOLE, WHOLE + 1, WHOLE + BLOCK, BLOCK * WHOLE, BLOCK * (WHOLE + 1) + 1])
def test_every_way_through_the_blocks_fills_out(length):
    b, _ = random_batch(3, length, torch.float64)
    out = torch.full_like(b, torch.nan)
    expected = defined_scan(b, 0.9)
    assert scan(b, 0.9, out=out) is out
    assert_same(out, expected, torch.float64)


@pytest.mark.parametrize("shape", [(0, 5), (0, 100), (0, 200), (3, 0), (0, 0)])
def test_nothing_in_nothing_out(shape):
    assert linear_scan(torch.empty(shape), 0.9).shape == shape


def test_the_argument_is_left_as_it_was():
    b, _ = random_batch(2, 100, torch.float64)
    before = b.clone()
    linear_scan(b, 0.9)
    assert torch.equal(b, before)


def test_columns_far_apart_in_memory_are_read_in_place():
    b, _ = random_batch(150, 4, torch.float64)
    assert torch.equal(linear_scan(b.mT, 0.9), linear_scan(b.mT.contiguous(), 0.9))


@pytest.mark.parametrize("length", [5, 70, 80])
@pytest.mark.parametrize("decay", [0.0, 0.9, 1.0])
def test_first_and_second_derivatives(length, decay):
    b, _ = random_batch(1, length, torch.float64)
    b.requires_grad_()
    assert torch.autograd.gradcheck(lambda x: linear_scan(x, decay), b)
    assert torch.autograd.gradgradcheck(lambda x: linear_scan(x, decay) ** 2, b[:, :5].detach().requires_grad_())


def test_the_jacobian_is_the_triangle():
    jacobian = torch.func.jacrev(lambda b: linear_scan(b, 0.9))(torch.zeros(1, 70, dtype=torch.float64))[0, :, 0]
    distance = torch.arange(70) - torch.arange(70)[:, None]
    assert_same(jacobian, torch.where(distance >= 0, 0.9 ** distance.double(), 0.0), torch.float64)


def test_the_comparison_can_fail():
    b, _ = random_batch(1, 100, torch.float64)
    with pytest.raises(AssertionError, match="off by"):
        assert_same(linear_scan(b, 0.9), defined_scan(b, 0.9 + 1e-9), torch.float64)
    with pytest.raises(AssertionError, match="off by"):
        assert_same(b * torch.nan, b, torch.float64)
