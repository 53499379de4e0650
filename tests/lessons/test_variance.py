"""Variance: closed form, count and simulation agree."""

from __future__ import annotations

import pytest

from engine.chance import noise_of_later_tokens
from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from lessons.variance.worlds import STEP, TOKENS, told
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages

LESSON = lessons()["variance"]


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_formula_and_count_are_the_same_number_and_the_simulation_is_near():
    for lam, formula, all_ways, some in told().exact["rows"]:
        assert formula == all_ways == STEP**2 * sum(lam ** (2 * m) for m in range(TOKENS))
        assert float(some) == pytest.approx(float(formula), rel=0.1)


def test_length():
    for tokens, gae, mc in told().numbers["lengths"]:
        assert gae == pytest.approx(sum(0.81**m for m in range(tokens)))
        assert mc == tokens


def test_a_critic_that_jumps_is_noise_below_lambda_one_only():
    assert told().exact["wild_zero"] > told().exact["wild_one"] == 0


def test_the_weights_of_the_learners_tokens():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], gamma=0.9, lam=0.5).facts.numbers["first"]
    assert found["gae_weights"] == pytest.approx([1, 0.45, 0.45**2])
    assert found["mc_weights"] == pytest.approx([1, 0.9, 0.81])
    assert found["share"] == pytest.approx((1 + 0.45**2 + 0.45**4) / (1 + 0.81 + 0.6561))


def test_length_is_enough():
    assert "deltas" not in shown(rewards=[1, 0, 1, 0]).facts.numbers
    assert all(pages(LESSON, {"rewards": [1, 0, 1, 0]}).values())
    with pytest.raises(EngineError, match="missing"):
        shown(group_rewards=[1, 0])


def test_noise_without_the_own_token():
    assert noise_of_later_tokens(1.0, 3, 1.0, 0.5) == pytest.approx(0.25 + 0.0625)
    assert noise_of_later_tokens(1.0, 1, 1.0, 0.5) == 0


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
