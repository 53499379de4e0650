"""Credit assignment: the facts against powers of γλ, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["credit_assignment"]
VERDICTS = {
    "weights_add_up_to_one": "false",
    "last_reward_counts_gamma_lambda_power": "true",
    "advantage_is_the_share_of_the_reward": "false",
    "must_be_computed_backwards": "false",
    "reward_is_divided_equally": "false",
    "later_tokens_earn_more": "false",
    "same_weight_at_lambda_one": "true",
    "spreading_the_reward_changes_nothing": "false",
    "grpo_tells_no_tokens_apart": "true",
    "finds_the_cause": "false",
    "reward_moves_later_advantages": "false",
    "nothing_for_early_tokens_without_gae": "false",
    "critic_has_no_part": "false",
    "smaller_lambda_gives_early_tokens_less": "true",
    "longer_responses_dilute_the_final_reward": "depends",
    "credit_goes_where_the_value_jumps": "true",
    "step_rewards_make_gae_unnecessary": "false",
    "later_tokens_pay_for_an_early_mistake": "false",
    "good_answer_makes_every_advantage_positive": "false",
    "last_token_gets_the_largest_advantage": "false",
    "total_weight_grows_with_lambda": "true",
    "larger_weight_means_larger_advantage": "false",
    "foreseen_success_is_still_praised": "false",
    "no_critic_at_lambda_one_gives_equal_credit": "true",
    "same_word_gets_the_same_credit": "false",
    "failure_makes_every_advantage_negative": "false",
    "lambda_zero_credits_only_the_own_step": "true",
    "early_token_is_credited_with_later_surprises": "true",
    "order_of_computation_decides_the_credit": "false",
    "backward_order_is_for_speed": "true",
    "tokens_without_reward_get_no_credit": "false",
    "a_reward_affects_its_own_token_only": "false",
    "any_reward_fades_backwards_by_gamma_lambda": "true",
    "lambda_one_splits_the_reward_equally": "false",
    "equal_shares_add_up_to_the_reward": "true",
    "a_constant_critic_credits_by_distance_alone": "true",
    "irrelevant_token_gets_nothing_on_average": "true",
    "at_lambda_zero_an_irrelevant_token_gets_exactly_nothing": "true",
    "smaller_lambda_keeps_later_luck_out": "true",
    "ppo_gives_all_tokens_one_advantage": "false",
    "score_on_eos_credits_eos_only": "false",
    "every_token_is_credited_with_the_whole_return": "false",
    "tokens_after_eos_get_credit": "false",
    "prompt_tokens_get_credit": "false",
    "a_tokens_kl_cost_reaches_earlier_tokens": "true",
    "advantage_tells_what_deleting_the_token_would_do": "false",
    "negative_advantage_means_a_bad_token": "false",
    "tokens_and_probabilities_enter_the_credit": "false",
    "values_place_the_credit_and_rewards_settle_its_total": "true",
    "penalty_for_a_late_mistake_reaches_early_tokens": "true",
    "same_response_same_credit_under_any_critic": "false",
    "longest_reach_is_set_by_gamma_lambda": "true",
    "credit_by_token_is_better_than_one_for_the_response": "depends",
    "tokens_cannot_be_told_apart_without_a_critic": "depends",
    "first_token_hears_the_final_reward_most": "false",
    "a_falling_value_means_a_negative_advantage": "depends",
    "lambda_one_gives_better_credit": "depends",
    "zero_advantage_means_the_token_did_not_matter": "false",
    "an_expected_success_earns_less_credit": "true",
    "it_does_not_matter_which_token_carries_the_reward": "false",
    "credit_comes_from_the_reward_model": "false",
    "monte_carlo_assigns_no_credit": "false",
    "only_lambda_makes_credit_fade": "false",
    "credit_assignment_is_finding_the_deserving_tokens": "true",
    "one_response_mixes_praise_and_blame": "true",
    "credit_is_a_zero_sum_game": "false",
    "step_rewards_assign_credit_better": "depends",
    "sparse_rewards_make_credit_hard": "depends",
    "kl_penalty_is_shared_equally_among_tokens": "false",
    "a_bad_outcome_blames_all_tokens_alike": "false",
    "a_tokens_update_uses_its_own_advantage": "true",
    "small_lambda_leaves_credit_to_the_critic": "true",
    "token_level_credit_needs_token_level_rewards": "false",
    "lambda_zero_leaves_early_tokens_without_credit": "false",
    "token_level_credit_is_needed": "depends",
    "gae_is_the_only_way_to_assign_credit": "false",
    "spreading_the_reward_keeps_the_total_return": "true",
    "copying_the_score_to_every_token_is_lambda_one": "false",
    "credit_is_as_good_as_the_critic": "true",
    "long_responses_make_credit_harder": "depends",
    "with_an_exact_critic_delta_is_the_true_credit": "true",
    "step_and_outcome_rewards_can_be_combined": "true",
    "observation_tokens_get_credit": "false",
    "the_score_alone_settles_the_credit": "false",
    "a_right_answer_makes_every_token_likelier": "false",
    "credit_is_assigned_while_writing": "false",
    "credit_is_assigned_anew_in_every_epoch": "false",
    "first_token_gets_the_largest_advantage": "false",
    "an_advantage_never_exceeds_the_reward": "false",
    "final_reward_weighs_the_same_in_every_advantage": "depends",
    "final_reward_always_weighs_the_same": "false",
    "below_one_the_final_reward_weighs_less_in_earlier_advantages": "true",
    "at_lambda_zero_the_final_reward_moves_the_last_advantage_alone": "true",
    "credit_goes_to_the_deserving_token": "depends",
    "spreading_the_score_evenly_is_a_good_way": "depends",
    "the_last_advantage_is_the_largest": "depends",
    "the_first_advantage_is_the_largest": "depends",
    "a_rising_value_means_a_positive_advantage": "depends",
    "a_positive_reward_means_a_positive_advantage": "depends",
    "moving_the_score_changes_the_first_advantage": "depends",
    "a_right_answer_is_praised": "depends",
    "a_wrong_answer_is_blamed": "depends",
    "tokens_of_an_answer_share_one_advantage": "depends",
    "a_wrong_token_is_blamed": "depends",
    "credit_always_goes_to_the_deserving_token": "false",
    "credit_can_go_to_the_deserving_token": "true",
    "an_exact_critic_at_lambda_zero_credits_the_deciding_token": "true",
    "an_even_split_is_always_fair": "false",
    "an_even_split_can_be_fair": "true",
    "a_rising_value_always_means_a_positive_advantage": "false",
    "at_lambda_zero_a_rising_value_is_a_positive_advantage": "true",
    "a_positive_reward_always_means_a_positive_advantage": "false",
    "the_last_advantage_is_positive_where_the_reward_beats_the_value": "true",
    "moving_the_score_leaves_the_first_advantage_at_gamma_lambda_one": "true",
    "moving_the_score_changes_the_first_advantage_below_one": "true",
    "a_wrong_token_is_always_blamed": "false",
    "a_wrong_token_can_be_blamed": "true",
    "a_falling_value_always_means_a_negative_advantage": "false",
    "tokens_can_never_be_told_apart_without_a_critic": "false",
    "sparse_rewards_always_make_credit_hard": "false",
    "step_rewards_always_assign_credit_better": "false",
    "an_advantage_for_every_token_is_an_assignment_of_credit": "true",
    "news_over_its_own_sum_gives_no_shares": "true",
}


def test_the_running_example():
    found = LESSON.show(shapes()["running"]).facts.numbers
    weights = [0.773781, 0.814506, 0.857375, 0.9025, 0.95, 1.0]
    assert found["last_reward_weights"] == pytest.approx(weights, abs=1e-6)
    assert found["last_reward_weight_sum"] == pytest.approx(5.298162, abs=1e-6)
    assert sum(found["last_reward_shares"]) == pytest.approx(0.995)
    assert sum(found["last_reward_late_shares"]) == pytest.approx(0.995)


@pytest.mark.parametrize("name", [name for name in GIVEN if name != "one_token"])
def test_the_weights_are_the_last_column(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    weights = found["last_reward_weights"]
    assert weights == pytest.approx([(case.gamma * case.lam) ** k for k in reversed(range(len(weights)))])
    if len(weights) <= 24:
        assert weights == pytest.approx([row[-1] for row in found["advantages_by_reward"]])


def test_without_values_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(completed(scenario({"rewards": [0, 1]}))[0])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_a_single_real_token_among_padding_has_its_pages():
    assert all(pages(LESSON, {"rewards": [1, 5], "values": [0.5, 9], "mask": [1, 0]}).values())


def test_what_is_said_of_the_weights_fits_them():
    told = {name: pages(LESSON, GIVEN[name])["plain", "en"] for name in GIVEN}
    assert "counts for its own token only" in told["lam_zero"]
    assert "equally dark" in told["lam_one"]
    assert "nothing to spread" in told["one_token"]
