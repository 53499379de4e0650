"""token_pipeline: six lists, by the definitions; the order of the stages; what learners claim of them."""

from __future__ import annotations

import statistics

import pytest

from engine.errors import EngineError
from engine.example import BOTH, RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons import everywhere

ID = "token_pipeline"
VERDICTS = {
    "apply_kl_penalty_makes_the_rewards": "true",
    "scores_are_made_from_rewards": "false",
    "all_token_rewards_are_equal": "false",
    "the_last_token_pays_no_kl": "false",
    "advantages_are_filled_forwards": "false",
    "advantages_come_from_the_critic": "false",
    "returns_can_fall_below_the_values": "true",
    "kl_in_the_reward_takes_the_reference": "true",
    "all_tokens_have_the_same_advantage": "depends",
    "one_wrong_value_spoils_earlier_advantages": "depends",
    "a_larger_beta_lowers_the_advantages": "depends",
    "rewards_and_scores_hold_the_same_numbers": "depends",
    "rewards_always_equal_the_scores": "false",
    "kl_bears_on_the_advantages": "depends",
    "a_higher_score_moves_the_first_advantage": "depends",
    "the_score_fades_on_its_way_back": "depends",
    "returns_exceed_the_values": "depends",
    "a_right_answer_has_positive_advantages": "depends",
    "a_wrong_answer_has_negative_advantages": "depends",
    "the_last_advantage_is_the_largest": "depends",
    "a_larger_beta_lowers_the_reward": "depends",
    "rewards_need_the_reference_model": "depends",
    "beta_changes_this_batchs_values": "false",
    "advantages_are_whitened_returns": "false",
    "middle_rewards_are_zero": "depends",
    "without_kl_only_the_last_reward_is_left": "true",
    "every_list_has_one_number_a_token": "true",
    "only_the_last_token_is_scored": "true",
    "rewards_are_scores_less_kl": "true",
    "unscored_tokens_learn_nothing": "false",
    "advantage_is_the_reward": "false",
    "returns_are_advantage_plus_value": "true",
    "returns_use_whitened_advantages": "false",
    "values_enter_the_rewards": "false",
    "every_token_has_a_reward": "true",
    "actor_gets_whitened_and_critic_raw": "true",
    "rewards_are_whitened_before_gae": "false",
    "token_rewards_add_up_to_the_score": "false",
    "every_list_has_one_entry_per_response_token": "true",
    "kl_penalty_reaches_the_advantages": "true",
    "advantages_wait_for_the_whole_response": "true",
    "prompt_tokens_get_advantages": "false",
    "actor_multiplies_ratio_by_reward": "false",
    "position_of_the_score_does_not_matter": "false",
    "pipeline_runs_without_values": "false",
    "gae_function_returns_whitened_advantages": "true",
    "actor_is_given_the_deltas": "false",
    "lambda_changes_the_token_rewards": "false",
    "all_responses_have_equally_many_advantages": "false",
    "kl_could_be_taken_off_the_advantages": "false",
    "values_and_rewards_can_be_made_in_any_order": "true",
    "larger_beta_lowers_every_reward": "false",
    "doubling_the_rewards_doubles_the_advantages": "false",
    "doubling_rewards_and_values_doubles_the_advantages": "true",
    "a_higher_score_lifts_every_advantage": "true",
    "earlier_tokens_get_less_of_the_score": "true",
    "the_score_comes_from_the_critic": "false",
    "whitening_can_flip_a_sign": "true",
    "the_last_token_has_the_largest_advantage": "false",
    "token_rewards_add_up_to_score_less_kl": "true",
    "a_right_answer_makes_every_advantage_positive": "false",
    "a_wrong_answer_makes_every_advantage_negative": "false",
    "rewards_need_the_old_log_probs": "true",
    "rewards_change_during_the_update": "false",
    "advantages_are_computed_anew_in_every_mini_step": "false",
    "gamma_changes_the_token_rewards": "false",
    "lambda_changes_the_critics_targets": "true",
    "without_beta_rewards_are_the_scores": "true",
    "all_tokens_share_one_advantage": "false",
    "level_values_make_equal_advantages": "true",
    "scores_are_not_needed_once_rewards_are_there": "true",
    "padding_earns_rewards": "false",
    "critic_fits_the_token_rewards": "false",
    "critic_fits_the_advantages": "false",
    "actor_uses_the_returns": "false",
    "score_and_values_lifted_alike_leave_the_advantages": "true",
    "zero_score_means_zero_advantages": "false",
    "the_score_enters_every_token_reward": "false",
    "one_wrong_value_spoils_only_its_own_advantage": "false",
    "foreseen_rewards_make_advantages": "false",
    "zeros_on_the_way_mean_nothing_was_scored_there": "true",
    "later_value_errors_cancel_at_lambda_one": "true",
    "actor_gets_returns_and_critic_advantages": "false",
    "advantages_need_the_new_policy": "false",
    "advantages_depend_on_the_reference": "depends",
    "clip_range_changes_the_advantages": "false",
    "critic_step_changes_this_batchs_advantages": "false",
    "gae_runs_on_the_scores": "false",
    "rewards_are_made_from_advantages": "false",
    "deltas_come_before_advantages": "true",
    "kl_is_charged_once_per_response": "false",
    "longer_responses_pay_more_kl": "depends",
    "rewards_are_scores_while_policy_is_the_reference": "true",
    "last_reward_is_the_score": "depends",
    "advantages_add_up_to_the_score": "false",
    "values_come_from_the_actor": "false",
    "every_reward_has_the_scores_sign": "false",
    "largest_reward_has_the_largest_advantage": "false",
    "doubling_beta_doubles_the_kl_part": "true",
    "at_lambda_zero_the_score_stays_at_the_last_token": "true",
    "at_lambda_one_the_score_reaches_all_tokens_in_full": "true",
    "whitening_comes_last": "true",
    "the_score_needs_the_whole_response": "true",
    "earlier_advantages_are_larger": "depends",
    "all_returns_are_equal": "depends",
    "five_lists_each_made_of_those_before": "true",
}


def test_the_lists_by_their_definitions():
    found = lessons()[ID].show(RUNNING).facts.numbers
    rewards, deltas, advantages = _by_definition(0)
    both = [*advantages, *_by_definition(1)[2]]
    mean, std = statistics.mean(both), statistics.stdev(both)
    assert found["rewards"] == pytest.approx(rewards)
    assert found["deltas"] == pytest.approx(deltas)
    assert found["advantages"] == pytest.approx(advantages)
    assert found["returns"] == pytest.approx([a + v for a, v in zip(advantages, RUNNING.values, strict=True)])
    assert found["whitened"] == pytest.approx([(a - mean) / std for a in advantages], abs=1e-5)  # ε
    assert (found["mean"], found["responses"]) == (pytest.approx(mean), 2)


def _by_definition(i: int) -> tuple[list[float], list[float], list[float]]:
    """Rewards, δ and advantages of one of the example's responses."""
    rewards = [s - 0.1 * kl for s, kl in zip(BOTH.rows("scores")[i], BOTH.rows("kl_values")[i], strict=True)]
    values = [*BOTH.rows("values")[i], 0]
    deltas = [r + values[t + 1] - values[t] for t, r in enumerate(rewards)]
    return rewards, deltas, [sum(0.95**k * d for k, d in enumerate(deltas[t:])) for t in range(6)]


def test_verls_own_numbers():
    """SEMANTICS 1c: produced by the real package."""
    given = {"scores": [0, 0, 1], "logp": [-0.5, -0.7, -0.2], "ref_logp": [-0.6, -0.5, -0.3], "beta": 0.1}
    own = completed(scenario({**given, "values": [0.5, 0.6, 0.9], "gamma": 1, "lam": 0.95}))[0]
    found = lessons()[ID].show(own).facts.numbers
    assert found["kl"] == pytest.approx([0.1, -0.2, 0.1])
    assert found["rewards"] == pytest.approx([-0.01, 0.02, 0.99])
    assert found["advantages"] == pytest.approx([0.475225, 0.4055, 0.09])
    assert found["whitened"] == pytest.approx([0.738804, 0.399120, -1.137924], abs=1e-6)


def test_the_mistake_changes_only_the_critics_targets():
    shown = lessons()[ID].show(RUNNING)
    wrong = shown.mistakes["whiten_before_returns"].numbers
    assert wrong["advantages"] == pytest.approx(shown.facts.numbers["advantages"])
    expected = [a + v for a, v in zip(shown.facts.numbers["whitened"], RUNNING.values, strict=True)]
    assert wrong["returns"] == pytest.approx(expected)


@pytest.mark.parametrize("given", [{"rewards": [0, 1]}, {"scores": [0, 1], "values": [1, 1]}, {"values": [1, 2]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        lessons()[ID].show(completed(scenario(given))[0])


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID, VERDICTS)


def test_verdicts_follow_the_numbers():
    judge = {id: p.judge for id, p in lessons()[ID].facts.items()}
    scored = completed(scenario({"scores": [0.5, 1], "kl_values": [0, 0.1], "beta": 0.1, "values": [0, 0]}))[0]
    assert judge["only_the_last_token_is_scored"](scored, denied=False).verdict == "depends"
    silent = completed(scenario({"scores": [0, 1], "kl_values": [0, 0], "beta": 0.1, "values": [0, 0]}))[0]
    assert judge["every_token_has_a_reward"](silent, denied=False).verdict == "depends"
