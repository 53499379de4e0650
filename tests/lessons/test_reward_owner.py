"""reward_owner: one number for text, two for tools, the same value either way."""

from __future__ import annotations

import pytest

from engine import proofs
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import everywhere

ID = "reward_owner"


def test_the_tool_by_hand():
    found = lessons()[ID].show(RUNNING).facts.numbers["constants"]
    value = 0.75 * (1 + 0.2) + 0.25 * (0 + 0.1)
    assert found["value"] == pytest.approx(value)
    assert found["value_from_mean"] == pytest.approx(value)
    assert found["deltas_by_transition"] == pytest.approx([1 + 0.2 - value, 0.1 - value])
    assert found["deltas_by_token"] == pytest.approx([0.75 + 0.2 - value, 0.75 + 0.1 - value])
    assert found["mean_by_transition"] == pytest.approx(0)
    assert found["mean_by_token"] == pytest.approx(0)


def test_the_theorems_are_among_all():
    assert "only_the_mean_reward_enters_the_value" in proofs.theorem_names()
    assert "mean_reward_gives_every_sampled_delta" in proofs.counterexample_names()


def test_a_reward_one_off_is_collected_by_nobody():
    shown = lessons()[ID].show(RUNNING)
    wrong = shown.mistakes["reward_index_earlier"].numbers["rewards"]
    assert wrong == pytest.approx([0, *shown.facts.numbers["rewards"][:-1]])


def test_pages():
    everywhere.check_pages(ID)
