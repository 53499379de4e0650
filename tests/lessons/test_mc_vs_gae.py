"""Return minus value beside GAE: the facts against sums written out."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["mc_vs_gae"]


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_the_learners_example():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], gamma=1, lam=0.95).facts.numbers
    assert found["mc_returns"] == pytest.approx([1, 1, 1])
    assert found["mc_advantages"] == pytest.approx([0.7, 0.6, 0.4])
    assert found["deltas"] == pytest.approx([0.1, 0.2, 0.4])
    assert found["advantages"] == pytest.approx([0.651, 0.58, 0.4])
    assert found["gap"] == pytest.approx([0.049, 0.02, 0])


@pytest.mark.parametrize("name", [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name])
def test_the_gap_is_what_was_discounted_away(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    g, lam, d = case.gamma, case.lam, found["deltas"]
    for t, gap in enumerate(found["gap"]):
        assert gap == pytest.approx(sum((1 - lam**k) * g**k * x for k, x in enumerate(d[t:])), abs=1e-9)


def test_with_rewards_alone_there_is_a_return_and_no_advantage():
    found = shown(rewards=[0, 1, 2], gamma=0.5)
    assert found.facts.numbers["mc_returns"] == pytest.approx([1, 2, 2])
    assert "advantages" not in found.facts.numbers
    assert all(pages(LESSON, {"rewards": [0, 1, 2], "gamma": 0.5}).values())


def test_without_rewards_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        shown(values=[0.1, 0.2])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_no_page_speaks_of_a_difference_where_there_is_none():
    for name in ("lam_one", "one_token", "zeros"):
        told = pages(LESSON, GIVEN[name])
        assert "at a discount.\n\nThe last" not in told["plain", "en"]
        assert "does no harm on these numbers" in told["plain", "en"]


def test_the_running_example_differs():
    assert LESSON.show(RUNNING).facts.exact["gap"][0] > 0
