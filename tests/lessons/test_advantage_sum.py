"""Σδ and ΣA: the facts against sums written out."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["advantage_sum"]


def test_the_learners_example():
    given = {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1, "lam": 0.95}
    found = LESSON.show(completed(scenario(given))[0]).facts.numbers
    assert found["delta_sum"] == pytest.approx(0.7) == found["excess"]
    assert found["advantage_sum"] == pytest.approx(1.631)


@pytest.mark.parametrize("name", [name for name in GIVEN if "batch" not in name and name != "one_token"])
def test_the_weights_give_the_sum(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    assert found["weighted_sum"] == pytest.approx(found["advantage_sum"], abs=1e-9)
    counts = [sum((case.gamma * case.lam) ** j for j in range(k + 1)) for k in range(len(found["counted_in_sum"]))]
    assert found["counted_in_sum"] == pytest.approx(counts)


def test_without_values_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(completed(scenario({"rewards": [0, 1]}))[0])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_a_single_real_token_among_padding_has_its_pages():
    assert all(pages(LESSON, {"rewards": [1, 5], "values": [0.5, 9], "mask": [1, 0]}).values())


def test_what_is_said_of_the_two_sums_fits_them():
    told = {name: pages(LESSON, GIVEN[name])["plain", "en"] for name in GIVEN}
    assert "always agree" in told["lam_zero"]
    assert "happens to be the excess" in told["zeros"]
    assert "one listener" in told["one_token"]
    assert "Taken for the excess" in told["negative"]
