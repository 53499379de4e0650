"""Credit assignment: the facts against powers of γλ."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["credit_assignment"]


def test_the_running_example():
    found = LESSON.show(shapes()["running"]).facts.numbers
    weights = [0.773781, 0.814506, 0.857375, 0.9025, 0.95, 1.0]
    assert found["last_reward_weights"] == pytest.approx(weights, abs=1e-6)
    assert found["last_reward_weight_sum"] == pytest.approx(5.298162, abs=1e-6)
    assert sum(found["last_reward_shares"]) == pytest.approx(0.995)
    assert sum(found["last_reward_late_shares"]) == pytest.approx(0.995)


@pytest.mark.parametrize("name", [name for name in GIVEN if name != "one_token"])
def test_the_weights_are_the_last_column(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    weights = found["last_reward_weights"]
    assert weights == pytest.approx([(case.gamma * case.lam) ** k for k in reversed(range(len(weights)))])
    if len(weights) <= 24:
        assert weights == pytest.approx([row[-1] for row in found["advantages_by_reward"]])


def test_without_values_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(completed(scenario({"rewards": [0, 1]}))[0])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_a_single_real_token_among_padding_has_its_pages():
    assert all(pages(LESSON, {"rewards": [1, 5], "values": [0.5, 9], "mask": [1, 0]}).values())


def test_what_is_said_of_the_weights_fits_them():
    told = {name: pages(LESSON, GIVEN[name])["plain", "en"] for name in GIVEN}
    assert "counts for its own token only" in told["lam_zero"]
    assert "equally dark" in told["lam_one"]
    assert "nothing to spread" in told["one_token"]
