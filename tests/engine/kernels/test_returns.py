"""Returns, TD errors and n-step advantages in batches are those of one response at a time."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from engine import sequences
from engine.kernels import lambda_returns, mc_returns, n_step_advantages, td_errors
from tests.engine.kernels.kernel_oracle import (
    DETERMINISTIC,
    KINDS,
    assert_same,
    batches,
    discounts,
    dtypes,
    random_batch,
    random_mask,
    row_by_row,
)


@DETERMINISTIC
@given(batches, discounts, discounts, dtypes, st.sampled_from(KINDS), st.integers(0, 99))
def test_returns_are_their_definitions(shape, gamma, lam, dtype, kind, seed):
    r, v = random_batch(*shape, dtype, seed)
    mask = random_mask(kind, *shape, seed)
    expected = row_by_row(lambda a: sequences.mc_returns(a, gamma), mask, r)
    assert_same(mc_returns(r, mask, gamma=gamma), expected, dtype)
    expected = row_by_row(lambda a, b: sequences.lambda_returns(a, b, gamma, lam), mask, r, v)
    assert_same(lambda_returns(r, v, mask, gamma=gamma, lam=lam), expected, dtype)
    expected = row_by_row(lambda a, b: sequences.deltas(a, b, gamma), mask, r, v)
    assert_same(td_errors(r, v, mask, gamma=gamma), expected, dtype)


@DETERMINISTIC
@given(st.integers(1, 40), st.integers(1, 50), discounts, dtypes, st.sampled_from(KINDS), st.integers(0, 99))
def test_n_step_advantages_are_their_definition(length, n, gamma, dtype, kind, seed):
    r, v = random_batch(2, length, dtype, seed)
    mask = random_mask(kind, 2, length, seed)

    expected = row_by_row(lambda a, b: sequences.advantages_of_n_steps(a, b, gamma, n), mask, r, v)
    assert_same(n_step_advantages(r, v, mask, gamma=gamma, n=n), expected, dtype)


def test_a_short_window_of_a_long_sum_does_not_cancel():
    ones = torch.ones(1, 32768)
    found = n_step_advantages(ones, torch.zeros_like(ones), gamma=1.0, n=3)
    assert found[0, :-2].unique().tolist() == [3.0] and found[0, -2:].tolist() == [2.0, 1.0]
