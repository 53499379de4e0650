"""ppo_clip: the four sign cases by hand, the clip fraction, dual clip, and the learners' own examples."""

from __future__ import annotations

import pytest
import torch

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import policies

ID = "ppo_clip"
VERDICTS = {
    "this_token_is_clipped": "depends",
    "no_gradient_outside": "false",
    "no_gradient_for_good_above": "true",
    "good_below_keeps_gradient": "true",
    "bad_above_is_unclipped": "true",
    "ratio_stays_inside": "false",
    "fraction_of_ratios_outside": "false",
    "dual_acts_on_good_tokens": "false",
    "nothing_clipped_at_first": "true",
    "never_above_surrogate": "true",
    "minimum_is_redundant": "false",
    "max_of_losses_is_min": "true",
    "loss_of_log_ratio": "false",
    "clips_the_gradient": "false",
    "bad_below_has_no_gradient": "true",
    "good_upper_edge_bad_lower_edge": "true",
    "inside_the_range_nothing_is_clipped": "true",
    "larger_epsilon_clips_more": "false",
    "epsilon_zero_means_no_learning": "false",
    "clipped_token_is_pulled_back": "false",
    "advantage_is_clipped": "false",
    "zero_clip_fraction_means_no_learning": "false",
    "range_is_in_absolute_probability": "false",
    "dual_clip_limits_bad_tokens": "true",
    "objective_is_bounded_below": "false",
    "zero_advantage_has_no_gradient": "true",
    "clip_higher_lets_good_tokens_rise_further": "true",
    "first_step_is_as_without_clip": "true",
    "one_clipped_token_stops_the_response": "false",
    "logged_kl_is_to_the_reference": "false",
    "logged_kl_cannot_be_negative": "false",
    "larger_steps_clip_more": "true",
    "clip_is_a_hard_kl_constraint": "false",
    "removes_the_incentive_to_go_further": "true",
    "range_is_symmetric_in_log_probability": "false",
    "ratio_of_the_whole_response_is_clipped": "false",
    "clipped_tokens_leave_the_mean": "false",
    "clipped_token_has_zero_loss": "false",
    "never_acts_with_one_step_per_batch": "true",
    "trl_has_dual_clip": "false",
    "old_verl_has_dual_clip": "false",
    "new_verl_has_dual_clip_of_three": "true",
    "dual_clip_constant_must_exceed_one": "true",
    "dual_clip_acts_on_bad_tokens_far_above_only": "true",
    "value_clipping_shares_the_range": "false",
    "larger_advantage_has_a_wider_range": "false",
    "good_token_earns_at_most_upper_edge": "true",
    "bad_token_earns_at_most_lower_edge": "true",
    "wrong_moves_can_be_corrected": "true",
    "larger_epsilon_allows_larger_moves": "true",
    "smaller_epsilon_is_always_better": "false",
    "verl_bounds_the_log_ratio": "true",
    "range_is_centred_at_one": "true",
    "clip_fraction_lies_in_zero_to_one": "true",
    "clip_can_reverse_a_gradient": "false",
    "without_clip_it_is_the_surrogate": "true",
    "rare_tokens_can_gain_little": "true",
    "loss_is_minus_ratio_times_advantage": "depends",
    "objective_is_the_smaller_of_two_terms": "true",
    "more_epochs_clip_more": "true",
    "clipping_is_needed": "depends",
    "clip_is_for_good_tokens_only": "false",
    "minimum_is_taken_of_the_ratios": "false",
    "clip_higher_is_better": "depends",
    "clip_guarantees_improvement": "false",
    "dual_clip_is_needed": "depends",
    "smaller_epsilon_is_better": "depends",
    "range_is_centred_on_the_last_mini_step": "false",
    "epsilon_scales_the_gradient": "false",
    "range_is_around_the_reference": "false",
    "rewards_are_clipped": "false",
    "objective_jumps_at_the_edge": "false",
    "gradient_fades_towards_the_edge": "false",
    "once_clipped_always_clipped": "false",
    "high_clip_fraction_is_bad": "depends",
    "policy_loss_is_never_negative": "false",
    "only_sampled_tokens_are_limited": "true",
    "clip_needs_the_old_log_probs": "true",
    "scale_of_advantages_changes_the_clip_fraction": "false",
    "clip_replaces_the_kl_penalty": "false",
    "clipped_token_stops_moving": "false",
    "every_token_is_clipped": "false",
    "objective_at_ratio_one_is_the_advantage": "true",
    "padding_counts_in_the_clip_fraction": "false",
    "whitened_sign_decides_the_edge": "true",
    "good_token_takes_the_smaller_of_ratio_and_upper_edge": "true",
    "bad_token_takes_the_larger_of_ratio_and_lower_edge": "true",
    "verl_clips_at_a_fifth_by_default": "true",
    "clip_keeps_the_policy_near_the_old_one": "depends",
    "clip_alters_the_probabilities": "false",
    "log_ratio_is_clipped_to_the_range": "false",
    "good_tokens_objective_rises_then_stays_flat": "true",
    "bad_tokens_objective_is_flat_then_falls": "true",
    "all_four_cases_outside_are_clipped": "false",
    "clip_is_better_than_a_kl_penalty": "depends",
    "dual_clip_changes_a_bad_tokens_loss": "depends",
    "dual_clip_changes_every_bad_token": "false",
    "dual_clip_can_change_a_bad_token": "true",
    "dual_clip_is_built_in": "depends",
    "clip_changes_the_objective": "depends",
    "clip_changes_every_term": "false",
    "clip_can_change_a_term": "true",
    "clip_fraction_is_zero": "depends",
    "clip_fraction_is_always_zero": "false",
    "good_token_is_clipped": "depends",
    "bad_token_is_clipped": "depends",
    "above_the_range_there_is_no_gradient": "depends",
    "a_token_outside_has_no_gradient": "depends",
    "below_the_range_there_is_no_gradient": "depends",
    "minimum_takes_the_clipped_term": "depends",
    "policy_loss_is_positive": "depends",
    "clipping_raises_the_loss": "depends",
    "epsilon_changes_the_loss": "depends",
    "ratio_is_inside_the_range": "depends",
    "ratio_can_leave_the_range": "true",
    "first_epoch_clips_nothing": "depends",
    "token_out_of_range_is_pulled_back": "depends",
    "gradient_is_ratio_times_advantage": "depends",
    "upper_edge_stops_the_token": "depends",
    "dual_clip_is_built_in_everywhere": "false",
    "every_good_token_is_clipped": "false",
    "a_good_token_can_be_clipped": "true",
    "every_bad_token_is_clipped": "false",
    "a_bad_token_can_be_clipped": "true",
    "above_the_range_there_is_never_a_gradient": "false",
    "below_the_range_there_is_never_a_gradient": "false",
    "minimum_always_takes_the_clipped_term": "false",
    "minimum_can_take_the_clipped_term": "true",
    "clipping_always_raises_the_loss": "false",
    "epsilon_always_changes_the_loss": "false",
    "epsilon_can_change_the_loss": "true",
    "loss_is_always_minus_ratio_times_advantage": "false",
    "loss_can_be_minus_ratio_times_advantage": "true",
    "out_of_range_tokens_are_always_pulled_back": "false",
    "target_kl_ends_the_updates": "true",
    "cispo_keeps_the_gradient_of_clipped_tokens": "true",
    "lower_clip_fraction_counts_dual_clip": "true",
    "trl_counts_low_and_high_by_the_advantages_sign": "true",
    "likely_good_tokens_never_reach_the_upper_edge": "true",
    "momentum_moves_a_clipped_token": "true",
    "trl_skips_a_mini_batch_by_its_mean_ratio": "true",
    "clip_bounds_are_one_minus_and_plus_the_epsilons": "true",
}


def _facts(**given):
    return lessons()[ID].show(policies.made(given)).facts.numbers


@pytest.mark.parametrize(
    ("ratio", "advantages", "terms", "fraction"),
    [
        ([0.7, 1.0, 1.5], [1, 1, 1], [0.7, 1, 1.2], 1 / 3),
        ([1.5, 0.5], [1, -1], [1.2, -0.8], 1),
        ([1.4, 0.7, 0.9], [1, -1, 1], [1.2, -0.8, 0.9], 2 / 3),
        ([0.6, 1.1, 1.4], [-1, 2, 3], [-0.8, 2.2, 3.6], 2 / 3),
        ([1.5], [-1], [-1.5], 0),
    ],
)
def test_learners_examples(ratio, advantages, terms, fraction):
    found = _facts(ratio=ratio, advantages=advantages, eps=0.2)
    assert found["objective_terms"] == pytest.approx(terms)
    assert found["objective"] == pytest.approx(sum(terms) / len(terms))
    assert found["clipfrac"] == pytest.approx(fraction)


def test_the_gradient_is_what_torch_says():
    """Of the code that learners read, written out: the maximum of two losses."""
    found = lessons()[ID].show(RUNNING).facts.numbers
    new, old = torch.tensor(RUNNING.new_logp, dtype=torch.float64, requires_grad=True), torch.tensor(RUNNING.logp)
    ratio, advantages = (new - old).exp(), torch.tensor(found["advantages"])
    losses = torch.maximum(-advantages * ratio, -advantages * ratio.clamp(0.8, 1.2))
    assert found["loss"] == pytest.approx(losses.mean().item())
    (gradient,) = torch.autograd.grad(-losses.sum(), new)
    assert found["slopes"] == pytest.approx(gradient.tolist())


def test_dual_clip_limits_only_bad_tokens_that_are_far_away():
    found = _facts(ratio=[40, 2, 40], advantages=[-1, -1, 1], eps=0.2)
    assert found["dual_terms"] == pytest.approx([-3, -2, 1.2])


def test_the_range_may_be_asymmetric():
    found = _facts(ratio=[1.25, 0.79], advantages=[2, 2], eps_low=0.2, eps_high=0.28)
    assert found["objective_terms"] == pytest.approx([2.5, 1.58])
    assert found["upper"] == pytest.approx(1.28)


def test_one_bound_may_be_given_alone():
    found = _facts(ratio=[1.5, 0.5], advantages=[1, -1], eps=0.1, eps_high=0.3)
    assert found["objective_terms"] == pytest.approx([1.3, -0.9])


@pytest.mark.parametrize("given", [{"advantages": [1, 2]}, {"ratio": [1, 2]}, {"new_logp": [-1], "advantages": [1]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _facts(**given)


def test_pages():
    policies.check_pages(ID, {**policies.MOVED, **policies.RATIOS})


def test_propositions():
    policies.check_propositions(ID, VERDICTS)
