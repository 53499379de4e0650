"""group_baselines: the learners' groups by hand, groups of equal scores, and what verl and the theorems say."""

from __future__ import annotations

import statistics

import pytest

from engine.errors import EngineError
from lessons._lesson import lessons
from prompts.tutor import Request, answer
from tests.lessons import policies

ID = "group_baselines"
VERDICTS = {
    "tokens_share_one_advantage": "true",
    "equal_scores_teach_nothing": "true",
    "grpo_is_gae_at_lambda_one": "false",
    "groups_need_a_critic": "false",
    "rloo_is_rescaled_mean_baseline": "true",
    "grpo_sums_to_zero": "true",
    "own_score_in_baseline_biases": "false",
    "grpo_uses_population_std": "false",
    "reinforce_plus_plus_takes_the_batch": "true",
    "no_critic_no_variance": "false",
    "two_responses_are_opposite": "true",
    "grpo_ignores_the_scale_of_scores": "true",
    "constant_added_to_scores_changes_grpo": "false",
    "wrong_answers_get_zero_advantage": "false",
    "rare_success_gets_larger_advantage": "true",
    "std_blows_up_tiny_differences": "true",
    "positive_score_means_positive_group_advantage": "false",
    "rloo_divides_by_the_std": "false",
    "rloo_baseline_contains_the_own_score": "false",
    "group_of_one_has_zero_advantage": "false",
    "grpo_keeps_the_order_of_scores": "true",
    "remax_subtracts_the_group_mean": "false",
    "lone_success_counts_less_in_a_larger_group": "false",
    "scores_of_other_prompts_enter_grpo": "false",
    "dr_grpo_divides_by_the_std": "false",
    "longer_response_gets_smaller_group_advantage": "false",
    "two_responses_always_get_the_same_grpo_pair": "true",
    "grpo_advantages_stay_within_one": "false",
    "larger_group_has_a_quieter_baseline": "true",
    "rloo_sums_to_zero": "true",
    "grpo_reads_no_gamma_or_lambda": "true",
    "group_mean_estimates_the_prompts_value": "true",
    "grpo_tells_good_tokens_from_bad": "false",
    "all_wrong_gets_negative_advantages": "false",
    "all_right_gets_positive_advantages": "false",
    "grpo_adds_epsilon_to_the_std": "true",
    "rloo_needs_at_least_two": "true",
    "std_gives_one_sided_prompts_more_weight": "true",
    "sequence_mean_gives_tokens_of_long_responses_less": "true",
    "token_mean_weighs_all_tokens_alike": "true",
    "reinforce_plus_plus_baseline_subtracts_the_group_mean": "true",
    "reinforce_plus_plus_needs_groups": "false",
    "grpo_is_standardising_within_the_group": "true",
    "centred_scores_are_monte_carlo_with_one_value": "true",
    "two_rloo_advantages_are_the_difference": "true",
    "rloo_is_larger_than_centred": "true",
    "rloo_approaches_centred_in_large_groups": "true",
    "above_the_group_mean_is_positive": "true",
    "score_at_the_mean_gets_zero": "true",
    "order_within_the_group_matters": "false",
    "grpo_needs_token_rewards": "false",
    "minus_one_or_zero_for_wrong_matters": "false",
    "without_baseline_it_is_biased": "false",
    "baseline_lowers_the_variance": "true",
    "grpo_does_without_ratio_and_clip": "false",
    "others_scores_change_my_advantage": "true",
    "failing_an_easy_prompt_costs_more": "true",
    "grpo_is_larger_than_rloo": "depends",
    "grpo_is_always_larger_than_rloo": "false",
    "grpo_is_better_than_ppo": "depends",
    "larger_group_is_better": "depends",
    "dividing_by_the_std_is_better": "depends",
    "rloo_is_better_than_grpo": "depends",
    "right_answers_always_get_the_same_advantage": "false",
    "grpo_mean_contains_the_own_score": "true",
    "token_advantages_of_a_group_sum_to_zero": "false",
    "equal_scores_give_nan": "false",
    "silent_groups_should_be_dropped": "depends",
    "group_statistics_are_taken_over_tokens": "false",
    "grpo_subtracts_the_median_or_the_best": "false",
    "grpo_subtracts_an_average_of_the_past": "false",
    "grpo_divides_by_the_variance": "false",
    "epsilon_beside_the_std_is_the_clip_range": "false",
    "answers_of_a_group_share_one_advantage": "false",
    "without_a_critic_there_is_no_baseline": "false",
    "lone_success_gets_one_in_rloo": "true",
    "grpo_returns_are_its_advantages": "true",
    "rloo_gradient_is_unbiased": "true",
    "grpo_gradient_is_unbiased": "false",
    "reinforce_plus_plus_needs_a_critic": "false",
    "best_of_the_group_is_always_pushed_up": "true",
    "grpo_and_rloo_agree_in_sign": "true",
    "grpo_and_rloo_give_the_same_numbers": "false",
    "group_advantage_is_the_raw_score": "false",
    "any_constant_baseline_keeps_the_mean_gradient": "true",
    "any_baseline_lowers_the_variance": "false",
    "right_answers_of_a_mixed_group_are_pushed_up": "true",
    "half_right_half_wrong_is_symmetric": "true",
    "right_and_wrong_are_always_pushed_equally_hard": "false",
    "group_methods_are_cheaper": "depends",
    "answers_tokens_share_one_advantage": "depends",
    "a_group_gives_a_gradient": "depends",
    "every_group_gives_a_gradient": "false",
    "right_is_pushed_up_and_wrong_down": "depends",
    "right_is_always_pushed_up_and_wrong_down": "false",
    "right_answer_can_get_zero": "true",
    "middling_score_is_pushed_up": "depends",
    "group_advantage_is_divided_by_the_std": "depends",
    "every_group_method_divides_by_the_std": "false",
    "group_advantages_scale_with_the_scores": "depends",
    "baseline_contains_the_own_score": "depends",
    "several_responses_per_prompt_are_needed": "depends",
    "long_responses_weigh_more": "depends",
    "long_responses_always_weigh_more": "false",
    "normalisation_stays_within_the_group": "depends",
    "right_answers_get_the_same_advantage": "depends",
    "critic_free_gradient_is_unbiased": "depends",
    "gamma_matters_without_a_critic": "depends",
    "right_and_wrong_are_pushed_equally_hard": "depends",
    "right_answers_advantage_is_above_one": "depends",
    "sample_std_gives_ones_for_half_and_half": "false",
    "population_std_gives_ones_for_half_and_half": "true",
    "tokens_always_share_one_advantage": "false",
    "group_advantages_always_scale_with_the_scores": "false",
    "baseline_always_contains_the_own_score": "false",
    "several_responses_are_always_needed": "false",
    "normalisation_always_stays_within_the_group": "false",
    "critic_free_gradient_is_always_unbiased": "false",
    "gamma_always_matters_without_a_critic": "false",
    "gamma_can_matter_without_a_critic": "true",
    "right_answers_advantage_is_always_above_one": "false",
    "right_answers_can_get_the_same_advantage": "true",
    "grpo_loss_starts_at_zero_and_becomes_the_kl": "true",
    "mean_of_a_groups_advantages_tells_nothing": "true",
    "dr_grpo_divides_by_a_constant_length": "true",
    "summed_scores_count_by_their_spread_in_the_group": "true",
    "groups_are_formed_by_prompt_before_shuffling": "true",
    "dropping_the_std_is_no_common_factor": "true",
    "mean_advantage_over_tokens_follows_the_lengths": "true",
    "process_rewards_are_normalised_over_the_group_and_summed_from_the_step_on": "true",
    "std_over_a_nested_list_is_the_same_number": "true",
    "grpos_own_loss_has_no_entropy_term": "true",
    "kl_taken_off_after_the_group_normalisation_is_another_penalty": "true",
}
GROUPS = {
    "the running example": {},
    "two": {"group_rewards": [1, 0]},
    "equal": {"group_rewards": [5, 5, 5, 5]},
    "negative": {"group_rewards": [-1, -2, -3.5]},
    "several": {"group_rewards": [[1, 0], [0.5, 0.5, 1], [0, 0]]},
    "many groups": {"group_rewards": [[k, k + 1, 0.5] for k in range(9)]},
    "one hundred": {"group_rewards": [(7 * k) % 11 / 10 for k in range(100)]},
    "a list that stands alone": {"rewards": [2, 3, 7]},
    "a batch of scores": {"scores": [[0, 0, 1], [0, 0, 0]], "mask": [[1, 1, 1], [1, 1, 0]]},
}


def _facts(**given):
    return lessons()[ID].show(policies.made(given)).facts.numbers


@pytest.mark.parametrize("scores", [[1, 0, 0, 1], [2, 3, 7], [0, 0, 1, 3], [0.2, 0.9, 0.4], [1, 0]])
def test_by_hand(scores):
    found = _facts(group_rewards=scores)
    mean, std, n = statistics.mean(scores), statistics.stdev(scores), len(scores)
    assert found["advantages"] == pytest.approx([(s - mean) / std for s in scores], rel=1e-5)
    assert found["advantages_population"] == pytest.approx(
        [(s - mean) / statistics.pstdev(scores) for s in scores], rel=1e-5
    )
    assert found["baselines"] == pytest.approx([(sum(scores) - s) / (n - 1) for s in scores])
    assert found["rloo_advantages"] == pytest.approx([n / (n - 1) * (s - mean) for s in scores])


def test_reinforce_plus_plus_takes_all_groups_together():
    groups = [[1, 0], [0.5, 0.5, 1]]
    found = _facts(group_rewards=groups)["reinforce_plus_plus"]
    scores = [score for group in groups for score in group]
    mean, std = statistics.mean(scores), statistics.stdev(scores)
    assert [len(row) for row in found] == [2, 3]
    assert [x for row in found for x in row] == pytest.approx([(s - mean) / std for s in scores])


def test_rows_of_a_batch_are_responses():
    found = _facts(scores=[[0, 0, 1], [0, 0, 9]], mask=[[1, 1, 1], [1, 1, 0]])
    assert found["group_scores"] == [1, 0]
    assert found["rloo_advantages"] == pytest.approx([1, -1])


def test_equal_scores_are_no_error_and_teach_nothing():
    assert _facts(group_rewards=[3, 3, 3])["advantages"] == [0, 0, 0]


def test_a_group_of_one_is_an_error():
    with pytest.raises(EngineError, match="group_of_one"):
        _facts(group_rewards=[1])


@pytest.mark.parametrize("given", [{"rewards": [0, 1], "values": [0, 1]}, {"values": [0, 1]}])
def test_a_single_response_is_no_group(given):
    with pytest.raises(EngineError, match="missing"):
        _facts(**given)


def test_pages():
    policies.check_pages(ID, GROUPS)


def test_propositions():
    policies.check_propositions(ID, VERDICTS)


@pytest.mark.parametrize("asked", ["GRPO", "RLOO"])
def test_each_column_holds_its_own_way_whichever_was_asked_for(asked):
    page = answer(Request((f"{asked} for rewards 1, 0, 0, 1",))).markdown
    assert "| 0 | 1 | 0.866024 | 0.666667 | 0.866025 |" in page


@pytest.mark.parametrize(("asked", "right"), [("test me on RLOO", "2/3"), ("quiz me on GRPO", "0.866024")])
def test_a_quiz_is_on_the_numbers_given_and_about_the_way_that_was_asked_for(asked, right):
    messages = (f"{asked} with group_rewards=[1,0,0,1], {'level 3' if right == '2/3' else 'hard'}", right)
    found = answer(Request(messages[:1]))
    assert found.params["group_rewards"] == (1, 0, 0, 1)
    assert found.params["from"]["group_rewards"] == "learner"
    assert found.facts["practice"]["right"]
