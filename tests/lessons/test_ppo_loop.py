"""ppo_loop: the fields of the rollout and what is logged, by hand; the learner's own iteration."""

from __future__ import annotations

import math
import statistics

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import policies

ID = "ppo_loop"
VERDICTS = {
    "epochs_sample_new_responses": "false",
    "sampling_needs_gradients": "false",
    "critic_update_serves_the_next_batch": "true",
    "old_log_probs_stay": "true",
    "critic_puts_out_one_number": "true",
    "sampling_comes_first": "true",
    "actor_and_critic_are_trained": "true",
    "reference_generates": "false",
    "reward_by_token_critic_once": "false",
    "values_are_renewed": "false",
    "critic_puts_out_advantages": "false",
    "actor_runs_once": "false",
    "resampled_every_step": "false",
    "a_rule_can_score": "true",
    "all_of_one_shape": "true",
    "first_step_is_quiet": "true",
    "generation_gives_old_log_probs": "depends",
    "old_log_probs_follow_every_step": "false",
    "reward_must_be_differentiable": "false",
    "value_loss_trains_the_actor": "false",
    "policy_loss_trains_the_critic": "false",
    "kl_then_gae_then_whitening": "true",
    "one_gradient_step_per_batch": "depends",
    "prompt_tokens_are_trained": "false",
    "policy_loss_shows_progress": "false",
    "vpreds_are_values": "depends",
    "actor_gets_raw_advantages": "false",
    "order_of_actor_and_critic_update_matters": "false",
    "critic_is_the_reward_model": "false",
    "score_stands_at_the_last_token": "true",
    "critic_reads_rewards_as_input": "false",
    "actor_loss_reads_values": "false",
    "actor_loss_reads_scores": "false",
    "critic_loss_reads_advantages": "false",
    "critic_loss_takes_the_ratio": "false",
    "gae_uses_values_from_before_the_update": "true",
    "critic_runs_again_in_the_update": "true",
    "steps_are_epochs_times_minibatches": "true",
    "larger_batch_means_more_mini_steps": "true",
    "ppo_is_on_policy": "true",
    "always_needs_four_models": "false",
    "responses_must_have_equal_length": "false",
    "advantages_need_no_model_run": "true",
    "first_critic_loss_is_zero": "false",
    "first_critic_loss_is_half_the_squared_advantage": "true",
    "policy_update_needs_a_critic": "false",
    "advantages_are_made_per_minibatch": "false",
    "order_of_critic_and_reference_passes_matters": "false",
    "returns_and_advantages_come_from_one_pass": "true",
    "padding_gets_no_gradient": "true",
    "advantages_can_be_made_before_scoring": "false",
    "critic_is_trained_at_the_last_token_only": "false",
    "actor_is_trained_at_the_last_token_only": "false",
    "high_score_always_pushes_up": "false",
    "the_two_losses_do_not_touch_each_other": "true",
    "advantages_stay_fixed_in_the_iteration": "true",
    "rewards_stay_fixed_in_the_iteration": "true",
    "old_policy_needs_a_copy_of_the_model": "false",
    "more_epochs_are_always_better": "false",
    "data_grow_stale_with_every_update": "true",
    "more_epochs_are_better": "depends",
    "keeping_the_critic_is_better": "depends",
    "smaller_minibatches_are_better": "depends",
    "gae_may_wait_for_the_critic_update": "false",
    "critic_is_trained_towards_advantages": "false",
    "actor_loss_is_for_the_critic_and_the_reverse": "false",
    "kl_may_be_taken_off_after_gae": "false",
    "new_log_probs_are_the_stored_ones": "false",
    "scoring_needs_the_critic": "false",
    "one_summed_loss_does_the_same": "true",
    "score_is_known_on_the_way": "false",
    "actor_may_be_updated_before_the_advantages": "false",
    "score_and_kl_can_come_in_any_order": "true",
    "larger_minibatches_mean_fewer_steps": "true",
    "actor_loss_reads_returns": "false",
    "critic_loss_reads_rewards": "false",
    "more_responses_in_a_batch_are_better": "depends",
    "the_next_old_policy_is_the_updated_actor": "true",
    "critic_can_be_trained_without_scores": "false",
    "end_token_is_trained_like_any_other": "true",
    "first_token_is_not_trained": "false",
    "push_is_proportional_to_the_advantage": "true",
    "all_tokens_of_a_response_are_pushed_alike": "false",
    "a_target_network_is_needed": "false",
    "more_critic_steps_are_better": "depends",
    "reusing_samples_is_harmful": "depends",
    "actor_puts_out_values": "false",
    "reward_model_puts_out_values": "false",
    "reward_model_puts_out_returns": "false",
    "critic_puts_out_log_probs": "false",
    "actor_update_reads_log_probs_and_advantages_only": "true",
    "critic_update_reads_values_and_returns_only": "true",
    "micro_batches_change_the_step": "false",
    "updates_happen_at_every_token": "false",
    "several_responses_to_a_prompt_are_needed": "false",
    "ratio_is_one_in_the_update": "depends",
    "ratio_stays_one_through_the_update": "false",
    "no_token_is_clipped_in_the_update": "depends",
    "policy_loss_is_zero": "depends",
    "high_score_pushes_the_response_up": "depends",
    "the_loop_runs_a_reference": "depends",
    "one_epoch_keeps_every_ratio_at_one": "depends",
    "larger_batch_means_more_steps": "depends",
    "four_models_are_loaded": "depends",
    "reference_puts_out_log_probs_only": "true",
    "critic_values_change": "depends",
    "critic_may_share_the_actors_body": "true",
    "ppo_for_language_models_in_one_sentence": "true",
    "each_model_puts_out_its_own_numbers": "true",
    "on_policy_is_a_matter_of_updates_per_rollout": "true",
    "ppo_mini_batch_size_counts_prompts": "true",
    "number_of_devices_leaves_the_number_of_steps": "true",
    "one_gradient_norm_couples_actor_and_critic": "true",
    "old_rollouts_may_not_simply_be_replayed": "true",
}


def _facts(**given):
    return lessons()[ID].show(policies.made(given)).facts.numbers


def test_the_updates_by_hand():
    found = _facts()
    ratio = [math.exp(new - old) for new, old in zip(RUNNING.new_logp, RUNNING.logp, strict=True)]
    terms = [min(r * a, min(max(r, 0.8), 1.2) * a) for r, a in zip(ratio, found["whitened"], strict=True)]
    assert found["after"]["pg_loss"] == pytest.approx(-statistics.mean(terms))
    assert found["after"]["approx_kl"] == pytest.approx(
        statistics.mean(old - new for new, old in zip(RUNNING.new_logp, RUNNING.logp, strict=True))
    )
    errors = []
    for v, old, r in zip(RUNNING.vpreds, RUNNING.values, found["returns"], strict=True):
        errors.append(max((v - r) ** 2, (min(max(v, old - 0.2), old + 0.2) - r) ** 2))
    assert found["after"]["vf_loss"] == pytest.approx(statistics.mean(errors) / 2)


def test_the_first_mini_step():
    first = _facts()["first"]
    assert first["ratio"] == [1] * 6
    assert first["pg_loss"] == pytest.approx(0, abs=1e-12)
    assert first["pg_clipfrac"] == first["approx_kl"] == first["vf_clipfrac"] == 0


def test_the_learners_iteration():
    """Transcript 004, with the numbers that its table should have had."""
    found = _facts(
        old_logp=[-0.12, -0.08, -0.15, -0.10, -0.05, -0.02],
        ref_logp=[-0.15, -0.10, -0.18, -0.12, -0.08, -0.03],
        values=[0.82, 0.85, 0.88, 0.90, 0.92, 0.95],
        scores=[0, 0, 0, 0, 0, 1],
        beta=0.01,
        gamma=1,
        lam=0.95,
    )
    assert found["rewards"] == pytest.approx([-0.0003, -0.0002, -0.0003, -0.0002, -0.0003, 0.9999])
    assert found["advantages"] == pytest.approx([0.155568, 0.132492, 0.108097, 0.09305, 0.077105, 0.0499], abs=1e-6)


@pytest.mark.parametrize("given", [{"rewards": [0, 1]}, {"values": [0, 1]}, {"old_logp": [-1, -2]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _facts(**given)


def test_pages():
    scored = {"rewards": [0, -0.1, 1], "values": [0.5, 0.6, 0.9]}
    cases = {
        "the running example": {},
        "learners": {**policies.MOVED["from scores"]},
        "from rewards": policies.MOVED["from rewards"],
        "no policy": scored,
        "padding": {**scored, "mask": [1, 1, 0]},
        "one real token": {**scored, "mask": [0, 1, 0]},
        "a hole": {**scored, "mask": [1, 0, 1]},
        "one token": {"rewards": [1], "values": [0.5], "logp": [-1], "ref_logp": [-1]},
        "a batch": {"rewards": [[0, 1], [1, 0]], "values": [[0.2, 0.3], [0.4, 0.1]], "gamma": 0.9},
        "a batch with a policy": {
            "scores": [[0, 1], [0, 0]],
            "values": [[0.2, 0.3], [0.4, 0.1]],
            "logp": [[-1, -2], [-1, -1]],
            "ref_logp": [[-1, -1], [-2, -1]],
            "mask": [[1, 1], [1, 0]],
        },
        "sixty-four": {"rewards": [0.01] * 64, "values": [0.3] * 64},
        "five hundred": {"rewards": [0.01] * 500, "values": [0.3 - t / 1000 for t in range(500)]},
        "zeros": {"rewards": [0, 0], "values": [0, 0], "gamma": 0, "lam": 0},
    }
    policies.check_pages(ID, cases)


def test_propositions():
    policies.check_propositions(ID, VERDICTS)
