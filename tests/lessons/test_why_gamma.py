"""γ: the grid against powers written out, and the two ways to share a product."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from lessons.why_gamma.lesson import GAMMAS, fixed
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages

LESSON = lessons()["why_gamma"]


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_the_grid():
    rewards = [0.2, 0, 1]
    found = shown(rewards=rewards, values=[0.3, 0.4, 0.6], gamma=0.8).facts.numbers["grid"]
    assert found["gammas"] == sorted([*GAMMAS, 0.8], reverse=True)
    assert found["returns"] == pytest.approx([sum(r * g**k for k, r in enumerate(rewards)) for g in found["gammas"]])
    assert found["last_counts"] == pytest.approx([g**2 for g in found["gammas"]])
    assert found["own_last_counts"] == pytest.approx(0.64)


def test_a_product_shared_out_in_two_ways():
    found = shown(rewards=[0, 1], values=[0.5, 0.6]).facts.numbers["grid"]
    assert found["only_lam"] == pytest.approx([0.1 + 0.9 * 0.4, 0.4])
    assert found["only_gamma"] == pytest.approx([0.9 * 0.6 - 0.5 + 0.9 * 0.4, 0.4])


def test_what_is_fixed():
    found = fixed().numbers
    assert found["left"][1][3] == pytest.approx(0.99**100)
    assert (found["short_return"], found["long_return"]) == (pytest.approx(0.9**2), pytest.approx(0.9**29))


def test_rewards_are_enough():
    found = shown(rewards=[0, 0, 0, 0, 1], gamma=0.9)
    assert found.facts.numbers["mc_returns"][0] == pytest.approx(0.6561)
    assert all(pages(LESSON, {"rewards": [0, 0, 0, 0, 1], "gamma": 0.9}).values())
    with pytest.raises(EngineError, match="missing"):
        shown(values=[0.1, 0.2])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_one_run_has_one_gamma():
    rewards, values = [-0.01, -0.005, -0.01, -0.015, -0.02, 0.995], [0.2, 0.25, 0.3, 0.35, 0.45, 0.6]
    found = shown(rewards=rewards, values=values, gamma=0.99, lam=0.95).facts.numbers
    assert found["mc_returns"] == pytest.approx([0.887718, 0.906786, 0.920996, 0.9404, 0.96505, 0.995], abs=1e-6)
    assert found["advantages"] == pytest.approx([0.563938, 0.559743, 0.550498, 0.546515, 0.495497, 0.395], abs=1e-6)
