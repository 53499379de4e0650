"""surrogate: ρA by hand, the first step, and the world in which the surrogate promises too much."""

from __future__ import annotations

import math

import pytest

from engine.errors import EngineError
from lessons._lesson import lessons
from tests.lessons import policies

ID = "surrogate"
VERDICTS = {
    "less_likely_means_above_one": "false",
    "terms_are_advantages_at_first": "true",
    "ratio_is_exp_of_difference": "true",
    "ratio_is_one_at_first": "true",
    "ratio_is_always_one": "false",
    "no_gradient_at_ratio_one": "false",
    "policy_gradient_at_first": "true",
    "policy_gradient_later_too": "false",
    "larger_surrogate_is_better_policy": "false",
    "zero_at_first_when_whitened": "true",
    "ratio_is_the_reward": "false",
    "denominator_is_the_reference": "false",
    "surrogate_is_the_loss": "false",
    "ratio_is_per_token": "true",
    "ratio_can_be_negative": "false",
    "ratio_above_one_means_good_token": "false",
    "ratio_is_a_difference": "false",
    "negative_advantage_lowers_the_token": "true",
    "mean_ratio_is_one": "true",
    "ratio_makes_the_surrogate_exact": "false",
    "gradient_flows_through_the_old_policy": "false",
    "ratio_is_old_over_new": "false",
    "ratio_is_exp_of_log_difference": "true",
    "surrogate_is_the_mean_over_tokens": "depends",
    "log_form_has_the_same_value": "false",
    "a_constant_on_all_advantages_is_harmless": "depends",
    "is_to_be_maximised": "true",
    "needs_a_limit_on_the_step": "true",
    "is_zero_on_average_at_the_old_policy": "true",
    "above_one_means_likelier": "true",
    "term_has_the_sign_of_the_advantage": "true",
    "ratio_is_renewed_every_step": "true",
    "ratio_corrects_for_the_old_policys_tokens": "true",
    "ratio_corrects_the_states_too": "false",
    "exact_for_a_single_token": "true",
    "needs_no_new_samples": "true",
    "advantages_belong_to_the_new_policy": "false",
    "gradient_flows_through_the_advantage": "false",
    "token_ratios_multiply_to_the_response_ratio": "true",
    "response_ratio_runs_away_with_length": "true",
    "zero_value_means_no_update": "false",
    "surrogate_can_be_negative": "true",
    "ratio_is_at_most_the_inverse_of_old": "true",
    "zero_advantage_contributes_nothing": "true",
    "small_steps_keep_the_promise": "true",
    "error_grows_with_the_step": "true",
    "scales_with_the_advantages": "true",
    "first_loss_is_minus_the_mean_advantage": "true",
    "log_ratio_is_zero_at_first": "true",
    "ratio_needs_the_whole_vocabulary": "false",
    "contains_value_loss_and_entropy": "false",
    "good_tokens_always_end_above_one": "false",
    "mismatched_old_log_probs_are_harmless": "false",
    "padding_enters_the_mean": "false",
    "unlimited_it_pushes_to_the_extreme": "true",
    "is_linear_in_the_ratio": "true",
    "reusing_data_needs_the_ratio": "true",
    "ratio_returns_to_one_with_new_samples": "true",
    "ratio_is_needed": "depends",
    "reusing_a_batch_is_better": "depends",
    "token_ratios_are_better_than_sequence_ratios": "depends",
    "term_is_advantage_over_ratio": "false",
    "ratio_starts_at_zero": "false",
    "surrogate_is_for_good_tokens_only": "false",
    "larger_ratio_raises_the_surrogate": "depends",
    "rewards_enter_only_through_advantages": "true",
    "reference_enters_the_surrogate": "false",
    "ratio_is_at_most_one": "false",
    "log_ratio_can_be_negative": "true",
    "old_policy_moves_with_every_mini_step": "false",
    "mean_advantage_alone_trains": "false",
    "slope_is_proportional_to_the_advantage": "true",
    "ratio_one_means_equal_policies": "false",
    "ratio_is_made_by_the_actor": "true",
    "ratios_sum_to_one": "false",
    "larger_ratio_larger_gradient": "true",
    "ratio_two_means_twice_as_likely": "true",
    "is_trpos_objective": "depends",
    "ratio_compares_two_different_tokens": "false",
    "first_value_is_zero": "depends",
    "raw_first_value_is_zero": "false",
    "first_value_is_zero_whatever_the_advantages": "false",
    "ratio_is_one": "depends",
    "ratio_can_be_one": "true",
    "ratios_after_an_update_are_all_one": "false",
    "ratio_is_above_one": "depends",
    "larger_ratio_raises_a_good_tokens_term": "true",
    "larger_ratio_raises_a_bad_tokens_term": "false",
    "larger_ratio_always_raises_the_term": "false",
    "larger_ratio_can_raise_the_term": "true",
    "sampled_tokens_are_made_likelier": "depends",
    "all_sampled_tokens_are_made_likelier": "false",
    "good_tokens_are_made_likelier": "true",
    "surrogate_is_positive": "depends",
    "gradient_is_the_policy_gradient": "depends",
    "value_is_the_mean_advantage": "depends",
    "ratio_stays_near_one": "depends",
    "batch_mean_of_ratios_is_one": "depends",
    "batch_mean_of_ratios_is_always_one": "false",
    "value_changes_when_rewards_double": "depends",
    "raising_the_surrogate_improves_the_policy": "depends",
    "surrogate_is_exact": "depends",
    "good_token_ends_above_one": "depends",
    "a_constant_leaves_the_mean_gradient": "true",
    "a_constant_leaves_the_sampled_gradient": "false",
    "ratio_is_always_above_one": "false",
    "ratio_can_be_above_one": "true",
    "surrogate_always_equals_the_mean_advantage": "false",
    "ratio_always_stays_near_one": "false",
    "surrogate_is_always_the_token_mean": "false",
    "surrogate_can_be_the_token_mean": "true",
    "raising_the_surrogate_can_improve_the_policy": "true",
    "scale_of_rewards_always_enters": "false",
    "negative_log_probs_are_subtracted_the_other_way_round": "true",
    "old_log_probs_made_anew_switch_the_clip_off": "true",
    "policy_loss_need_not_fall": "true",
    "surrogate_takes_three_numbers_for_each_token": "true",
    "dropout_moves_the_first_ratios": "true",
    "temperature_must_be_the_same_on_both_sides": "true",
    "truncated_sampling_is_another_distribution": "true",
    "engine_weight_and_ppo_ratio_do_not_double": "true",
    "three_policies_in_asynchronous_training": "true",
    "recomputed_old_log_probs_hide_the_engine_gap": "true",
    "text_of_another_model_is_not_the_old_policys": "true",
    "weights_vary_more_the_farther_the_policy": "true",
    "policy_gradient_lowers_the_entropy_by_itself": "true",
    "entropy_bonus_is_subtracted_from_the_loss": "true",
    "first_ratios_are_one_up_to_rounding": "true",
    "advantage_at_the_last_token_alone_trains_that_token_alone": "true",
    "column_of_advantages_and_row_of_ratios_broadcast": "true",
}


def _shown(**given):
    return lessons()[ID].show(policies.made(given))


def test_the_terms_by_hand():
    found = _shown(old_logp=[-0.7, -1.2, -0.3], new_logp=[-0.6, -1.5, -0.3], advantages=[2, 1, -1]).facts.numbers
    ratio = [math.exp(0.1), math.exp(-0.3), 1]
    terms = [2 * ratio[0], ratio[1], -1]
    assert found["ratio"] == pytest.approx(ratio)
    assert found["terms"] == pytest.approx(terms)
    assert found["surrogate"] == pytest.approx(sum(terms) / 3)
    assert found["loss"] == pytest.approx(-sum(terms) / 3)
    assert found["slopes"] == pytest.approx(terms)  # ∂ρA/∂log π is ρA


def test_the_learners_example_before_the_first_update():
    """Transcript 004: no new policy given, so every term is the advantage, and the mean is 0.44/6."""
    found = _shown(
        old_logp=[-0.12, -0.08, -0.15, -0.10, -0.05, -0.02],
        ref_logp=[-0.15, -0.10, -0.18, -0.12, -0.08, -0.03],
        advantages=[0.13, 0.10, 0.08, 0.05, 0.03, 0.05],
    )
    assert found.facts.numbers["ratio"] == [1] * 6
    assert found.facts.numbers["surrogate"] == pytest.approx(0.44 / 6)
    assert found.facts.numbers["whitened_surrogate"] == pytest.approx(0, abs=1e-12)
    assert found.mistakes["ratio_to_reference"].numbers["surrogate"] == pytest.approx(0.07514, abs=1e-5)


@pytest.mark.parametrize("given", [{"advantages": [1, 2]}, {"new_logp": [-1, -2], "old_logp": [-1, -1]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _shown(**given)


def test_pages():
    policies.check_pages(ID, {**policies.MOVED, **policies.RATIOS})


def test_propositions():
    policies.check_propositions(ID, VERDICTS)
