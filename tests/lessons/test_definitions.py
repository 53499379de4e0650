"""definitions: the small world by hand, the sums in both countings, what learners claim."""

from __future__ import annotations

import pytest

from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import everywhere

ID = "definitions"
VERDICTS = {
    "value_is_the_best_possible": "false",
    "delta_leaves_the_reward_out": "false",
    "q_knows_the_token": "true",
    "return_is_recursive": "true",
    "advantage_is_q_minus_v": "true",
    "advantage_is_return_minus_value_by_definition": "false",
    "code_computes_q_minus_v": "false",
    "only_what_is_still_to_come": "true",
    "value_is_expected_return": "true",
    "return_counts_from_its_token": "true",
    "return_is_the_actual_sum": "depends",
    "gae_is_decayed_sum_of_deltas": "true",
    "reward_and_return_are_one": "false",
    "mean_advantage_is_zero": "true",
    "value_is_the_mean_of_q": "true",
    "value_is_the_best_q": "false",
    "value_depends_on_the_chosen_token": "false",
    "advantage_compares_with_other_responses": "false",
    "positive_advantage_means_positive_reward": "false",
    "zero_advantage_means_worthless": "false",
    "one_value_per_response": "false",
    "ppo_needs_a_q_network": "false",
    "gae_is_the_definition_of_the_advantage": "false",
    "advantage_rates_the_state": "false",
    "delta_is_q_minus_v": "false",
    "value_is_always_a_probability": "false",
    "advantages_of_a_response_average_to_zero": "false",
    "value_depends_on_the_policy": "true",
    "positive_delta_means_better_than_expected": "true",
    "advantage_is_relative_and_return_absolute": "true",
    "return_is_a_sample_and_value_a_mean": "true",
    "score_and_reward_are_one": "false",
    "reward_is_an_expectation": "false",
    "returns_less_values_are_the_advantages": "true",
    "positive_advantage_means_better_than_the_policys_average": "true",
    "a_certain_token_has_no_advantage": "true",
    "mean_return_given_the_token_is_q": "true",
    "mean_delta_given_the_token_is_the_advantage": "true",
    "discount_counts_from_the_own_token": "true",
    "action_is_the_whole_response": "false",
    "recursion_runs_into_the_next_response": "false",
    "values_are_computed_from_the_rewards": "false",
    "return_is_known_when_its_token_is_written": "false",
    "advantage_reads_later_rewards": "true",
    "advantage_reads_earlier_rewards": "false",
    "advantages_have_mean_zero_by_definition": "false",
    "advantages_lie_between_minus_one_and_one": "false",
    "first_return_is_the_score": "depends",
    "values_expectation_is_over_prompts": "false",
    "value_is_the_score_of_the_text_so_far": "false",
    "delta_is_value_less_target": "false",
    "gae_is_recursive": "true",
    "gae_adds_the_next_value": "false",
    "last_advantage_is_the_last_delta": "true",
    "last_return_is_the_last_reward": "true",
    "zero_advantage_means_return_equals_value": "true",
    "return_below_value_means_negative_advantage": "true",
    "best_policy_has_no_positive_advantage": "true",
    "reward_to_go_is_the_sum_of_later_rewards": "true",
    "q_depends_on_the_policy_afterwards": "true",
    "reward_is_immediate_and_value_long_term": "true",
    "gamma_multiplies_the_reward_in_delta": "false",
    "only_at_the_first_token_the_whole_is_covered": "true",
    "returns_are_sums_of_what_was_paid_before": "false",
    "advantage_is_v_minus_q": "false",
    "q_is_reward_plus_discounted_next_value": "true",
    "delta_subtracts_the_next_value": "false",
    "return_depends_on_lambda_or_the_critic": "false",
    "learning_v_is_better_than_learning_q": "depends",
    "gae_advantage_is_the_td_error": "depends",
    "value_sum_is_discounted": "true",
    "higher_own_value_lowers_the_advantage": "true",
    "higher_next_value_raises_delta": "true",
    "state_is_the_last_token": "false",
    "next_state_is_random_given_the_token": "false",
    "reward_is_never_negative": "false",
    "q_of_the_last_token_is_its_reward": "true",
    "value_never_exceeds_q": "false",
    "larger_return_means_larger_advantage": "false",
    "value_is_positive": "depends",
    "own_delta_has_weight_one": "true",
    "advantage_is_never_negative": "false",
    "only_the_last_token_has_a_return": "false",
    "baseline_is_the_value": "true",
    "advantage_takes_state_and_action": "true",
    "an_episode_is_one_response": "true",
    "return_is_discounted": "true",
    "critic_output_is_the_true_value": "false",
    "return_is_an_unweighted_sum": "depends",
    "scores_and_rewards_hold_the_same_numbers": "depends",
    "returns_are_actual_sums_at_every_lambda": "false",
    "q_and_v_are_one": "false",
    "q_is_larger_than_v": "depends",
    "advantage_is_positive": "depends",
    "advantages_have_mean_zero": "depends",
    "advantage_is_return_minus_value": "depends",
    "rewards_are_positive": "depends",
    "return_exceeds_the_reward": "depends",
    "advantage_is_always_the_td_error": "false",
    "first_return_is_always_the_score": "false",
    "delta_is_an_unbiased_estimate_of_the_advantage": "depends",
    "deltas_average_to_zero": "depends",
    "last_reward_is_the_score": "depends",
    "inner_rewards_are_zero": "depends",
    "advantage_is_always_return_minus_value": "false",
    "scores_and_rewards_always_agree": "false",
    "scores_equal_rewards_or_not_by_the_kl": "true",
    "return_always_exceeds_the_reward": "false",
    "value_is_always_positive": "false",
    "token_is_action_prefix_is_state_response_is_episode": "true",
    "value_return_and_advantage_speak_of_one_stretch": "true",
    "answer_or_token_may_be_the_action": "true",
    "answer_as_one_action_has_one_ratio_and_one_clip": "true",
}


def test_the_small_world_by_hand():
    found = lessons()[ID].show(RUNNING).facts.numbers["constants"]
    returns = [0.3 + 1.0, 0.3 + 0.0, 0.1 + 0.6, 0.1 + 0.0]
    assert found["sampled_returns"] == pytest.approx(returns)
    assert found["value"] == pytest.approx(sum(returns) / 4)
    assert found["q"] == pytest.approx([sum(returns[:2]) / 2, sum(returns[2:]) / 2])
    assert found["advantage"] == pytest.approx([0.2, -0.2])
    for mean in found["mean_estimates"].values():
        assert mean == pytest.approx(found["advantage"])


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID, VERDICTS)
