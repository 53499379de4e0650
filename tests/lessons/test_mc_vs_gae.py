"""Return minus value beside GAE: the facts against sums written out, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["mc_vs_gae"]
VERDICTS = {
    "lambda_one_is_monte_carlo": "true",
    "same_at_every_lambda": "false",
    "lambda_zero_is_monte_carlo": "false",
    "same_at_the_last_token": "true",
    "differ_by_a_constant": "false",
    "monte_carlo_needs_no_critic": "false",
    "monte_carlo_uses_no_later_value": "true",
    "monte_carlo_needs_all_later_rewards": "true",
    "gae_is_always_smaller": "false",
    "baseline_biases_the_gradient": "false",
    "exact_critic_makes_them_equal": "false",
    "only_gae_is_biased_by_a_wrong_critic": "true",
    "gae_is_always_better": "false",
    "verl_default_is_return_minus_value": "true",
    "monte_carlo_advantage_ignores_gamma": "false",
    "gap_is_always_largest_at_the_first_token": "false",
    "outcome_reward_gives_one_return_to_all_tokens": "true",
    "return_alone_is_the_monte_carlo_advantage": "false",
    "gae_nears_monte_carlo_as_lambda_nears_one": "true",
    "zero_values_make_gae_monte_carlo": "false",
    "single_token_makes_both_equal": "true",
    "monte_carlo_and_gae_share_the_sign": "false",
    "gae_lies_between_delta_and_monte_carlo": "false",
    "gae_ignores_rewards_after_the_next_value": "false",
    "exact_critic_gives_both_the_same_mean": "true",
    "monte_carlo_gives_all_tokens_one_advantage": "false",
    "constant_critic_error_moves_both_alike": "false",
    "returns_differ_by_the_gap_of_advantages": "true",
}


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


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.propositions[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.propositions)


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
