"""The critic's target and loss: against sums written out, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["critic_target"]
VERDICTS = {
    "value_loss_is_a_cross_entropy": "false",
    "exact_critic_has_no_loss_where_nothing_is_random": "true",
    "vpreds_are_the_new_predictions": "true",
    "critic_and_actor_share_one_loss": "false",
    "clip_moves_the_returns": "false",
    "target_at_lambda_zero_is_td": "true",
    "target_is_monte_carlo": "depends",
    "critic_fits_returns": "true",
    "returns_teach_q": "false",
    "critic_label_is_the_score": "false",
    "critic_should_fit_advantages": "false",
    "value_clip_takes_the_smaller_error": "false",
    "value_clip_lowers_the_loss": "false",
    "critic_loss_is_plain_mse": "depends",
    "first_loss_is_half_mean_squared_advantage": "true",
    "first_clip_fraction_is_zero": "true",
    "gradient_flows_through_returns": "false",
    "no_gradient_outside_the_range": "false",
    "low_value_loss_means_good_policy": "false",
    "fitting_returns_is_circular": "false",
    "target_is_one_step_ahead": "false",
    "critic_loss_contains_the_ratio": "false",
    "value_clip_is_about_the_target": "false",
    "targets_are_renewed_after_each_critic_step": "false",
    "perfect_fit_makes_the_next_advantages_zero": "false",
    "half_in_the_loss_changes_what_is_learned": "false",
    "lambda_zero_makes_the_target_one_step": "true",
    "only_the_last_token_trains_the_critic": "false",
    "positive_advantage_pulls_the_value_up": "true",
    "clip_range_zero_means_no_value_clipping": "false",
    "one_target_for_the_whole_response": "false",
    "pull_does_not_depend_on_the_distance": "false",
    "critic_learns_the_best_return": "false",
    "prompt_has_one_target_for_all_responses": "false",
    "wider_value_range_raises_the_loss": "false",
    "vf_clipfrac_counts_every_token_outside": "false",
    "critic_learns_the_mean_return": "true",
    "critic_learns_the_median_return": "false",
    "exact_critic_has_loss_left": "true",
    "targets_use_whitened_advantages": "false",
    "critic_predicts_the_score_without_kl": "false",
    "target_contains_its_own_value": "false",
    "target_contains_later_values": "true",
    "lambda_one_target_is_free_of_the_critic": "true",
    "last_target_is_the_last_reward": "true",
    "outcome_targets_are_all_the_score": "true",
    "larger_lambda_makes_the_target_noisier": "true",
    "target_teaches_the_next_state": "false",
    "value_is_the_probability_of_success": "depends",
    "right_value_changes_with_the_policy": "true",
    "half_makes_the_gradient_the_distance": "true",
    "value_clip_bounds_the_prediction": "false",
    "wide_value_range_is_half_mse": "true",
    "value_clip_range_is_the_policy_clip_range": "false",
    "value_loss_reads_the_reference": "false",
    "critic_is_trained_on_prompt_tokens": "false",
    "vpreds_equal_values": "depends",
    "projects_halve_the_value_loss": "true",
    "doubled_scale_quadruples_the_loss": "true",
    "value_loss_can_be_negative": "false",
    "clip_fraction_is_a_count_over_tokens": "true",
    "max_keeps_the_loss_when_the_clip_is_left": "true",
    "too_high_a_value_is_pulled_down": "true",
    "value_clipping_is_better": "depends",
    "larger_lambda_makes_better_targets": "depends",
    "critic_is_needed": "depends",
    "target_is_reward_plus_own_value": "false",
    "lambda_zero_targets_are_monte_carlo_and_lambda_one_td": "false",
    "targets_are_made_with_the_new_predictions": "false",
    "targets_lie_between_zero_and_one": "false",
    "value_loss_moves_with_the_actors_update": "false",
    "smaller_gamma_lowers_the_early_targets": "true",
    "advantage_is_value_less_target": "false",
    "padding_counts_in_the_value_loss": "false",
    "value_loss_is_a_sum_over_tokens": "false",
    "target_includes_the_own_reward": "true",
    "target_counts_past_rewards": "false",
    "returns_are_whitened_for_the_critic": "false",
    "residual_is_the_advantage": "depends",
    "value_loss_is_an_absolute_error": "false",
    "zero_reward_means_zero_target": "false",
    "loss_left_is_half_the_variance": "true",
    "fitting_the_targets_exactly_is_better": "depends",
    "warming_up_the_critic_is_better": "depends",
    "critic_wants_large_returns": "false",
    "one_step_reaches_the_target": "false",
    "later_tokens_count_more_in_the_value_loss": "false",
    "beta_reaches_the_target_through_the_rewards": "true",
    "policy_clip_range_enters_the_target": "false",
    "new_log_probs_enter_the_target": "false",
    "first_value_loss_is_the_same_without_clip": "true",
    "too_high_costs_more_than_too_low": "false",
    "one_large_error_outweighs_several_small_ones": "true",
    "falling_value_loss_is_a_good_sign": "depends",
    "a_wider_value_range_is_better": "depends",
    "normalising_returns_is_better": "depends",
    "an_accurate_critic_is_needed": "depends",
    "value_clip_is_as_pessimistic_as_the_policy_clip": "true",
    "many_clipped_values_are_a_bad_sign": "depends",
    "weight_of_the_value_loss_changes_what_is_learned": "false",
    "values_and_returns_are_one": "false",
    "returns_and_advantages_are_one": "false",
    "a_better_critic_makes_raw_advantages_smaller": "true",
    "target_contains_the_critics_predictions": "depends",
    "target_always_contains_the_critics_predictions": "false",
    "target_contains_kl": "depends",
    "targets_equal_the_score": "depends",
    "targets_stay_between_nought_and_one": "depends",
    "outside_the_range_the_gradient_is_zero": "depends",
    "value_clip_changes_the_loss": "depends",
    "value_loss_is_half_the_squared_advantage": "depends",
    "no_value_is_clipped": "depends",
    "smaller_gamma_lowers_the_targets": "depends",
    "target_is_above_the_value": "depends",
    "a_step_brings_the_value_nearer_its_target": "depends",
    "target_is_the_immediate_reward": "false",
    "all_tokens_have_the_same_target": "depends",
    "target_is_one_reward_and_the_next_value": "depends",
    "target_is_always_above_the_value": "false",
    "smaller_gamma_always_lowers_the_targets": "false",
    "averaging_a_mean_value_loss_again_changes_nothing": "true",
    "explained_variance_says_what_the_critic_foresees": "true",
    "explained_variance_flatters_below_lambda_one": "true",
    "value_coefficient_zero_leaves_the_critic_untrained": "true",
    "value_clip_range_is_in_units_of_rewards": "true",
    "squared_undetached_advantage_has_another_gradient": "true",
    "critic_from_the_reward_model_is_trained_on": "true",
    "gae_may_be_renewed_before_each_epoch": "true",
}
OWN = {
    "all_given": {"vpreds": [0.5, 1.2, 0.1], "old_values": [0.6] * 3, "returns": [0.9] * 3, "cliprange_value": 0.2},
    "one_token": {"vpreds": [1.0], "old_values": [0.6], "returns": [0.9]},
    "no_range": {"vpreds": [1.0, 0.2], "old_values": [0.6, 0.2], "returns": [0.9, 0], "cliprange_value": 0},
    "on_target": {"vpreds": [0.3, 0.4], "values": [0.3, 0.4], "returns": [0.3, 0.4]},
    "rewards": {"rewards": [0, 1], "values": [0.5, 0.6], "vpreds": [0.7, 0.1], "gamma": 0.9},
    "padded": {"vpreds": [1, 2, 9], "old_values": [0, 2, 0], "returns": [1, 1, 7], "mask": [1, 1, 0]},
    "batch": {
        "vpreds": [[1, 2], [0, 0]],
        "old_values": [[0, 2], [1, 0]],
        "returns": [[1, 1], [0, 0.5]],
        "mask": [[1, 1], [1, 0]],
    },
}


def facts(given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


def test_the_golden_value_loss():
    found = facts(OWN["all_given"])
    assert found["vf_loss"] == pytest.approx(0.148333, abs=1e-6)
    assert found["vf_clipfrac"] == 0
    assert found["plain_loss"] == pytest.approx((0.16 + 0.09 + 0.64) / 6)


def test_the_clip_raises_the_loss_where_it_decides():
    found = facts({**OWN["all_given"], "vpreds": [0.5, 0.9, 0.1]})
    assert found["vf_clipfrac"] == pytest.approx(1 / 3)
    assert found["vf_loss"] == pytest.approx((0.16 + 0.01 + 0.64) / 6)
    assert found["plain_loss"] == pytest.approx((0.16 + 0.0 + 0.64) / 6)


def test_the_first_pass_of_a_logged_row():
    values, returns = [0.82, 0.85, 0.88, 0.9, 0.92, 0.95], [0.95, 0.95, 0.96, 0.95, 0.95, 1.0]
    found = facts({"values": values, "returns": returns, "cliprange_value": 0.5})
    assert found["vf_loss"] == pytest.approx(0.003267, abs=1e-6)
    assert found["vf_clipfrac"] == 0
    assert found["first_loss"] == pytest.approx(found["vf_loss"])


def test_the_pull_is_the_way_to_the_target_unless_the_clip_decides():
    found = facts({"vpreds": [0.1, 0.9, 0.6], "old_values": [0.5] * 3, "returns": [1] * 3, "cliprange_value": 0.2})
    assert found["pull"] == pytest.approx([0.9, 0, 0.4])


def test_other_targets():
    found = facts(OWN["rewards"])
    gamma, lam = 0.9, 0.95
    last = 1 - 0.1
    first = 0 + gamma * 0.1 - 0.7 + gamma * lam * last
    assert found["next_returns"] == pytest.approx([first + 0.7, 1])
    assert found["mc_returns"] == pytest.approx([0.9, 1])


def test_fitting_again_and_again_reaches_the_return():
    found = facts(OWN["one_token"])["constants"]
    assert found["first_value"][-1] == pytest.approx(found["goal"])
    assert found["last_value"][1] == pytest.approx(1)


def test_what_is_missing_is_named():
    for given in ({"rewards": [0, 1]}, {"values": [0, 1]}, {"vpreds": [0, 1], "returns": [0, 1]}):
        with pytest.raises(EngineError, match="missing"):
            facts(given)


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "padded", "batch", "very_long"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", [*GIVEN, *OWN])
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, {**GIVEN, **OWN}[name]).values())


CLIPPED = {"vpreds": [0.6, 1.2], "old_values": [0.6, 0.6], "returns": [0.9, 1.5], "cliprange_value": 0.2}


@pytest.mark.parametrize("mask", [[0, 1, 1], [1, 0, 1]])
def test_the_token_that_is_shown_is_the_one_that_the_clip_decides(mask):
    """Masked positions are no tokens: the second real one is decided, wherever it stands."""
    lists = {name: iter(numbers) for name, numbers in CLIPPED.items() if isinstance(numbers, list)}
    spread = {name: [next(numbers) if m else 0.0 for m in mask] for name, numbers in lists.items()}
    found = LESSON.show(completed(scenario({**CLIPPED, **spread, "mask": mask}))[0]).facts.numbers
    assert (found["decided"], found["shown_at"]) == (1, 1)


def test_a_clip_that_decides_in_another_response_is_not_denied():
    given = {name: [[x[0], x[0]], x] for name, x in CLIPPED.items() if isinstance(x, list)}
    page = pages(LESSON, {**given, "cliprange_value": 0.2})["plain", "en"]
    assert "in the first response" in page and "25 %" in page
