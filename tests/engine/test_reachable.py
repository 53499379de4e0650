"""Numbers that some γ and λ give are reachable; numbers that none gives are not."""

from __future__ import annotations

import pytest

from engine.mistakes import run
from engine.reachable import reachable
from engine.scenario import scenario


@pytest.mark.parametrize(("gamma", "lam"), [(1, 1), (1, 0.95), (0.99, 0.5), (0.5, 0), (0, 0.7)])
def test_what_some_gamma_and_lambda_give_is_reachable(gamma, lam):
    r, v = [0.1, -0.2, 0, 1], [0.3, 0.5, 0.4, 0.9]
    found = run("mc_for_returns", scenario({"rewards": r, "values": v, "gamma": gamma, "lam": lam})).numbers
    assert reachable(r, v, [round(a, 3) for a in found["advantages"]], 0.0005)


@pytest.mark.parametrize(
    "stated",
    [
        [0.13, 0.10, 0.5],  # the last is not its own δ
        [9.0, 0.9, 0.6],  # more than γ = λ = 1 gives
        [0.1, -9.0, 0.6],
        [0.35, 0.0, 0.6],
    ],
)
def test_what_none_gives_is_not(stated):
    assert not reachable([0, 0, 1], [0.2, 0.3, 0.4], stated, 0.005)


def test_a_later_advantage_of_zero_leaves_the_rest_open():
    assert reachable([0.3, 0.0], [0.2, 0.0], [0.1, 0.0], 0.001)
    assert not reachable([0.3, 0.0], [0.2, 0.0], [0.7, 0.0], 0.001)
