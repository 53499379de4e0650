"""Sums over a response, at the precision of what is summed."""

from __future__ import annotations

from fractions import Fraction

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import discounted_sum

percent = st.integers(0, 100)


@settings(derandomize=True, deadline=None)
@given(percent, st.lists(percent, min_size=1, max_size=12))
def test_a_discounted_sum_keeps_the_precision_of_its_terms(gamma, terms):
    exactly = sum(Fraction(gamma, 100) ** k * term for k, term in enumerate(terms))
    summed = discounted_sum(torch.tensor([terms], dtype=torch.float64), gamma=gamma / 100)
    assert abs(summed.item() - float(exactly)) <= 1e-12 * (1 + float(exactly))
