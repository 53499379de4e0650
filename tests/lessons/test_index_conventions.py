"""index_conventions: what adds up in place and what does not; E[δ] = 0 in place and nowhere else."""

from __future__ import annotations

import pytest

from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import everywhere

ID = "index_conventions"


def test_in_place_and_one_off():
    found = lessons()[ID].show(RUNNING).facts.numbers
    assert found["added_in_place"] == pytest.approx(found["returns"])
    shifted = [*RUNNING.values[1:], 0]
    assert found["added_one_off"] == pytest.approx([a + v for a, v in zip(found["advantages"], shifted, strict=True)])


def test_only_in_place_the_mean_delta_is_zero():
    means = lessons()[ID].show(RUNNING).facts.numbers["constants"]
    assert means["in_place"] == pytest.approx([0, 0])
    assert all(abs(x) > 0.1 for name in ("one_late", "one_early") for x in means[name])


def test_suttons_index_taken_literally_loses_the_first_reward():
    shown = lessons()[ID].show(RUNNING)
    wrong = shown.mistakes["reward_index_later"].numbers["rewards"]
    assert wrong == pytest.approx([*shown.facts.numbers["rewards"][1:], 0])


def test_the_timeline_ends_with_nothing_to_come():
    page = next(page for name, form, page in everywhere.pages(ID) if form == "full")
    assert r"| \(s_{6}\) |  | \(V_{6} = 0\), \(R_{6} = 0\) |" in page["en"]


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID)
