"""Bootstrapping: the facts against sums written out, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["bootstrap"]
VERDICTS = {
    "n_steps_beyond_the_end_hold_no_estimate": "true",
    "gae_always_bootstraps": "false",
    "bootstrapping_learns_faster": "depends",
    "returns_hold_later_values": "depends",
    "returns_are_always_bootstrapped": "false",
    "bootstrapping_adds_bias": "depends",
    "bootstrapping_always_adds_bias": "false",
    "later_value_errors_bias_the_gradient": "depends",
    "a_higher_next_value_lifts_the_advantage": "depends",
    "n_step_estimates_bootstrap": "depends",
    "a_uniform_error_moves_the_deltas": "depends",
    "a_uniform_error_survives_whitening": "depends",
    "bootstrapping_makes_advantages_smaller": "depends",
    "the_score_arrives_in_one_round": "depends",
    "zero_values_blow_up_the_advantages": "false",
    "later_values_move_the_advantage": "depends",
    "distant_values_count_between": "true",
    "next_value_counts_at_lambda_zero": "true",
    "means_automatic_start": "false",
    "is_resampling": "false",
    "affects_only_delta": "false",
    "reaches_one_token_back": "false",
    "cancels_at_lambda_one": "true",
    "critic_is_harmless_at_lambda_one": "false",
    "last_token_bootstraps": "false",
    "saves_waiting": "false",
    "exact_critic_adds_no_bias": "true",
    "wrong_critic_adds_bias": "true",
    "absent_with_outcome_rewards": "false",
    "monte_carlo_does_not_bootstrap": "true",
    "zero_after_a_cut_is_harmless": "false",
    "bootstrap_stands_for_the_rest_by_next_value": "true",
    "smaller_lambda_bootstraps_more": "true",
    "gamma_zero_switches_bootstrap_off": "true",
    "bootstrap_takes_another_forward_pass": "false",
    "too_high_next_value_lifts_the_token_before": "true",
    "bootstrap_is_the_backward_recursion": "false",
    "bootstrap_leaves_real_rewards_out": "false",
    "bootstrap_uses_the_critic_being_trained": "false",
    "n_steps_put_the_bootstrap_off": "true",
    "zero_values_leave_only_rewards": "true",
    "bootstrap_errors_grow_on_the_way_back": "false",
    "verl_default_bootstraps": "false",
    "zero_after_the_end_is_a_guess": "false",
    "finished_responses_should_bootstrap_too": "false",
    "cut_and_finished_responses_are_alike": "false",
    "later_rewards_are_counted_twice": "false",
    "bootstrapping_is_circular": "false",
    "news_travels_one_token_a_round_at_lambda_zero": "true",
    "lambda_one_carries_the_news_in_one_round": "true",
    "bootstrapping_trades_variance_for_bias": "true",
    "bias_shrinks_with_the_critics_error": "true",
    "a_uniform_error_cancels_in_all_deltas_but_the_last": "true",
    "whitening_removes_a_uniform_error_at_lambda_one": "true",
    "grpo_bootstraps": "false",
    "subtracting_the_own_value_is_the_bootstrap": "false",
    "bootstrap_term_comes_from_the_reward_model": "false",
    "targets_are_bootstrapped_below_one": "true",
    "an_early_value_moves_later_advantages": "false",
    "weight_of_a_later_value_has_one_minus_lambda": "true",
    "next_value_weighs_most_among_later_ones": "true",
    "old_verl_bootstraps_on_the_value_after_eos": "true",
    "value_after_eos_matters_for_earlier_tokens_at_lambda_one": "false",
    "exact_next_value_equals_the_sampled_return": "false",
    "dense_rewards_replace_the_bootstrap": "false",
    "deltas_hold_the_next_value_even_at_lambda_one": "true",
    "an_estimate_built_on_an_estimate": "true",
    "next_value_is_of_the_state_really_reached": "true",
    "bootstrapping_is_better_than_waiting_for_the_outcome": "depends",
    "bootstrapping_is_needed": "depends",
    "bootstrap_reads_the_value_two_tokens_on": "false",
    "next_value_is_taken_undiscounted": "false",
    "bootstrap_uses_the_next_return": "false",
    "delta_reads_the_next_tokens_reward": "false",
    "bootstrap_happens_once_per_response": "false",
    "own_value_too_high_lowers_the_own_advantage": "true",
    "more_responses_remove_the_bootstrap_bias": "false",
    "every_lambda_below_one_bootstraps": "true",
    "bootstrapping_takes_a_critic": "true",
    "gae_bootstraps": "depends",
    "at_lambda_zero_a_step_needs_no_ending": "true",
    "a_wrong_value_is_paid_back_by_the_next_delta": "true",
    "the_more_bootstrap_the_less_real_reward": "true",
    "bootstrapped_targets_move_as_the_critic_learns": "true",
    "at_095_the_next_value_counts_a_twentieth": "true",
    "bootstrapping_makes_training_steadier": "depends",
    "only_the_critic_is_trained_by_bootstrap": "false",
    "the_bootstrap_comes_from_a_policy_model": "false",
    "bootstrap_keeps_the_final_reward_from_early_tokens": "depends",
    "bootstrapping_replaces_the_scores": "false",
    "a_larger_gamma_bootstraps_more": "true",
    "closing_a_cut_with_a_value_is_better_than_with_zero": "depends",
    "mask_stands_on_next_value_and_carried_advantage": "true",
    "time_limit_cuts_the_carry_and_keeps_the_value": "true",
    "final_value_may_be_added_to_the_last_reward": "true",
    "after_a_reset_the_observation_is_of_the_next_episode": "true",
    "buffer_ending_in_mid_episode_closes_with_the_next_value": "true",
}


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_the_learners_example():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], gamma=1, lam=0.95)
    assert found.facts.numbers["deltas"] == pytest.approx([0.1, 0.2, 0.4])
    assert found.facts.numbers["advantages_by_value"][0] == pytest.approx([-1, 0.05, 0.0475])


def test_the_forgotten_bootstrap_of_the_transcripts():
    found = shown(rewards=[-0.01] * 5 + [0.99], values=[0.2, 0.25, 0.3, 0.35, 0.45, 0.6], gamma=1, lam=0.95)
    right = [0.607069, 0.596915, 0.586226, 0.574975, 0.5105, 0.39]
    assert found.facts.numbers["advantages"] == pytest.approx(right, abs=1e-6)
    wrong = found.mistakes["bootstrap_forgotten"].numbers["advantages"]
    assert wrong[-1] == pytest.approx(0.99) and wrong[0] != pytest.approx(right[0])


def test_with_values_alone_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        shown(values=[0, 1])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_what_is_said_of_the_matrix_fits_it():
    told = {name: pages(LESSON, GIVEN[name])["plain", "en"] for name in GIVEN}
    assert "Everything else is zero: with" in told["lam_one"]
    assert "nobody looks ahead" in told["gamma_zero"]
    assert "only the token just before" in told["lam_zero"]
    assert "all earlier ones" in told["negative"]


def test_a_single_real_token_among_padding_has_its_pages():
    assert all(pages(LESSON, {"rewards": [1, 5], "values": [0.5, 9], "mask": [1, 0]}).values())
