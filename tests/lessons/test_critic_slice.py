"""critic_slice: which output each value reads, and what it has seen."""

from __future__ import annotations

import pytest
import torch

from engine.example import RUNNING
from engine.kernels.rewards import critic_values
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons import everywhere

ID = "critic_slice"
VERDICTS = {
    "an_output_sees_the_token_at_its_own_place": "true",
    "value_is_read_before_the_token": "true",
    "first_value_is_the_prompts": "true",
    "last_output_is_unused": "true",
    "last_outputs_do_as_well": "false",
    "one_value_for_each_token": "true",
    "second_value_is_read_at_the_first_token": "true",
    "mask_is_shifted_with_the_slice": "false",
    "slice_misplaces_the_values": "false",
    "next_value_is_after_the_token": "true",
    "slice_keeps_values_of_all_prompt_tokens": "false",
    "critic_gives_one_number_per_response": "false",
    "values_are_cut_like_log_probabilities": "true",
    "last_value_has_seen_the_whole_answer": "false",
    "one_pass_lets_values_see_later_tokens": "false",
    "cutting_one_place_earlier_still_works": "false",
    "slice_depends_on_the_prompt_length": "false",
    "slice_removes_the_padding": "false",
    "late_values_are_harmless_at_lambda_one": "false",
    "slice_runs_from_the_prompts_last_place": "true",
    "slice_fails_for_a_prompt_of_one_token": "false",
    "slice_has_one_value_too_many": "false",
    "prompt_moves_every_value": "true",
    "changing_a_token_changes_only_later_values": "true",
    "a_bidirectional_critic_could_use_the_slice": "false",
    "last_outputs_are_the_values_of_the_next_states": "true",
    "late_values_bias_the_policy_gradient": "true",
    "a_critic_trained_with_the_shift_makes_up_for_it": "false",
    "wrong_slice_hurts_only_the_critic": "false",
    "inner_prompt_outputs_enter_nothing": "true",
    "dropped_output_is_needed_as_bootstrap": "false",
    "verl_bootstraps_cut_off_responses": "false",
    "response_length_is_the_padded_width": "true",
    "slice_needs_prompts_padded_on_the_left": "true",
    "drop_the_last_then_take_the_last_places_is_the_same": "true",
    "trl_cuts_the_same_values": "true",
    "from_the_prompts_length_to_the_end_is_the_same": "false",
    "first_value_can_be_set_to_zero": "false",
    "values_must_be_shifted_back_before_gae": "false",
    "minus_one_is_there_to_drop_eos": "false",
    "extra_place_is_for_a_start_token": "false",
    "single_token_response_has_the_prompts_value": "true",
    "predictions_in_the_update_use_the_same_slice": "true",
    "returns_need_a_slice_of_their_own": "false",
    "rewards_are_cut_with_the_same_slice": "false",
    "response_mask_is_the_last_places_unshifted": "true",
    "responses_to_one_prompt_share_the_first_value": "true",
    "values_agree_as_far_as_the_texts_do": "true",
    "critic_reads_the_score": "false",
    "critic_gives_a_number_for_every_word": "false",
    "cutting_each_sequence_without_padding_agrees": "true",
    "value_depends_on_the_earlier_response_tokens": "true",
    "the_shift_is_a_quirk_of_verl": "false",
    "first_response_token_has_no_value": "false",
    "reward_model_is_read_before_the_last_token": "false",
    "unshifted_outputs_could_serve_as_q": "true",
    "the_shift_is_harmless_without_a_discount": "false",
    "the_prompts_value_is_not_trained": "false",
    "values_and_log_probs_have_one_shape": "true",
    "values_must_be_masked_after_the_slice": "depends",
    "slice_drops_the_inner_prompt_and_the_last_output": "true",
    "minus_one_at_the_end_drops_the_first_output": "false",
    "value_t_has_seen_t_response_tokens": "true",
    "last_token_moves_a_value": "false",
    "longer_prompt_makes_more_values": "false",
    "slice_cuts_the_batch": "false",
    "critic_runs_once_for_each_token": "false",
    "prefix_alone_gives_the_same_value": "true",
    "eos_has_a_value": "true",
    "end_of_the_slice_is_exclusive": "true",
    "first_place_depends_on_the_response_length": "false",
    "same_list_serves_as_next_values": "true",
    "shifted_mask_is_harmless": "depends",
    "value_moves_with_the_previous_token": "true",
    "outputs_before_the_slice_cover_prompt_and_response": "true",
    "without_the_shift_delta_reads_later_values": "true",
    "without_the_shift_the_prompts_value_is_lost": "true",
    "without_the_shift_the_last_entry_is_terminal": "true",
    "slice_changes_the_numbers": "false",
    "cutting_without_padding_is_better": "depends",
    "value_after_eos_is_kept": "depends",
    "only_old_verl_keeps_the_value_after_eos": "true",
    "verls_value_mask_is_shifted": "depends",
    "old_and_new_verl_have_the_same_values": "depends",
    "slice_fits_padded_prompts": "depends",
    "last_column_is_the_last_tokens_value": "depends",
    "values_are_as_many_as_real_tokens": "depends",
    "last_outputs_have_the_shape_and_come_late": "true",
    "a_causal_output_sees_later_tokens": "false",
    "changing_a_token_changes_the_values": "depends",
    "values_have_seen_response_tokens": "depends",
    "every_version_keeps_the_value_after_eos": "false",
    "every_token_changes_some_value": "false",
    "every_value_has_seen_the_response": "false",
    "last_column_is_always_the_last_tokens_value": "false",
    "shifted_mask_is_harmless_at_lambda_one": "true",
    "shifted_mask_is_harmless_below_lambda_one": "false",
    "critic_needs_the_actors_tokenizer": "true",
}


def test_the_positions_are_those_of_the_slice():
    found = lessons()[ID].show(RUNNING).facts.numbers
    assert found["positions"] == [7, 8, 9, 10, 11, 12]
    assert found["late_positions"] == [8, 9, 10, 11, 12, 13]
    outputs = torch.arange(14.0)[None]
    assert critic_values(outputs, 6)[0].tolist() == found["positions"]
    assert outputs[:, -6:][0].tolist() == found["late_positions"]


def test_a_prompt_of_the_learners():
    own = completed(scenario({"prompt": "2+2?", "rewards": [0, 1], "values": [0.4, 0.5]}))[0]
    assert lessons()[ID].show(own).facts.numbers["positions"] == [3, 4]


def test_no_value_has_seen_its_own_token():
    seen = lessons()[ID].show(RUNNING).facts.numbers["grid"]
    assert seen["right"] == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    assert seen["late"] == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_the_shifted_mask_as_the_real_package_had_it():
    """SEMANTICS 1c."""
    judged = lessons()[ID].facts["mask_is_shifted_with_the_slice"].judge(RUNNING, denied=False)
    assert (float(judged.found["right"]), float(judged.found["shifted"])) == pytest.approx((0.475225, 0.511325))


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID, VERDICTS)
