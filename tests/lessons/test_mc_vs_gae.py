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
    "monte_carlo_is_unbiased_but_noisy": "true",
    "monte_carlo_always_varies_more": "false",
    "return_can_be_had_before_the_end": "false",
    "monte_carlo_return_contains_values": "false",
    "verl_returns_less_values_is_raw_gae": "true",
    "verl_returns_less_values_is_monte_carlo": "depends",
    "monte_carlo_return_contains_the_kl": "true",
    "reward_less_value_is_monte_carlo": "false",
    "score_less_value_is_monte_carlo": "depends",
    "past_rewards_enter_the_return": "false",
    "returns_are_discounted_from_the_first_token": "false",
    "zero_values_leave_the_plain_return": "true",
    "baseline_lowers_the_variance": "true",
    "baseline_may_depend_on_the_action": "false",
    "monte_carlo_advantage_averages_to_zero": "true",
    "monte_carlo_estimates_q_less_v": "true",
    "monte_carlo_is_unbiased_since_v_is_absent": "false",
    "monte_carlo_is_the_sum_of_deltas": "true",
    "monte_carlo_is_delta": "false",
    "outcome_gives_monte_carlo_one_sign": "true",
    "success_makes_every_gae_advantage_positive": "false",
    "whole_return_serves_every_token": "depends",
    "lambda_one_is_monte_carlo_for_any_gamma": "true",
    "gamma_one_is_monte_carlo": "false",
    "monte_carlo_weighs_all_later_deltas_fully": "true",
    "both_take_off_the_own_value_in_full": "true",
    "outcome_reward_makes_them_equal": "false",
    "no_later_news_makes_them_equal": "true",
    "gae_is_the_weighted_mean_of_delta_and_monte_carlo": "false",
    "both_rank_the_tokens_alike": "false",
    "gap_depends_on_the_own_value": "false",
    "gap_before_the_last_token_is_a_share_of_its_delta": "true",
    "whitening_makes_monte_carlo_and_gae_equal": "false",
    "gae_gives_the_first_token_less_of_the_final_reward": "true",
    "two_tokens_make_them_equal": "false",
    "return_needs_no_backward_loop": "true",
    "gae_uses_no_later_values": "false",
    "monte_carlo_is_better_than_gae": "depends",
    "monte_carlo_is_biased_and_gae_noisy": "false",
    "the_own_value_moves_both_by_the_same": "true",
    "the_final_score_moves_both_by_the_same": "false",
    "return_starts_with_the_next_reward": "false",
    "the_return_depends_on_neither_lambda_nor_values": "true",
    "both_need_a_critic": "depends",
    "monte_carlo_needs_several_responses": "false",
    "longer_responses_set_their_variances_apart": "true",
    "both_contain_the_own_reward_in_full": "true",
    "the_monte_carlo_advantage_depends_on_lambda": "false",
    "gae_can_be_computed_before_the_end": "false",
    "one_step_td_needs_the_whole_response": "false",
    "td_is_biased_and_monte_carlo_noisy": "true",
    "gae_needs_more_values_than_monte_carlo": "false",
    "monte_carlo_advantages_sum_to_zero": "false",
    "the_monte_carlo_advantage_is_never_negative": "false",
    "gae_at_095_is_close_to_monte_carlo": "depends",
    "gae_is_monte_carlo_with_a_stronger_discount": "false",
    "reinforce_with_a_baseline_is_gae_at_lambda_one": "true",
    "monte_carlo_suits_short_responses": "depends",
    "gae_makes_training_steadier": "depends",
    "gae_trades_bias_for_less_variance": "true",
    "neither_looks_back": "true",
    "gae_equals_monte_carlo": "depends",
    "gae_is_smaller_in_size": "depends",
    "gae_lies_below_monte_carlo": "depends",
    "gae_and_monte_carlo_agree_in_sign": "depends",
    "gae_and_monte_carlo_rank_this_response_alike": "depends",
    "gae_is_between_delta_and_monte_carlo": "depends",
    "gae_uses_later_values": "depends",
    "the_first_token_has_the_largest_gap": "depends",
    "the_gap_grows_with_the_length": "depends",
    "the_gap_always_grows_with_the_length": "false",
    "a_critic_too_high_lowers_the_advantages": "depends",
    "the_return_falls_along_the_response": "depends",
    "the_return_always_falls_along_the_response": "false",
    "the_first_return_adds_up_all_rewards": "depends",
    "all_tokens_have_the_same_return": "depends",
    "all_tokens_always_have_the_same_return": "false",
    "a_right_answer_has_positive_monte_carlo_advantages": "depends",
    "the_monte_carlo_advantage_falls_along_the_response": "depends",
    "the_return_contains_the_kl": "depends",
    "the_return_always_contains_the_kl": "false",
    "return_less_value_is_a_legitimate_estimate": "true",
    "returns_less_values_is_monte_carlo_at_lambda_one": "true",
    "returns_less_values_is_always_monte_carlo": "false",
    "a_score_alone_less_the_value_is_monte_carlo": "true",
    "score_less_value_is_always_monte_carlo": "false",
    "the_whole_return_always_serves_every_token": "false",
    "monte_carlo_is_always_better": "false",
    "a_right_answer_always_has_positive_advantages": "false",
    "good_later_news_puts_gae_below_monte_carlo": "true",
    "positive_rewards_make_the_return_fall": "true",
    "at_lambda_one_the_critic_is_a_baseline_that_moves": "true",
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
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


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
