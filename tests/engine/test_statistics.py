"""Whitening: its theorems on 50-digit decimals, its exact numbers, its refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import kernels
from engine.errors import EngineError
from engine.masks import each_valid, last_valid, one_more, spread, valid, zeroed
from engine.readings.exact import Decimal, decimal, rational
from engine.readings.worked import given as worked
from engine.statistics import masked_mean, masked_variance, whiten, whiten_batch
from tests.engine.batch_strategies import lifted, masked_rows

TINY = Decimal("1e-40")


def varied(mask: list[int], xs: list[float]) -> list[Decimal]:
    assume(len(set(valid(xs, mask))) > 1)
    return lifted(xs)


def close(xs: list[object], ys: list[object]) -> bool:
    return all(abs(x - y) < TINY for x, y in zip(xs, ys, strict=True))


@given(masked_rows())
def test_whitened_numbers_have_mean_0_and_sample_variance_1(drawn):
    mask, xs = drawn
    whitened = whiten(varied(mask, xs), mask, epsilon=0)
    assert abs(masked_mean(whitened, mask)) < TINY
    assert abs(masked_variance(whitened, mask) - 1) < TINY


@given(masked_rows())
def test_with_population_variance_that_is_1_instead(drawn):
    mask, xs = drawn
    whitened = whiten(varied(mask, xs), mask, sample=False, epsilon=0)
    count = sum(mask)
    assert abs(masked_variance(whitened, mask, sample=False) - 1) < TINY
    assert abs(masked_variance(whitened, mask) - decimal(float(count)) / (count - 1)) < TINY


@given(masked_rows(), st.integers(1, 30), st.integers(-30, 30))
def test_a_positive_slope_and_a_shift_change_nothing_and_a_negative_slope_the_sign(drawn, slope, shift):
    mask, xs = drawn
    xs = varied(mask, xs)
    whitened = valid(whiten(xs, mask, epsilon=0), mask)
    assert close(valid(whiten([slope * x + shift for x in xs], mask, epsilon=0), mask), whitened)
    assert close(valid(whiten([-slope * x + shift for x in xs], mask, epsilon=0), mask), [-x for x in whitened])


@given(masked_rows())
def test_order_is_kept_and_epsilon_only_shrinks(drawn):
    mask, xs = drawn
    kept, whitened = valid(varied(mask, xs), mask), valid(whiten(lifted(xs), mask), mask)
    ranks = sorted(range(len(kept)), key=lambda i: (kept[i], i))
    assert ranks == sorted(range(len(kept)), key=lambda i: (whitened[i], i))
    variance, epsilon = masked_variance(lifted(xs), mask), decimal(1e-8)
    assert abs(masked_variance(whitened, [1] * len(kept)) - variance / (variance + epsilon)) < TINY


@given(masked_rows())
def test_without_the_shift_the_mean_stays_and_the_distances_are_those_of_whitening(drawn):
    mask, xs = drawn
    xs = varied(mask, xs)
    kept, shifted = whiten(xs, mask, shift_mean=False), whiten(xs, mask)
    mean = masked_mean(xs, mask)
    assert abs(masked_mean(kept, mask) - mean) < TINY
    assert close(valid(kept, mask), [x + mean for x in valid(shifted, mask)])


@given(masked_rows())
def test_what_is_masked_is_never_looked_at(drawn):
    mask, xs = drawn
    hidden = [x if m else None for x, m in zip(varied(mask, xs), mask, strict=True)]
    whitened = whiten(hidden, mask)
    assert whitened == whiten(lifted(xs), mask)
    assert [x is None for x in whitened] == [not m for m in mask]


@given(masked_rows())
def test_variance_is_the_mean_square_less_the_squared_mean(drawn):
    mask, xs = drawn
    xs = lifted(xs, rational)
    mean = masked_mean(xs, mask)
    assert masked_variance(xs, mask, sample=False) == masked_mean([x * x for x in xs], mask) - mean**2
    assert masked_variance(xs, mask) * (sum(mask) - 1) == masked_variance(xs, mask, sample=False) * sum(mask)


def test_the_mean_of_whitened_symbols_is_0():
    a, b, c = sympy.symbols("a b c", real=True)
    assert sympy.simplify(sum(whiten([a, b, c], [1, 1, 1]))) == 0


def test_a_variance_floor_divides_equal_numbers_by_it_and_leaves_others_alone():
    equal, spread_out = lifted([2.0, 2.0]), lifted([1.0, 5.0])
    assert whiten(equal, [1, 1], sample=False, floors=True) == [0, 0]
    assert close(
        whiten(spread_out, [1, 1], sample=False, floors=True), whiten(spread_out, [1, 1], sample=False, epsilon=0)
    )


def test_numbers_of_verl():
    xs, mask = lifted([1.0, 2.0, 4.0, 99.0]), [1, 1, 1, 0]
    assert [round(float(x), 6) for x in valid(whiten(xs, mask), mask)] == [-0.872872, -0.218218, 1.091089]
    assert [round(float(x), 6) for x in valid(whiten(xs, mask, shift_mean=False), mask)] == [
        1.460462,
        2.115115,
        3.424423,
    ]
    assert masked_variance(lifted([1.0, 2.0, 4.0], rational), [1] * 3) == Fraction(7, 3)
    assert masked_variance(lifted([1.0, 2.0, 4.0], rational), [1] * 3, sample=False) == Fraction(14, 9)


def test_the_working_names_mean_and_variance():
    xs = [worked(decimal(x), "advantages", t) for t, x in enumerate([1.0, 3.0])]
    whitened = whiten(xs, [1, 1], epsilon=0)
    assert whitened[1].line("text").startswith("Â₁ = (A₁ - μ)/sqrt(σ² + 0)".replace("/", " / "))


def test_a_batch_is_whitened_together():
    batch, mask = lifted([[1.0, 2.0, 9.0], [5.0, 9.0, 9.0]]), [[1, 1, 0], [1, 0, 0]]
    together = whiten(lifted([1.0, 2.0, 5.0]), [1, 1, 1])
    assert whiten_batch(batch, mask) == [[together[0], together[1], None], [together[2], None, None]]


@pytest.mark.parametrize(("mask", "code"), [([0, 0], "no_valid_token"), ([0, 1], "one_value_has_no_sample_variance")])
def test_too_few_numbers_are_refused(mask, code):
    with pytest.raises(EngineError) as refused:
        whiten(lifted([1.0, 2.0]), mask)
    assert refused.value.code == code


def test_one_number_has_a_population_variance():
    assert masked_variance(lifted([1.0, 2.0], rational), [0, 1], sample=False) == 0


@given(masked_rows())
def test_spread_undoes_valid(drawn):
    mask, xs = drawn
    assert spread(valid(xs, mask), mask, outside=0) == zeroed(xs, mask)
    assert each_valid(lambda t, x: xs[t] == x, mask, xs) == [True if m else None for m in mask]


def test_the_shifted_mask_keeps_one_more_and_the_last_valid_is_found():
    assert one_more([1, 1, 0, 0]) == [1, 1, 1, 0]
    assert one_more([1, 1, 1]) == [1, 1, 1]
    assert last_valid([1, 0, 1, 0]) == 2
    with pytest.raises(EngineError, match="no_valid_token"):
        last_valid([0, 0])


@pytest.mark.parametrize("x", [0.1, 0.95, 1e-3, 1e6])
@pytest.mark.parametrize("n", [2, 3, 6, 7])
def test_equal_numbers_have_themselves_as_mean_and_whiten_to_nothing(x, n):
    row, mask = torch.full((1, n), x, dtype=torch.float64), torch.ones(1, n)
    assert kernels.masked_mean(row, mask).item() == x
    assert not kernels.whiten(row, mask, epsilon=1e-300).any()
