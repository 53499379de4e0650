"""V_t includes r_t: the two readings against sums written out."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import Scenario, scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["value_includes_reward"]


@pytest.mark.parametrize("name", [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name])
def test_the_value_with_the_reward_leaves_no_surprise_and_the_other_does(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    r, w, gamma = found["rewards"], found["values_without_reward"], case.gamma
    assert found["deltas_of_exact"] == pytest.approx([0] * len(r), abs=1e-9)
    for t in range(len(r)):
        rest = sum(gamma ** (k - t) * r[k] for k in range(t + 1, len(r)))
        assert w[t] == pytest.approx(rest, abs=1e-9)
        after = w[t + 1] if t + 1 < len(w) else 0
        assert found["deltas_without_reward"][t] == pytest.approx(r[t] + gamma * after - w[t], abs=1e-9)


def test_one_token_by_hand():
    world = LESSON.show(RUNNING).facts.numbers["constants"]
    assert world["value"] == pytest.approx(0.6)
    assert world["deltas"] == pytest.approx([0.4, -0.6])
    assert world["mean_delta"] == pytest.approx(0)
    assert world["mean_delta_without_reward"] == pytest.approx(0.6)


def test_rewards_alone_are_enough():
    case = completed(scenario({"rewards": [0, 0, 2]}))[0]
    assert LESSON.show(case).facts.numbers["mc_returns"] == [2, 2, 2]
    assert all(pages(LESSON, {"rewards": [0, 0, 2]}).values())


def test_without_rewards_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(completed(scenario({"values": [0.1, 0.2]}))[0])
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(Scenario())


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
