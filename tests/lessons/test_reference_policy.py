"""reference_policy: what moves with which policy, measured, and where the reference is not."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import policies

ID = "reference_policy"
VERDICTS = {
    "copy_has_no_kl": "true",
    "reference_changes_the_advantages": "depends",
    "ratio_uses_reference": "false",
    "old_is_reference": "false",
    "reference_follows_the_actor": "false",
    "reference_only_in_kl": "true",
    "gae_reads_reference": "false",
    "critic_reads_reference": "false",
    "clip_ties_to_reference": "false",
    "reaches_actor_through_advantages": "true",
    "unneeded_without_coefficients": "true",
    "both_switches_charge_twice": "true",
    "no_advantage_without_reference": "false",
    "reference_is_the_reward_model": "false",
    "larger_beta_pulls_harder": "true",
    "kl_is_zero_at_the_start": "true",
    "one_number_per_token": "true",
    "reference_runs_every_step": "false",
    "reward_kl_reads_old_loss_kl_reads_new": "true",
    "ratio_one_means_reference": "false",
    "clip_makes_kl_unnecessary": "false",
    "smaller_kl_is_always_better": "false",
    "less_likely_than_reference_earns_a_bonus": "true",
    "penalty_depends_on_the_score": "false",
    "training_updates_the_reference": "false",
    "there_are_three_sets_of_log_probs": "true",
    "old_moves_on_reference_stays": "true",
    "reference_gives_values": "false",
    "reference_scores_the_actors_tokens": "true",
    "kl_loss_reads_the_reference_directly": "true",
    "kl_in_reward_has_a_gradient_of_its_own": "false",
    "kl_in_reward_reaches_earlier_tokens": "true",
    "kl_in_loss_reaches_earlier_tokens": "false",
    "group_advantages_read_the_reference": "false",
    "kl_loss_is_at_rest_at_the_reference": "true",
    "keeps_the_policy_from_running_away": "true",
    "larger_beta_is_always_better": "false",
    "huge_beta_freezes_the_policy": "true",
    "kl_in_reward_moves_the_returns": "true",
    "trl_puts_the_kl_in_the_reward": "true",
    "all_three_agree_at_the_very_start": "true",
    "distance_to_old_and_to_reference_differ": "true",
    "clip_limits_a_step_kl_the_whole_way": "true",
    "reward_kl_is_renewed_every_step": "false",
    "a_constant_that_can_be_dropped": "false",
    "larger_kl_lowers_the_reward": "true",
    "total_charge_is_beta_times_total_kl": "true",
    "likelier_than_reference_is_charged": "true",
    "kl_in_reward_and_in_loss_are_equivalent": "false",
    "kl_to_reference_is_an_entropy_bonus": "false",
    "kl_to_reference_is_symmetric": "false",
    "clip_fraction_ignores_the_reference": "true",
    "doubling_beta_doubles_the_charge": "true",
    "reference_is_needed": "depends",
    "larger_beta_is_better": "depends",
    "kl_in_loss_is_better_than_in_reward": "depends",
    "reference_should_be_renewed": "depends",
    "kl_is_a_difference_of_probabilities": "false",
    "kl_is_reference_minus_policy": "false",
    "kl_is_added_to_the_reward": "false",
    "last_token_pays_no_kl": "false",
    "old_policy_can_serve_as_reference": "false",
    "reference_is_the_starting_policy": "true",
    "kl_penalty_is_a_hard_limit": "false",
    "doubling_the_scores_is_like_halving_beta": "true",
    "without_kl_the_optimum_is_greedy": "true",
    "zero_reference_probability_costs_without_limit": "true",
    "whitening_reads_the_reference": "false",
    "a_large_kl_is_a_bad_sign": "depends",
    "a_stronger_reference_is_better": "depends",
    "every_token_has_the_same_kl_to_the_reference": "false",
    "ref_log_prob_is_a_probability": "false",
    "reference_moves_only_the_last_reward": "false",
    "likely_under_the_reference_means_good": "false",
    "a_constant_on_the_scores_moves_the_best_policy": "false",
    "old_policy_moves_within_an_iteration": "false",
    "renewing_the_reference_resets_the_kl": "true",
    "ref_log_prob_covers_the_prompt": "false",
    "a_large_kl_at_a_token_means_a_bad_token": "false",
    "ref_log_prob_enters_the_actors_loss": "depends",
    "ref_log_prob_always_enters_the_actors_loss": "false",
    "ppo_has_to_load_a_reference": "depends",
    "reference_changes_rewards_and_returns": "depends",
    "old_and_ref_log_probs_are_equal": "depends",
    "old_and_ref_log_probs_are_always_equal": "false",
    "policy_equals_the_reference": "depends",
    "policy_always_equals_the_reference": "false",
    "policy_can_equal_the_reference": "true",
    "a_tokens_kl_reaches_earlier_tokens": "depends",
    "policy_stays_near_the_reference": "depends",
    "policy_likes_the_token_more_than_the_reference": "depends",
    "group_methods_use_a_reference": "depends",
    "farther_from_the_reference_than_from_the_old_policy": "depends",
    "kl_loss_pushes_the_token_down": "depends",
    "kl_loss_pushes_down_what_is_likelier": "true",
    "ppo_always_has_to_load_a_reference": "false",
    "reference_always_changes_rewards_and_returns": "false",
    "reference_always_changes_the_advantages": "false",
    "reference_can_change_the_advantages": "true",
    "a_tokens_kl_always_reaches_earlier_tokens": "false",
    "policy_always_stays_near_the_reference": "false",
    "policy_always_likes_the_token_more": "false",
    "group_methods_always_use_a_reference": "false",
    "group_methods_can_use_a_reference": "true",
    "kl_loss_always_pushes_the_token_down": "false",
    "lora_reference_is_the_model_with_the_adapter_off": "true",
    "kl_of_the_policy_seeks_modes": "true",
    "kl_that_stays_exactly_zero_shows_no_update": "true",
}


def _shown(**given):
    return lessons()[ID].show(policies.made(given))


def test_the_slopes_by_hand():
    found = _shown().facts.numbers
    ratios = found["ratio"]
    assert found["by_reference"]["kl"] == pytest.approx(-6)
    assert found["by_reference"]["rewards"] == pytest.approx(0.1 * 6)
    assert found["by_new"]["ratio"] == pytest.approx(sum(ratios))
    assert found["by_new"]["objectives"] == pytest.approx(sum(found["objectives"]))
    weights = [sum(0.95**k for k in range(6 - t)) for t in range(6)]  # Σ (γλ)^k over what is left
    assert found["by_reference"]["advantages"] == pytest.approx(0.1 * sum(weights))


def test_what_the_reference_does_not_enter_has_no_slope_by_it():
    for given in policies.MOVED.values():
        found = lessons()[ID].show(policies.made(given)).facts.numbers
        assert found["by_reference"]["ratio"] == 0
        assert found["by_reference"].get("objectives", 0) == 0
        assert found["by_new"]["kl"] == 0
        assert found["by_new"].get("advantages", 0) == 0
        assert found["by_old"]["kl_in_loss"] == 0


def test_the_mistake_is_the_transcripts():
    """004-q3-07: the mean of ρA with the reference below is 0.0751, with the old policy 0.0733."""
    given = {
        "old_logp": [-0.12, -0.08, -0.15, -0.10, -0.05, -0.02],
        "ref_logp": [-0.15, -0.10, -0.18, -0.12, -0.08, -0.03],
        "advantages": [0.13, 0.10, 0.08, 0.05, 0.03, 0.05],
    }
    shown = _shown(**given)
    right, wrong = (
        sum(facts.numbers["objectives"]) / 6 for facts in (shown.facts, shown.mistakes["ratio_to_reference"])
    )
    assert (right, wrong) == (pytest.approx(0.0733, abs=5e-5), pytest.approx(0.07514, abs=5e-6))


@pytest.mark.parametrize("given", [{"old_logp": [-1, -2], "advantages": [1, 2]}, {"ref_logp": [-1, -2]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _shown(**given)


def test_scores_count_and_not_the_rewards_that_were_made_of_them():
    found = _shown(**RUNNING.merged({"rewards": [-0.01, -0.005, 0.005, -0.01, -0.02, 0.995]}).given()).facts.numbers
    assert found["by_reference"]["rewards"] == pytest.approx(0.6)


def test_pages():
    policies.check_pages(ID, policies.MOVED)


def test_propositions():
    policies.check_propositions(ID, VERDICTS)
