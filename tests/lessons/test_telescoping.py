"""Telescoping: the two sides on numbers of every shape, the claims as they should be judged."""

from __future__ import annotations

import pytest

from lessons._lesson import lessons
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["telescoping"]
VERDICTS = {
    "lambda_has_no_part": "true",
    "deltas_sum_to_return_minus_value": "true",
    "needs_an_exact_critic": "false",
    "holds_only_on_average": "false",
    "needs_gamma_one": "false",
    "plain_sum_for_any_gamma": "false",
    "middle_values_drop_out": "true",
    "independent_of_the_critic": "false",
    "value_after_the_end_leaves_a_tail": "true",
    "some_deltas_are_enough": "false",
    "sum_depends_on_lambda": "false",
    "exact_critic_makes_the_sum_zero": "false",
    "deltas_sum_to_the_return": "false",
    "sum_is_the_advantage_at_lambda_one": "true",
    "holds_from_any_token": "true",
    "more_negative_deltas_mean_negative_sum": "false",
    "every_reward_counts_once": "true",
    "one_value_moves_two_deltas": "true",
    "longer_responses_have_larger_sums": "false",
    "deltas_and_sum_may_use_different_gammas": "false",
    "summing_reward_less_value_works_too": "false",
    "telescoping_needs_a_reward_only_at_the_end": "false",
    "first_value_enters_with_minus_one": "true",
    "one_token_sum_is_its_delta": "true",
    "mean_delta_is_the_excess_over_length": "true",
    "zero_sum_means_all_deltas_zero": "false",
    "positive_sum_means_better_than_expected": "true",
    "advantages_telescope_too": "false",
    "sum_weighted_with_lambda_is_return_minus_value": "false",
    "raising_all_values_lowers_the_sum_by_as_much": "true",
    "raising_all_values_moves_every_delta": "false",
    "doubling_rewards_doubles_the_sum": "false",
    "one_example_proves_the_identity": "false",
    "telescoping_needs_the_bellman_equation": "false",
    "telescoping_needs_on_policy_tokens": "false",
    "kl_in_the_rewards_breaks_the_identity": "false",
    "return_in_the_identity_is_the_score": "false",
    "empty_padding_adds_nothing_to_the_sum": "true",
    "value_left_in_padding_is_harmless_to_the_sum": "false",
    "part_of_the_sum_is_the_n_step_advantage": "true",
    "return_of_deltas_is_return_less_first_value": "true",
    "same_prompt_responses_differ_as_their_returns": "true",
    "larger_sum_means_larger_return": "false",
    "sum_lies_between_minus_one_and_one": "true",
    "at_gamma_zero_the_sum_is_reward_less_value": "true",
    "sign_of_the_values_in_delta_is_free": "false",
    "telescoping_survives_values_one_late": "false",
    "discount_powers_count_from_the_first_term": "true",
    "order_of_adding_does_not_matter": "true",
    "later_values_move_the_advantage_at_lambda_one": "false",
    "at_lambda_zero_the_advantages_sum_to_the_excess": "true",
    "squares_of_deltas_telescope": "false",
    "exact_critic_makes_the_sum_average_to_zero": "true",
    "critics_with_equal_first_values_give_equal_sums": "true",
    "return_is_first_value_plus_the_sum": "true",
    "the_last_tokens_value_cancels_too": "true",
    "rewards_cancel_too": "false",
    "the_sum_is_the_first_advantage": "depends",
    "a_sum_that_agrees_proves_the_code_right": "false",
    "there_is_one_delta_fewer_than_tokens": "false",
    "the_sum_is_a_better_advantage_than_delta": "depends",
    "cancelling_makes_middle_values_irrelevant_to_gae": "false",
    "cancelling_is_why_lambda_one_ignores_later_errors": "true",
    "a_reward_moves_the_sum_one_to_one_wherever_it_stands": "true",
    "whitened_deltas_telescope": "false",
    "identity_holds_only_approximately": "false",
    "identity_fails_for_long_responses": "false",
    "the_value_left_is_the_first": "true",
    "last_delta_is_the_whole_excess": "false",
    "doubling_values_doubles_the_sum": "false",
    "doubling_rewards_and_values_doubles_the_sum": "true",
    "a_smaller_gamma_makes_the_sum_smaller": "depends",
    "later_rewards_count_less_in_the_sum": "depends",
    "the_sum_shows_which_token_was_good": "false",
    "deltas_split_the_excess_without_remainder": "true",
    "all_values_are_needed_for_the_sum": "false",
    "the_sum_is_known_before_the_end": "false",
    "tokens_without_reward_leave_the_sum": "true",
    "checking_the_sum_finds_indexing_mistakes": "depends",
    "sums_average_to_zero_over_responses": "depends",
    "each_next_value_cancels_with_the_own_value_of_the_next": "true",
    "the_identity_is_proved_by_induction": "true",
    "the_sum_is_unbiased_whatever_the_critic": "true",
    "middle_errors_spoil_deltas_but_not_the_sum": "true",
    "the_sum_is_zero_when_return_equals_first_value": "true",
    "the_identity_holds_for_each_response_of_a_batch": "true",
    "the_full_sum_bootstraps": "false",
    "a_zero_sum_means_the_response_is_best": "false",
    "plain_sum_is_return_minus_value": "depends",
    "changing_a_value_changes_the_sum": "depends",
    "a_cut_off_response_obeys_the_identity": "depends",
    "the_advantage_is_the_sum_of_the_later_deltas": "depends",
    "later_values_move_the_advantage": "depends",
    "a_right_answer_has_a_positive_sum": "depends",
    "kl_changes_the_sum": "depends",
    "values_after_the_end_change_the_sum": "depends",
    "raising_all_values_changes_each_delta": "depends",
    "moving_a_reward_changes_the_sum": "depends",
    "every_reward_weighs_one_in_the_sum": "depends",
    "any_values_will_do": "true",
    "a_cut_off_response_without_bootstrap_obeys_the_identity": "true",
    "a_cut_off_response_with_bootstrap_obeys_the_plain_identity": "false",
    "later_values_move_the_advantage_below_lambda_one": "true",
    "kl_in_the_reward_changes_the_sum": "true",
    "kl_in_the_loss_changes_the_sum": "false",
    "moving_a_reward_leaves_the_sum_at_gamma_one": "true",
    "moving_a_reward_changes_the_sum_below_gamma_one": "true",
    "later_rewards_weigh_less_in_the_sum_below_gamma_one": "true",
    "raising_all_values_changes_each_delta_below_gamma_one": "true",
    "a_right_answer_always_has_a_positive_sum": "false",
}


@pytest.mark.parametrize("name", GIVEN)
def test_both_sides_agree_and_every_shape_has_its_pages(name):
    found = LESSON.show(shapes()[name]).facts.numbers
    assert found["delta_sum"] == pytest.approx(found["excess"], abs=1e-9)
    assert all(pages(LESSON, GIVEN[name]).values())


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


def test_two_sums_are_called_different_only_where_they_are():
    assert "happen to agree" in pages(LESSON, GIVEN["zeros"])["plain", "en"]
    assert "where the true excess is" in pages(LESSON, GIVEN["negative"])["plain", "en"]
