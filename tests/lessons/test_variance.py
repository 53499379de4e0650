"""Variance: closed form, count and simulation agree; the worlds are what they are called; the claims."""

from __future__ import annotations

import pytest

from engine.chance import noise_of_later_tokens
from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from lessons.variance.worlds import LAMS, STEP, TOKENS, counted, told
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["variance"]
VERDICTS = {
    "gae_varies_less_than_monte_carlo": "depends",
    "any_critic_makes_gae_vary_less": "false",
    "an_untrained_critic_makes_gae_noisier": "false",
    "gae_uses_more_samples": "false",
    "variance_falls_as_lambda_grows": "false",
    "baseline_leaves_the_variance_given_the_state": "true",
    "the_baseline_is_why_gae_varies_less": "false",
    "less_variance_means_more_accurate": "false",
    "only_because_the_numbers_are_smaller": "false",
    "monte_carlo_variance_grows_with_length": "depends",
    "a_deterministic_reward_has_no_variance": "false",
    "one_response_shows_the_variance": "false",
    "less_variance_comes_for_free": "false",
    "lambda_zero_has_no_variance": "false",
    "an_exact_critic_has_no_variance": "false",
    "exact_critic_lambda_zero_is_quietest": "true",
    "a_constant_offset_adds_variance": "false",
    "smaller_gamma_lowers_the_variance": "true",
    "more_responses_make_the_mean_quieter": "true",
    "variance_is_the_spread_along_a_response": "false",
    "scaling_advantages_removes_noise": "false",
    "early_tokens_are_noisier": "depends",
    "no_chance_means_no_variance": "true",
}


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


def test_what_varies_in_each_world():
    assert [counted(name).numbers["variance"][-1] for name in ("wild", "two_coins")] == pytest.approx([0, 2])
    assert counted("one_coin_near").numbers["variance"][-1] == counted("one_coin_far").numbers["variance"][-1] == 1
    assert counted("exact").numbers["mean"] == pytest.approx([0] * len(LAMS))
    assert counted("given_good").numbers["mean"] == pytest.approx([STEP] * len(LAMS))


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


@pytest.mark.parametrize("name", VERDICTS)
def test_claims(name):
    assert LESSON.propositions[name].judge(shapes()["running"], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.propositions)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
