"""The matrices of influence against their closed forms; the small forked world against sums by hand."""

from __future__ import annotations

import pytest

from engine.fork import small_world
from engine.influence import LONGEST, influence
from engine.scenario import scenario


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.9, 0.5), (1.0, 1.0), (1.0, 0.0), (0.0, 0.5)])
def test_closed_forms(gamma, lam):
    n = 5
    found = influence(scenario({"gamma": gamma, "lam": lam}), n).numbers
    for t in range(n):
        for k in range(n):
            m = k - t
            reward = (gamma * lam) ** m if m >= 0 else 0
            value = -1 if m == 0 else gamma * (1 - lam) * (gamma * lam) ** (m - 1) if m > 0 else 0
            assert found["advantages_by_reward"][t][k] == pytest.approx(reward)
            assert found["advantages_by_value"][t][k] == pytest.approx(value)
            assert found["returns_by_value"][t][k] == pytest.approx(value + (m == 0))


def test_a_long_response_shows_its_beginning():
    assert len(influence(scenario({"gamma": 1, "lam": 0.5}), 500).numbers["advantages_by_value"]) == LONGEST


def test_the_fork():
    found = small_world().numbers
    assert found["q"] == (1 + 0) / 2 and found["other_q"] == (0.5 + 0) / 2
    assert found["good_end"] == 0.5 * 0.5 + 0.5 * 1
    assert found["value"] == (found["q"] + found["other_q"]) / 2
