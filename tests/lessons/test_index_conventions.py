"""index_conventions: what adds up in place and what does not; E[δ] = 0 in place and nowhere else."""

from __future__ import annotations

import pytest

from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import everywhere

ID = "index_conventions"
VERDICTS = {
    "the_state_holds_t_response_tokens": "depends",
    "an_advantage_sums_t_total_less_t_deltas": "depends",
    "the_first_token_has_index_one": "depends",
    "every_text_counts_from_one": "false",
    "the_last_token_has_index_t": "depends",
    "the_actions_reward_is_written_one_later": "depends",
    "the_books_t_is_the_tensors_index": "depends",
    "the_gae_sum_ends_at_t_total_less_t": "depends",
    "the_first_tokens_reward_is_nought": "depends",
    "another_library_has_the_same_reward_index": "depends",
    "lists_differ_in_length": "false",
    "state_holds_the_earlier_tokens": "true",
    "log_probs_share_the_advantages_index": "true",
    "returns_share_the_values_index": "true",
    "rewards_and_deltas_belong_to_the_token": "true",
    "advantage_belongs_to_the_token": "true",
    "tensor_index_is_paper_index_less_one": "true",
    "value_is_read_after_the_token": "false",
    "delta_pairs_the_wrong_values": "false",
    "last_state_is_worth_nothing": "true",
    "sutton_reward_is_index_t": "true",
    "one_value_more_than_tokens": "false",
    "index_zero_is_the_prompts_first_token": "false",
    "last_index_is_length_less_one": "true",
    "log_probability_shares_the_advantages_index": "true",
    "kl_at_t_is_taken_from_the_same_token": "true",
    "delta_takes_the_next_reward": "false",
    "off_by_one_is_harmless": "false",
    "state_t_contains_token_t": "false",
    "counting_from_one_changes_the_numbers": "false",
    "own_reward_is_discounted_in_the_return": "false",
    "next_return_still_holds_this_reward": "false",
    "td_error_reads_own_and_next_value": "true",
    "critic_target_is_advantage_plus_next_value": "false",
    "returns_belong_to_the_action": "false",
    "loop_runs_backwards": "true",
    "terminal_value_is_named_after_the_last_plus_one": "true",
    "first_state_is_the_bare_prompt": "true",
    "suttons_delta_is_the_same": "true",
    "reward_stored_one_later_is_the_same_reward": "true",
    "returns_start_at_the_next_reward": "false",
    "first_delta_reads_the_prompts_value": "true",
    "last_delta_reads_one_value": "true",
    "response_token_stands_at_prompt_length_plus_index": "true",
    "mask_shares_the_tokens_index": "true",
    "value_loss_pairs_equal_indices": "true",
    "states_are_one_more_than_tokens": "true",
    "score_is_always_at_the_last_column": "false",
    "last_token_is_at_mask_sum_less_one": "true",
    "last_reward_is_discounted_once_less_than_length": "true",
    "advantage_has_as_many_terms_as_tokens_left": "true",
    "sum_ends_at_length_less_index_counting_from_one": "true",
    "sum_ends_at_length_less_index_counting_from_zero": "false",
    "delta_compares_after_with_before": "true",
    "delta_reads_the_previous_value": "false",
    "advantage_reads_the_previous_advantage": "false",
    "first_reward_is_zero": "false",
    "same_index_is_not_the_same_moment": "true",
    "trl_and_verl_count_alike": "true",
    "whitening_repairs_an_off_by_one": "false",
    "mean_delta_reveals_a_shift": "true",
    "moved_rewards_only_move_the_advantages": "false",
    "single_token_has_delta_reward_less_value": "true",
    "value_is_the_one_after_the_previous_token": "true",
    "next_state_appends_the_token": "true",
    "papers_shift_applies_to_every_list": "true",
    "only_the_reward_is_renamed_in_sutton": "true",
    "counting_from_zero_is_better": "depends",
    "discount_exponent_is_the_absolute_index": "false",
    "reward_moves_later_advantages": "false",
    "value_enters_two_deltas": "true",
    "output_at_a_place_predicts_its_own_token": "false",
    "first_advantage_is_the_prompts": "false",
    "action_t_is_taken_in_state_t": "true",
    "delta_needs_the_next_token": "false",
    "lastgaelam_holds_the_next_advantage": "true",
    "nextvalues_is_values_shifted_left": "true",
    "collected_advantages_must_be_reversed": "true",
    "actor_and_critic_count_differently": "false",
    "value_moves_later_advantages": "false",
    "advantage_is_return_less_next_value": "false",
    "naming_the_reward_one_later_is_better": "depends",
    "reward_moves_returns_up_to_its_token": "true",
    "first_return_is_from_the_prompt": "true",
    "values_minus_one_is_the_terminal_value": "false",
    "log_prob_t_is_of_token_t_given_state_t": "true",
    "return_less_discounted_next_is_the_reward": "true",
    "advantage_less_decayed_next_is_delta": "true",
    "four_lists_are_read_at_one_column": "true",
    "there_is_a_delta_after_the_last_token": "false",
    "final_state_holds_the_whole_response": "true",
    "the_flag_of_action_t_decides_step_t": "true",
    "scan_starts_with_the_value_and_advantage_behind_the_end": "true",
}


def test_in_place_and_one_off():
    found = lessons()[ID].show(RUNNING).facts.numbers
    assert found["added_in_place"] == pytest.approx(found["returns"])
    shifted = [*RUNNING.values[1:], 0]
    assert found["added_one_off"] == pytest.approx([a + v for a, v in zip(found["advantages"], shifted, strict=True)])


def test_only_in_place_the_mean_delta_is_zero():
    means = lessons()[ID].show(RUNNING).facts.numbers["constants"]
    assert means["in_place"] == pytest.approx([0, 0])
    assert all(abs(x) > 0.1 for name in ("one_late", "one_early") for x in means[name])


def test_suttons_index_taken_literally_loses_the_first_reward():
    shown = lessons()[ID].show(RUNNING)
    wrong = shown.mistakes["reward_index_later"].numbers["rewards"]
    assert wrong == pytest.approx([*shown.facts.numbers["rewards"][1:], 0])


def test_the_timeline_ends_with_nothing_to_come():
    page = next(page for name, form, page in everywhere.pages(ID) if form == "full")
    assert r"| \(s_{6}\) |  | \(V_{6} = 0\), \(R_{6} = 0\) |" in page["en"]


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID, VERDICTS)
