"""definitions: the small world by hand, and its pages."""

from __future__ import annotations

import pytest

from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import everywhere

ID = "definitions"


def test_the_small_world_by_hand():
    found = lessons()[ID].show(RUNNING).facts.numbers["constants"]
    returns = [0.3 + 1.0, 0.3 + 0.0, 0.1 + 0.6, 0.1 + 0.0]
    assert found["sampled_returns"] == pytest.approx(returns)
    assert found["value"] == pytest.approx(sum(returns) / 4)
    assert found["q"] == pytest.approx([sum(returns[:2]) / 2, sum(returns[2:]) / 2])
    assert found["advantage"] == pytest.approx([0.2, -0.2])
    for mean in found["mean_estimates"].values():
        assert mean == pytest.approx(found["advantage"])


def test_pages():
    everywhere.check_pages(ID)
