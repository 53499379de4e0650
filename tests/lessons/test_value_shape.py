"""How values move: the changes against sums written out, the three kinds of reward, the claims."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["value_shape"]


def facts(**given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


@pytest.mark.parametrize("name", [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name])
def test_the_change_is_the_difference_of_neighbouring_returns(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    r, gamma = found["rewards"], case.gamma
    g = [sum(gamma ** (k - t) * r[k] for k in range(t, len(r))) for t in range(len(r))] + [0.0]
    assert found["mc_returns"] == pytest.approx(g[:-1], abs=1e-9)
    assert found["change"] == pytest.approx([b - a for a, b in pairwise(g)], abs=1e-9)


def test_directions_of_the_running_example():
    found = LESSON.show(RUNNING).facts.numbers
    assert (found["g_rises"], found["g_falls"]) == (4, 1)
    assert (found["v_rises"], found["v_falls"]) == (5, 0)
    assert (found["positive"], found["negative"]) == (2, 4)


def test_directions_do_not_count_the_end_or_rounding():
    level = facts(rewards=[0, 0, 0, 1])
    assert (level["g_rises"], level["g_falls"]) == (0, 0)
    tenths = facts(rewards=[0.1, 0.2, 0, 0.3])
    assert (tenths["g_rises"], tenths["g_falls"]) == (0, 2)


def test_the_three_kinds():
    grid = facts(values=[0.1])["grid"]
    assert grid["dense"] == pytest.approx([0.8, 0.6, 0.4, 0.2])
    assert grid["cost"] == pytest.approx([0.7, 0.8, 0.9, 1.0])
    assert grid["outcome_discounted"] == pytest.approx([0.729, 0.81, 0.9, 1.0])


def test_the_search_finds_rewards_that_break_the_rule():
    found = facts(values=[0.1])["constants"]
    (r, s), (v, w) = found["gain_rewards"], found["gain_values"]
    assert r > 0 and s > 0 and w > v
    assert (v, w) == pytest.approx((r + 0.9 * s, s))
    (r, s), (v, w) = found["cost_rewards"], found["cost_values"]
    assert r < 0 and s < 0 and w < v


def test_values_alone_tell_the_rewards_they_imply():
    found = facts(values=[0.9, 0.7, 0.5, 0.2], gamma=0.5)
    assert found["implied_rewards"] == pytest.approx([0.55, 0.45, 0.4, 0.2])
    assert found["value_changes"] == pytest.approx([-0.2, -0.2, -0.3, -0.2])
    assert all(pages(LESSON, {"values": [0.9, 0.7, 0.5, 0.2], "gamma": 0.5}).values())
    assert all(pages(LESSON, {"rewards": [1, 1, 1]}).values())


def test_something_is_needed():
    with pytest.raises(EngineError, match="missing"):
        facts(scores=[0, 1])


@pytest.mark.parametrize("name", ["positive_rewards_make_values_fall", "kl_cost_makes_values_rise"])
@pytest.mark.parametrize("given", [{}, {"rewards": [1, 1]}, {"scores": [0, 1]}, {"rewards": [1, 1], "values": [1, 2]}])
def test_a_discount_counts_whatever_else_is_given(name, given):
    without, same, less = (scenario({**given, **rate}) for rate in ({}, {"gamma": 1}, {"gamma": 0.9}))
    found = [LESSON.facts[name].judge(one, denied=False) for one in (without, same, less)]
    assert [one.verdict for one in found] == ["true", "true", "depends"]
    assert [float(one.found["gamma"]) for one in found] == [1, 1, 0.9]


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
