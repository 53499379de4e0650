"""reward_owner: one number for text, two for tools, the same value either way."""

from __future__ import annotations

import pytest

from engine import proofs
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import everywhere

ID = "reward_owner"
VERDICTS = {
    "reward_is_the_tokens_probability": "false",
    "another_token_another_reward": "true",
    "kl_part_is_of_the_next_token": "false",
    "transition_and_not_action": "depends",
    "readings_coincide_for_text": "true",
    "readings_coincide_with_tools": "false",
    "reward_belongs_to_the_state_alone": "false",
    "kl_is_the_tokens": "true",
    "reward_belongs_to_the_token_before": "false",
    "chance_needs_another_value": "false",
    "every_delta_is_the_same_with_the_mean": "false",
    "score_is_the_last_transitions": "true",
    "reward_is_of_the_state_reached": "true",
    "reward_is_known_before_the_token": "false",
    "value_belongs_to_the_token": "false",
    "advantage_belongs_to_the_token": "true",
    "tool_output_earns_reward": "false",
    "score_is_split_evenly": "false",
    "last_reward_holds_score_and_kl": "true",
    "every_project_scores_the_last_real_token": "false",
    "unscored_tokens_have_no_reward": "false",
    "only_the_end_is_scored": "depends",
    "same_token_elsewhere_is_paid_otherwise": "true",
    "score_depends_on_all_tokens": "true",
    "last_token_alone_earned_the_score": "false",
    "kl_could_be_charged_to_the_next_token": "false",
    "sampled_kl_depends_on_the_drawn_token": "true",
    "full_kl_belongs_to_the_state": "true",
    "tokens_behind_the_end_are_paid": "false",
    "end_token_is_paid_the_score": "true",
    "cut_off_responses_have_no_score_in_the_rewards": "false",
    "prompt_tokens_earn_rewards": "false",
    "suttons_index_makes_it_the_next_tokens": "false",
    "action_reward_is_the_mean_over_outcomes": "true",
    "q_averages_over_what_comes_back": "true",
    "effect_of_a_tool_reaches_the_token_that_called": "true",
    "gae_rewrites_the_rewards": "false",
    "reward_is_settled_once_its_token_is_written": "true",
    "place_within_a_step_does_not_matter": "false",
    "even_split_keeps_only_the_first_return": "true",
    "zero_reward_means_no_part_in_it": "false",
    "negative_reward_means_a_bad_token": "false",
    "reward_is_earned_on_entering_its_state": "false",
    "name_of_the_owner_changes_the_numbers_in_text": "false",
    "reward_depends_on_the_other_responses": "false",
    "sampling_makes_the_transition_random": "false",
    "a_users_reply_makes_the_transition_random": "true",
    "kl_part_is_known_at_once_and_the_score_at_the_end": "true",
    "equal_tokens_have_equal_rewards": "false",
    "score_and_kl_are_added_into_one_reward": "true",
    "reward_is_felt_by_the_actor_only": "false",
    "earlier_returns_hold_a_later_reward": "true",
    "potential_shaping_leaves_exact_advantages": "true",
    "last_reward_is_always_the_largest": "false",
    "delta_takes_the_expected_reward": "false",
    "luck_of_the_tool_shows_in_delta": "true",
    "either_reading_has_the_same_mean_delta": "true",
    "when_a_reward_is_paid_does_not_matter_undiscounted": "false",
    "process_rewards_are_better": "depends",
    "reward_reaches_later_tokens": "false",
    "reward_and_advantage_have_one_sign": "false",
    "largest_reward_has_the_largest_advantage": "false",
    "score_one_token_earlier_moves_one_return": "true",
    "last_advantage_is_the_last_reward": "false",
    "a_reward_enters_its_own_delta_only": "true",
    "reward_counts_what_comes_later": "false",
    "reward_is_the_advantage": "false",
    "delta_is_the_reward": "false",
    "reward_is_the_value": "false",
    "reward_is_the_change_of_value": "false",
    "rewards_come_from_the_critic": "false",
    "the_first_token_has_no_reward": "false",
    "only_the_rewarded_token_has_an_advantage": "false",
    "another_score_changes_the_last_reward_only": "true",
    "one_more_reward_is_one_more_advantage": "true",
    "rewards_change_the_values_of_the_batch": "false",
    "right_answers_have_positive_rewards_only": "false",
    "rewards_add_up_to_the_first_return": "true",
    "a_paid_token_is_always_reinforced": "false",
    "token_rewards_do_not_depend_on_beta": "false",
    "a_score_at_the_end_is_enough": "depends",
    "wrong_answers_should_be_fined": "depends",
    "middle_rewards_are_zero": "depends",
    "middle_rewards_are_zero_despite_kl": "false",
    "last_reward_is_the_score": "depends",
    "middle_rewards_are_negative": "depends",
    "last_reward_is_the_largest": "depends",
    "both_readings_are_one_number": "depends",
    "first_return_feels_when_a_reward_is_paid": "depends",
    "first_return_is_the_sum_of_rewards": "depends",
    "a_paid_token_is_reinforced": "depends",
    "another_score_changes_a_tokens_reward": "depends",
    "scores_can_stand_at_the_end_only": "false",
}


def test_the_tool_by_hand():
    found = lessons()[ID].show(RUNNING).facts.numbers["constants"]
    value = 0.75 * (1 + 0.2) + 0.25 * (0 + 0.1)
    assert found["value"] == pytest.approx(value)
    assert found["value_from_mean"] == pytest.approx(value)
    assert found["deltas_by_transition"] == pytest.approx([1 + 0.2 - value, 0.1 - value])
    assert found["deltas_by_token"] == pytest.approx([0.75 + 0.2 - value, 0.75 + 0.1 - value])
    assert found["mean_by_transition"] == pytest.approx(0)
    assert found["mean_by_token"] == pytest.approx(0)


def test_the_theorems_are_among_all():
    assert "only_the_mean_reward_enters_the_value" in proofs.theorem_names()
    assert "mean_reward_gives_every_sampled_delta" in proofs.counterexample_names()


def test_a_reward_one_off_is_collected_by_nobody():
    shown = lessons()[ID].show(RUNNING)
    wrong = shown.mistakes["reward_index_earlier"].numbers["rewards"]
    assert wrong == pytest.approx([0, *shown.facts.numbers["rewards"][:-1]])


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID, VERDICTS)
