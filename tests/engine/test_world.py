"""The small world: V and Q satisfy Bellman's equation, means are over all responses; the slice sees what it should."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.slices import causal, cut, sees
from engine.world import World, in_place, mean_deltas, one_early, one_late, small
from tests.responses import fractions, numbers


@st.composite
def worlds(draw: st.DrawFn) -> World:
    p = draw(fractions)
    paths = [(a,) for a in range(2)] + [(a, b) for a in range(2) for b in range(2)]
    return World((p, 1 - p), {path: draw(numbers) for path in paths}, draw(fractions))


@given(worlds())
def test_the_value_is_the_mean_of_the_returns(world):
    def total(path):
        first, second = world.rewards_along(path)
        return first + world.gamma * second

    assert world.value(()) == world.expected(total)
    for token in range(2):
        assert world.q((), token) == world.expected(total, given=(token,))


@given(worlds())
def test_with_exact_values_the_mean_delta_is_zero(world):
    assert mean_deltas(world, in_place) == [0, 0]


def test_elsewhere_it_is_not():
    world = small(lambda _name, x: Fraction(repr(x)))
    assert any(mean_deltas(world, one_late)) and any(mean_deltas(world, one_early))


@pytest.mark.parametrize(("prompt", "length"), [(1, 1), (1, 4), (5, 3)])
def test_the_cut(prompt, length):
    outputs = list(range(prompt + length))
    assert cut(outputs, length) == outputs[-length - 1 : -1]
    assert cut(outputs, length, 1) == outputs[-length:]
    assert sees(prompt, length) == [[float(j < t) for j in range(length)] for t in range(length)]
    assert sees(prompt, length, 1) == [[float(j <= t) for j in range(length)] for t in range(length)]


def test_a_causal_output_is_made_of_what_came_before():
    assert causal([1, 2, 4]) == [1, 3, 7]
