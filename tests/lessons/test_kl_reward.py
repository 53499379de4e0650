"""KL to reward: the rewards and estimators against their definitions, the claims as they should be judged."""

from __future__ import annotations

import math

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import pages, shapes

LESSON = lessons()["kl_reward"]
VERDICTS = {
    "low_var_kl_is_k3": "true",
    "penalty_lowers_every_reward": "depends",
    "less_likely_than_reference_is_punished": "false",
    "k2_is_never_negative": "true",
    "beta_zero_makes_rewards_zero": "false",
    "sampled_kl_can_be_negative": "true",
    "negative_kl_is_a_bug": "false",
    "rewards_never_exceed_scores": "false",
    "k3_is_never_negative_and_unbiased": "true",
    "k2_is_unbiased": "false",
    "abs_is_unbiased": "false",
    "k1_is_unbiased": "true",
    "penalty_touches_only_the_last_token": "false",
    "reward_and_loss_count_twice": "true",
    "k1_works_as_a_loss": "false",
    "beta_zero_leaves_scores": "true",
    "reward_kl_uses_the_old_policy": "true",
    "kld_is_the_divergence": "depends",
    "k3_always_varies_less": "false",
    "sum_estimates_sequence_kl": "true",
    "larger_beta_takes_more": "true",
    "kl_is_added_to_the_reward": "false",
    "tokens_the_policy_prefers_pay": "true",
    "no_penalty_when_policy_is_reference": "true",
    "reward_kl_runs_from_reference_to_policy": "false",
    "kl_penalty_is_one_number_per_response": "false",
    "controller_raises_beta_above_target": "true",
    "kl_of_a_token_reaches_earlier_advantages": "true",
    "zero_summed_kl_means_equal_policies": "false",
    "k3_loss_has_the_gradient_of_kl": "false",
    "k2_loss_has_the_gradient_of_kl": "true",
    "padding_pays_the_kl_penalty": "false",
    "absolute_value_overestimates_kl": "true",
    "beta_scales_the_score_as_well": "false",
    "kl_is_summed_over_the_vocabulary": "false",
    "verl_clamps_k3": "true",
    "kl_in_the_reward_changes_the_critics_target": "true",
    "kl_in_the_loss_changes_the_advantages": "false",
    "larger_beta_keeps_the_policy_closer": "true",
    "best_policy_is_the_reference_tilted_by_the_reward": "true",
    "last_reward_is_the_score": "false",
    "total_reward_is_score_less_summed_kl": "true",
    "reward_kl_is_between_new_and_old_policy": "false",
    "penalty_is_proportional_to_beta": "true",
    "kl_is_taken_off_the_advantages": "false",
    "projects_share_the_reward_formula": "true",
    "trl_clamps_k3": "false",
    "kl_penalty_is_an_entropy_bonus": "false",
    "a_tokens_kl_changes_its_own_reward_only": "true",
    "k3_varies_less_when_policies_are_near": "true",
    "k2_is_close_to_kl_when_policies_are_near": "true",
    "k1_is_unbiased_on_samples_of_the_reference": "false",
    "zero_divergence_means_equal_policies": "true",
    "kl_is_symmetric": "false",
    "k3_is_zero_only_where_log_probs_agree": "true",
    "k3_explodes_where_the_reference_likes_more": "true",
    "summed_kl_of_a_response_is_never_negative": "false",
    "mean_of_k1_is_never_negative_in_the_long_run": "true",
    "kl_is_a_difference_of_probabilities": "false",
    "twice_the_probability_costs_the_same_everywhere": "true",
    "kl_makes_the_rewards_dense": "true",
    "kl_comes_off_before_the_advantages": "true",
    "longer_responses_pay_more_kl": "true",
    "larger_beta_is_better": "depends",
    "k3_is_better_than_k1": "depends",
    "kl_belongs_in_the_reward_rather_than_the_loss": "depends",
    "kl_penalty_is_needed": "depends",
    "gradient_flows_through_the_kl_in_the_reward": "false",
    "likelier_under_the_reference_means_more_reward": "true",
    "likelier_under_the_policy_means_more_reward": "false",
    "kl_penalty_reads_the_critic": "false",
    "kl_penalty_depends_on_gamma_or_lambda": "false",
    "negative_beta_pays_for_drifting": "true",
    "token_rewards_can_be_negative": "true",
    "kl_of_a_token_reaches_later_advantages": "false",
    "every_token_pays_the_mean_kl": "false",
    "a_token_pays_the_kl_so_far": "false",
    "penalty_is_multiplied_into_the_score": "false",
    "kl_penalty_changes_the_scores": "false",
    "estimators_agree_on_each_token": "false",
    "all_estimators_vanish_where_log_probs_agree": "true",
    "swapping_the_models_flips_k1": "true",
    "swapping_the_models_leaves_k2": "true",
    "k2_and_k3_agree_for_small_log_ratios": "true",
    "a_tokens_kl_penalty_is_bounded": "false",
    "beta_must_lie_between_zero_and_one": "false",
    "abs_is_never_negative": "true",
    "kl_grows_in_training": "depends",
    "kl_penalty_makes_training_stable": "depends",
    "kl_penalty_hurts_the_score": "depends",
    "adaptive_beta_is_better": "depends",
    "k3_takes_the_policy_over_the_reference": "false",
    "k2_is_the_full_square": "false",
    "kl_comes_from_the_reward_model": "false",
    "a_responses_summed_kl_is_the_divergence": "false",
    "too_small_a_beta_lets_the_score_be_gamed": "true",
    "kl_penalty_cancels_on_average": "false",
    "mean_reward_lies_below_the_mean_score": "true",
    "the_divergence_is_at_most_one": "false",
    "k3_varies_less_than_k1": "depends",
    "k3_never_pays_a_bonus": "true",
    "kl_is_a_ratio_of_probabilities": "false",
    "a_response_never_earns_more_than_its_score": "false",
    "kl_in_the_reward_has_no_effect_on_the_actor": "false",
    "the_kl_comes_off_the_reward": "depends",
    "rewards_equal_scores": "depends",
    "middle_rewards_are_zero": "depends",
    "the_last_reward_equals_the_score": "depends",
    "the_kl_changes_the_advantages": "depends",
    "the_returns_contain_the_kl": "depends",
    "the_kl_term_carries_a_gradient": "depends",
    "the_kl_reads_the_old_policy": "depends",
    "the_kl_is_charged_twice": "depends",
    "a_negative_kl_is_a_mistake": "depends",
    "the_kl_is_not_negative": "depends",
    "the_kl_estimate_is_unbiased": "depends",
    "the_kl_is_clamped": "depends",
    "swapping_the_models_flips_the_sign": "depends",
    "beta_changes_in_training": "depends",
    "a_larger_beta_lowers_a_tokens_reward": "depends",
    "a_responses_total_is_below_its_score": "depends",
    "kl_in_the_reward_changes_the_advantages": "true",
    "kl_in_the_loss_enters_the_returns": "false",
    "kl_in_the_loss_carries_a_gradient": "true",
    "kl_in_the_loss_reads_the_current_policy": "true",
    "without_kl_in_the_reward_middle_rewards_are_zero": "true",
    "an_adaptive_controller_changes_beta": "true",
    "a_larger_beta_lowers_the_rewards_where_k1_is_positive": "true",
    "a_larger_beta_lowers_every_reward": "false",
    "verl_clamps_k1": "false",
    "kl_always_grows_in_training": "false",
    "kl_penalty_always_hurts_the_score": "false",
    "kl_compares_distributions_and_not_weights": "true",
    "only_k1_in_the_reward_has_the_gradient_of_kl": "true",
    "k3_times_the_ratio_has_the_gradient_of_kl": "true",
    "full_vocabulary_kl_has_no_sampling_noise": "true",
    "minus_one_in_k3_is_for_the_value": "true",
    "sampling_settings_can_turn_the_mean_k1_negative": "true",
    "logged_kl_is_a_sum_or_a_mean": "true",
    "kl_in_the_reward_favours_short_answers": "true",
    "score_on_every_token_favours_long_answers": "true",
    "beta_is_read_against_the_scores": "true",
}
GIVEN = {
    "kl_list": {"scores": [0, 0, 1], "kl_values": [0.2, -0.1, 0.05], "beta": 0.5},
    "logs": {"scores": [0, 0, 1], "logp": [-0.6, -0.2, -0.9], "ref_logp": [-0.5, -0.4, -0.9], "beta": 0.1},
    "k3": {"scores": [0, 1], "logp": [-0.6, -0.2], "ref_logp": [-0.5, -0.4], "beta": 0.1, "kl": "k3"},
    "logs_only": {"logp": [-1.2, -0.3], "ref_logp": [-0.9, -0.8]},
    "kl_only": {"kl_values": [0.1, 0.2]},
    "one_token": {"scores": [1], "kl_values": [0.3]},
    "one_token_logs": {"scores": [1], "logp": [-0.3], "ref_logp": [-0.1]},
    "zeros": {"scores": [0, 0], "kl_values": [0, 0]},
    "beta_zero": {"scores": [0, 1], "kl_values": [0.3, -0.2], "beta": 0},
    "padded": {"scores": [0, 1, 0], "logp": [-0.3, -0.2, -5], "ref_logp": [-0.1, -0.4, -1], "mask": [1, 1, 0]},
    "hole": {"scores": [0, 0, 1], "kl_values": [0.3, 7, -0.2], "mask": [1, 0, 1]},
    "batch": {"scores": [[0, 1], [0, 0]], "logp": [[-0.3, -0.2], [-1, -2]], "ref_logp": [[-0.1, -0.4], [-1, -1]]},
    "long": {"scores": [0] * 63 + [1], "kl_values": [0.1, -0.1] * 32},
    "very_long": {"scores": [0] * 499 + [1], "logp": [-0.5] * 500, "ref_logp": [-0.4] * 500, "beta": 0.01},
}


def facts(name):
    return LESSON.show(completed(scenario(GIVEN[name]))[0]).facts.numbers


def test_the_learners_example():
    found = LESSON.show(RUNNING).facts.numbers
    assert found["rewards"] == pytest.approx([-0.01, -0.005, 0.005, -0.01, -0.02, 0.995])
    assert found["lowest"] == 2
    assert found["lowest_gain"] == pytest.approx(0.005)


def test_log_probabilities():
    found = facts("logs")
    log_ratio = [-0.1, 0.2, 0.0]
    assert found["k1"] == pytest.approx(log_ratio)
    assert found["k2"] == pytest.approx([d * d / 2 for d in log_ratio])
    assert found["k3"] == pytest.approx([math.exp(-d) + d - 1 for d in log_ratio])
    assert found["rewards"] == pytest.approx([0.01, -0.02, 1.0])
    assert found["reward_total"] == pytest.approx(0.99)


def test_the_chosen_estimator_is_the_one_taken_off():
    found = facts("k3")
    assert found["kl"] == pytest.approx(found["k3"])
    assert found["rewards"] == pytest.approx([s - 0.1 * k for s, k in zip([0, 1], found["k3"], strict=True)])


def test_the_vocabulary_by_enumeration():
    found = facts("kl_only")["constants"]
    p, q = found["policy"], found["reference"]
    assert sum(p) == pytest.approx(1) and sum(q) == pytest.approx(1)
    divergence = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    assert found["divergence"] == pytest.approx(divergence)
    assert found["mean"]["k1"] == pytest.approx(divergence)
    assert found["mean"]["k3"] == pytest.approx(divergence)
    assert abs(found["mean"]["k2"] - divergence) > 1e-3
    assert found["mean"]["abs"] > divergence


def test_the_pull_of_kl_in_the_reward_is_the_gradient_of_the_divergence():
    found = facts("kl_only")["constants"]
    p, q = found["policy"], found["reference"]

    def divergence(logits):
        total = sum(math.exp(z) for z in logits)
        return sum(math.exp(z) / total * math.log(math.exp(z) / total / b) for z, b in zip(logits, q, strict=True))

    start, h = [math.log(a) for a in p], 1e-6
    for b in range(len(p)):
        up, down = ([z + (h if i == b else 0) * sign for i, z in enumerate(start)] for sign in (1, -1))
        slope = (divergence(up) - divergence(down)) / (2 * h)
        assert found["in_reward"][b] == pytest.approx(slope, abs=1e-8)
        assert found["k2_in_loss"][b] == pytest.approx(slope, abs=1e-8)
        assert found["k1_in_loss"][b] == pytest.approx(0, abs=1e-12)
        assert found["k3_in_loss"][b] == pytest.approx(p[b] - q[b])


def test_the_sweep_over_beta():
    found = facts("kl_list")["grid"]
    for beta, total in zip(found["beta"], found["reward_total"], strict=True):
        assert total == pytest.approx(1 - beta * 0.15)


def test_what_is_missing_is_named():
    for given in ({"scores": [0, 1]}, {"logp": [-1, -1], "scores": [0, 1]}, {"rewards": [0, 1]}):
        with pytest.raises(EngineError, match="missing"):
            LESSON.show(completed(scenario(given))[0])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    found = pages(LESSON, GIVEN[name])
    assert all(found.values())
    assert "nan" not in "".join(found.values()).lower().replace("financ", "")
