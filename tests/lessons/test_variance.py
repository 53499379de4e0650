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
    "monte_carlo_is_biased": "false",
    "monte_carlo_is_biased_and_one_step_is_noisy": "false",
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
    "variance_adds_up_with_squared_weights": "true",
    "half_lambda_quarters_the_next_steps_variance": "true",
    "below_one_the_variance_stays_bounded": "true",
    "last_token_is_equally_noisy_for_both": "true",
    "outcome_noise_reaches_every_token_whole": "true",
    "return_variance_is_the_sum_of_reward_variances": "depends",
    "baseline_lowers_the_gradients_variance": "true",
    "baseline_removes_the_spread_between_prompts": "true",
    "clipping_lowers_the_variance_of_advantages": "false",
    "more_epochs_lower_the_variance": "false",
    "four_times_the_responses_halve_the_noise": "true",
    "high_variance_means_biased": "false",
    "no_variance_means_no_bias": "false",
    "squared_error_is_bias_squared_plus_variance": "true",
    "a_better_critic_lowers_gae_variance": "depends",
    "delta_varies_with_the_own_step_only": "true",
    "lambda_095_removes_most_of_the_variance": "depends",
    "spread_over_the_batch_is_the_estimators_noise": "false",
    "more_variance_needs_more_responses": "true",
    "doubling_the_rewards_quadruples_the_variance": "true",
    "a_shift_of_the_scores_adds_variance": "false",
    "replacing_far_rewards_by_values_lowers_variance": "depends",
    "given_its_token_the_last_advantage_is_certain": "true",
    "a_sharper_policy_lowers_the_variance": "true",
    "monte_carlo_is_too_noisy_to_use": "false",
    "deltas_are_uncorrelated_with_an_exact_critic": "true",
    "every_weight_of_gae_is_at_most_monte_carlos": "true",
    "variance_falls_by_the_same_factor_at_every_token": "false",
    "variance_depends_on_the_score_that_was_drawn": "false",
    "whitening_and_lambda_lower_variance_alike": "false",
    "distant_noise_reaches_gae_less": "true",
    "less_variance_is_better": "depends",
    "variance_reduction_is_needed": "depends",
    "a_baseline_buys_low_variance_with_bias": "false",
    "monte_carlo_noise_comes_from_the_critic": "false",
    "monte_carlo_variance_is_proportional_to_the_length": "true",
    "a_larger_batch_changes_each_advantage": "false",
    "averaging_to_zero_means_no_variance": "false",
    "unbiased_means_accurate": "false",
    "noisy_advantages_make_noisy_gradients": "true",
    "training_lowers_the_variance": "depends",
    "a_higher_temperature_raises_the_variance": "depends",
    "reward_noise_adds_to_the_variance": "true",
    "variance_is_proportional_to_lambda": "false",
    "at_lambda_one_later_values_add_no_noise": "true",
    "longer_responses_gain_more_from_a_smaller_lambda": "true",
    "gae_variance_grows_with_the_length": "depends",
    "variance_and_standard_deviation_are_one": "false",
    "the_kl_penalty_adds_variance": "depends",
    "the_group_mean_lowers_variance_as_a_baseline": "true",
    "any_baseline_lowers_the_variance": "false",
    "no_variance_means_zero_advantage": "false",
    "a_larger_batch_is_better_than_a_smaller_lambda": "depends",
    "monte_carlo_holds_all_later_chance": "true",
    "gae_and_monte_carlo_have_the_same_mean": "depends",
    "variance_comes_from_sampling_tokens": "true",
    "a_large_advantage_means_high_variance": "false",
    "more_tokens_average_the_noise_out": "false",
    "harder_prompts_have_more_variance": "depends",
    "every_prompt_has_the_same_variance": "false",
    "gae_lowers_the_bias": "false",
    "bias_and_variance_fall_together": "false",
    "the_value_of_a_given_state_varies": "false",
    "returns_vary_more_than_advantages": "depends",
    "advantages_of_one_response_are_independent": "false",
    "gamma_and_lambda_both_lower_the_variance": "true",
    "grpo_varies_more_than_gae": "depends",
    "without_a_critic_gae_varies_less_on_independent_rewards": "true",
    "a_jumping_critic_adds_variance": "depends",
    "below_one_a_jumping_critic_adds_variance": "true",
    "the_last_advantage_has_no_variance": "depends",
    "before_it_is_drawn_the_last_advantage_varies": "true",
    "monte_carlo_variance_always_grows_with_length": "false",
    "a_single_outcome_varies_alike_at_any_length": "true",
    "independent_news_makes_early_tokens_noisier": "true",
    "early_tokens_are_always_noisier": "false",
    "independent_rewards_add_their_variances": "true",
    "reward_variances_always_add": "false",
    "a_better_critic_always_lowers_gae_variance": "false",
    "a_better_critic_can_lower_gae_variance": "true",
    "lambda_095_removes_most_variance_on_long_responses": "true",
    "step_rewards_mean_more_variance": "depends",
    "the_deltas_are_correlated": "depends",
    "the_variance_turns_on_the_critic": "depends",
    "less_variance_is_always_better": "false",
    "variance_reduction_is_always_needed": "false",
    "gae_variance_always_grows_with_the_length": "false",
    "the_kl_penalty_always_adds_variance": "false",
    "variance_is_largest_at_even_odds": "true",
    "an_exact_critic_gives_gae_and_monte_carlo_the_same_mean": "true",
    "gae_and_monte_carlo_always_have_the_same_mean": "false",
    "grpo_always_varies_more_than_gae": "false",
    "greedy_decoding_leaves_no_variance": "depends",
    "greedy_decoding_with_a_noisy_judge_varies": "true",
    "greedy_decoding_never_varies": "false",
    "step_rewards_always_mean_more_variance": "false",
    "training_always_lowers_the_variance": "false",
    "a_higher_temperature_always_raises_the_variance": "false",
    "values_for_far_rewards_always_lower_the_variance": "false",
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
    assert LESSON.facts[name].judge(shapes()["running"], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
