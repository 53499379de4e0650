"""Padding: the three ways against recursions written out, the closed form of the leak, the claims."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["padding_mask"]
VERDICTS = {
    "a_response_cut_at_the_limit_has_a_mask_of_ones": "true",
    "ones_over_the_padding_let_it_count": "true",
    "a_nan_in_the_padding_spoils_the_mean": "depends",
    "padding_moves_the_mean": "depends",
    "the_last_real_token_is_eos": "depends",
    "every_response_has_an_eos": "false",
    "zero_at_a_cut_underrates_the_response": "depends",
    "what_stands_after_eos_matters": "depends",
    "garbage_after_eos_always_pollutes": "false",
    "the_last_token_uses_the_value_behind_eos": "depends",
    "the_padding_has_zero_advantages": "depends",
    "the_leak_reaches_the_first_token": "depends",
    "the_leak_raises_the_advantages": "depends",
    "rewards_outside_the_mask_count": "depends",
    "a_value_inside_a_hole_matters": "depends",
    "long_responses_weigh_more_in_the_loss": "depends",
    "trl_scores_the_last_real_token": "depends",
    "the_shifted_value_mask_does_harm": "depends",
    "the_score_is_in_the_last_column": "depends",
    "junk_reaches_one_token_at_lambda_zero": "true",
    "garbage_after_eos_pollutes": "true",
    "masking_the_loss_is_enough": "false",
    "padding_is_harmless_at_lambda_one": "true",
    "only_the_last_advantage_is_off": "false",
    "last_next_value_zero_is_approximate": "false",
    "eos_is_inside_the_mask": "true",
    "masking_before_equals_masking_after": "false",
    "new_verl_keeps_garbage_out": "true",
    "shifted_mask_clears_values_after_eos": "false",
    "eos_mask_only_enters_whitening": "true",
    "masked_tokens_inside_decay": "depends",
    "padding_is_zero_after_whitening": "false",
    "last_advantage_is_reward_minus_value": "true",
    "truncated_response_ends_at_zero": "depends",
    "loss_mean_counts_padded_positions": "false",
    "more_padding_changes_the_advantages": "false",
    "later_trl_puts_the_score_in_the_padding": "true",
    "openrlhf_keeps_garbage_out": "true",
    "junk_rewards_in_padding_leak_too": "true",
    "junk_advantages_in_padding_reach_the_actor": "false",
    "padding_of_another_row_changes_raw_advantages": "false",
    "all_projects_agree_on_holes": "false",
    "zeroing_the_values_is_enough": "depends",
    "old_verl_bootstraps_from_the_value_after_eos": "true",
    "masked_positions_have_advantages_of_their_own": "false",
    "token_mean_weighs_responses_equally": "false",
    "last_token_takes_its_next_value_from_a_pad": "false",
    "only_advantages_suffer_from_padding": "false",
    "zero_after_the_end_stands_at_the_rows_end": "true",
    "leak_grows_with_lambda": "false",
    "leak_decays_towards_the_start": "true",
    "leak_is_proportional_to_the_leftover_value": "true",
    "gamma_below_one_leaks_at_lambda_one": "false",
    "old_shift_shows_at_verls_defaults": "false",
    "unpadded_row_has_no_leak": "true",
    "value_before_eos_should_be_zeroed": "false",
    "cutting_rows_equals_masking": "true",
    "score_sits_on_the_last_valid_token": "true",
    "score_may_sit_at_the_rows_end": "false",
    "score_in_the_padding_decays_once_more": "true",
    "nan_times_mask_is_zero": "false",
    "attention_mask_can_stand_for_response_mask": "depends",
    "zero_pads_in_the_mean_are_harmless": "false",
    "new_verl_decays_over_holes": "false",
    "openrlhf_and_trl_decay_over_holes": "true",
    "reward_on_a_masked_token_counts": "false",
    "value_in_a_hole_is_ignored": "true",
    "next_value_skips_the_hole": "true",
    "tool_tokens_are_trained_as_actions": "false",
    "critic_is_trained_on_padding": "false",
    "old_verl_trains_the_critic_behind_eos": "true",
    "seq_mean_weighs_responses_equally": "true",
    "raw_advantages_are_zero_behind_the_end": "true",
    "response_mask_clears_values_after_eos": "true",
    "masked_mean_of_no_tokens_is_zero": "false",
    "left_padding_leaks": "false",
    "leak_can_flip_the_sign": "true",
    "token_mean_is_better_than_sequence_mean": "depends",
    "bootstrapping_cut_off_responses_is_better": "depends",
    "mask_is_one_on_padding": "false",
    "more_padding_lowers_the_masked_mean": "false",
    "leftover_values_always_raise_the_advantages": "false",
    "eos_advantage_holds_the_value_after_it": "false",
    "padded_positions_enter_the_policy_loss": "false",
    "whitening_counts_the_padding": "false",
    "sum_of_the_mask_is_the_number_of_tokens": "true",
    "value_mask_has_to_be_shifted": "false",
    "every_response_ends_in_the_last_column": "false",
    "rewards_are_zero_in_the_padding": "true",
    "one_valid_token_can_be_whitened": "false",
    "masked_tokens_have_no_gradient": "true",
    "a_mask_of_ones_is_like_no_mask": "true",
    "mean_kl_counts_the_padding": "false",
    "masking_changes_the_valid_values": "false",
    "masking_cut_off_responses_is_better": "depends",
    "mask_in_the_recursion_is_better_than_zeroed_values": "depends",
    "critic_outputs_zero_after_eos_by_itself": "false",
    "pad_id_equal_to_eos_drops_eos_from_the_mask": "true",
    "forced_eos_was_not_chosen_by_the_policy": "true",
    "running_return_times_the_mask_is_cut_at_a_span": "true",
    "running_advantage_times_the_mask_is_cut_at_a_span": "true",
    "summed_log_probs_over_sequences_weigh_tokens_otherwise": "true",
    "after_summing_each_sequence_numel_counts_sequences": "true",
}
PADDED = {"rewards": [0, 0, 1, 0, 0], "values": [0.3, 0.4, 0.6, 0.5, 0], "mask": [1, 1, 1, 0, 0], "gamma": 1}


def facts(**given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


def recursion(r, v, gamma, lam):
    advantages, after, v_next = [], 0.0, 0.0
    for reward, value in zip(reversed(r), reversed(v), strict=True):
        after = reward + gamma * v_next - value + gamma * lam * after
        v_next = value
        advantages.append(after)
    return advantages[::-1]


def test_the_three_ways():
    found = facts(**PADDED, lam=0.95)
    assert found["masked"][:3] == pytest.approx([0.651, 0.58, 0.4])
    assert found["masked"][3:] == [None, None]
    assert found["unmasked"] == pytest.approx(recursion(PADDED["rewards"], PADDED["values"], 1, 0.95))
    assert found["shifted"][:3] == pytest.approx([0.6735625, 0.60375, 0.425])
    assert found["shifted_leak_last"] == pytest.approx(1 * (1 - 0.95) * 0.5)


@pytest.mark.parametrize(("gamma", "lam"), [(1, 1), (1, 0), (0.9, 0.5), (0, 0.9)])
def test_the_leak_of_one_value_has_its_closed_form(gamma, lam):
    found = facts(**{**PADDED, "gamma": gamma}, lam=lam)
    for m, leak in enumerate(reversed(found["shifted_leak"][:3])):
        assert leak == pytest.approx((gamma * lam) ** m * gamma * (1 - lam) * 0.5)


def test_a_response_without_padding_gets_some():
    found = facts(rewards=[0, 1], values=[0.2, 0.4], gamma=1, lam=0.5)
    assert found["advantages"] == pytest.approx(recursion([0, 1], [0.2, 0.4], 1, 0.5))
    through = recursion([0, 1, 0, 0], [0.2, 0.4, 0.8, 0.7], 1, 0.5)
    assert found["constants"]["unmasked"] == pytest.approx(through)
    assert found["leak_last"] == pytest.approx(through[1] - found["advantages"][1])


def test_a_hole():
    found = facts(**PADDED)["constants"]
    assert found["hole_skipped"][0] == pytest.approx(0.676)
    assert found["hole_decayed"][0] == pytest.approx(0.5914)


def test_padding_before_the_response_does_nothing():
    found = LESSON.show(shapes()["left_padded"]).facts.exact
    assert found["leak_last"] == found["leak_first"] == 0


def test_values_are_needed():
    with pytest.raises(EngineError, match="missing"):
        facts(rewards=[0, 1])
    with pytest.raises(EngineError, match="missing"):
        facts(values=[0, 1])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "lam_one", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
