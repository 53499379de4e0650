"""Whitening: the facts against Python's own statistics, the claims as they should be judged."""

from __future__ import annotations

import math
from statistics import mean, pstdev, stdev

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["whitening"]
VERDICTS = {
    "ignores_a_constant": "true",
    "ends_become_plus_and_minus_one": "false",
    "mean_zero_std_one": "true",
    "keeps_signs": "false",
    "keeps_order": "true",
    "returns_use_raw_advantages": "true",
    "verl_divides_by_n_minus_one": "true",
    "padding_takes_part": "false",
    "each_response_by_itself": "false",
    "positive_raw_advantage_is_pushed_up": "false",
    "above_the_mean_is_positive": "true",
    "ignores_the_scale_of_rewards": "true",
    "equal_advantages_give_nan": "false",
    "one_token_can_be_whitened": "false",
    "only_a_learning_rate": "false",
    "whitening_rewards_is_the_same": "false",
    "without_shift_the_mean_stays": "true",
    "a_constant_changes_the_result": "false",
    "half_of_the_tokens_end_up_negative": "false",
    "whitened_numbers_lie_within_one": "false",
    "epsilon_is_added_to_the_std": "false",
    "each_prompt_group_by_itself": "false",
    "two_values_always_whiten_alike": "true",
    "dividing_by_n_gives_larger_numbers": "true",
    "the_samples_deviation_is_the_larger": "true",
    "outliers_are_clipped": "false",
    "an_outlier_squeezes_the_rest": "true",
    "all_real_tokens_count_alike": "true",
    "whitening_twice_changes_again": "false",
    "all_good_stays_all_good": "false",
    "zero_stays_zero": "false",
    "whole_batch_sums_to_zero": "true",
    "each_response_sums_to_zero": "false",
    "changes_what_the_critic_learns": "false",
    "keeps_the_direction_of_the_gradient": "false",
    "ppo_cannot_do_without": "false",
    "keeps_updates_of_one_size": "true",
    "makes_advantages_normally_distributed": "false",
    "decorrelates_tokens": "false",
    "other_responses_change_mine": "true",
    "one_response_is_enough": "true",
    "smaller_batches_are_noisier": "true",
    "lambda_no_longer_matters": "false",
    "kl_penalty_no_longer_matters": "false",
    "replaces_the_critic": "false",
    "padding_becomes_zero_in_verl": "false",
    "padding_still_reaches_the_loss": "false",
    "divides_by_the_variance": "false",
    "returns_get_mean_zero": "false",
    "can_be_undone_with_mean_and_std": "true",
    "n_or_n_minus_one_hardly_matters_for_many": "true",
    "equal_advantages_move_nothing": "true",
    "epsilon_guards_against_zero": "true",
    "openrlhf_uses_the_sample_variance": "false",
    "verl_hands_out_whitened_advantages": "true",
    "relative_gaps_are_kept": "true",
    "twice_as_large_stays_twice": "false",
    "largest_is_always_positive": "true",
    "all_bad_stays_all_bad": "false",
    "uses_running_statistics": "false",
    "verl_whitens_each_minibatch": "false",
    "whitening_is_better_than_raw": "depends",
    "subtracting_the_mean_is_better": "depends",
    "batch_statistics_keep_responses_apart": "true",
    "advantage_at_the_mean_becomes_zero": "true",
    "whitening_enlarges_advantages": "depends",
    "order_of_shift_and_division_matters": "false",
    "std_is_the_mean_distance": "false",
    "verl_whitens_the_rewards": "false",
    "verl_whitens_the_values": "false",
    "whitens_inside_the_recursion": "false",
    "counts_standard_deviations": "true",
    "keeps_the_shape": "true",
    "has_learned_parameters": "false",
    "subtracts_the_median": "false",
    "level_of_the_batch_is_lost": "true",
    "lowers_the_variance_of_advantages": "depends",
    "actor_gets_the_whitened_ones": "true",
    "wider_spread_gives_smaller_numbers": "true",
    "gae_includes_whitening": "false",
    "raw_advantages_have_mean_zero": "false",
    "negative_after_whitening_means_worse_than_expected": "false",
    "raw_scale_sets_the_step": "depends",
    "shifts_the_mean_by_default": "true",
    "gradient_flows_through_mean_and_deviation": "false",
    "without_whitening_the_scale_sets_the_step": "true",
    "whitens_each_position_by_itself": "false",
    "whitening_is_the_last_step_before_the_actor": "true",
    "this_positive_advantage_stays_positive": "depends",
    "positive_below_the_mean_turns_negative": "true",
    "token_at_zero_is_pushed_down": "depends",
    "variance_is_the_samples": "depends",
    "variance_is_the_samples_in_every_project": "false",
    "each_minibatch_has_mean_zero": "depends",
    "rewards_are_whitened": "depends",
    "padding_is_zero_after_whitening": "depends",
    "response_sums_to_zero": "depends",
    "bessel_makes_a_difference": "depends",
    "epsilon_makes_a_difference": "depends",
    "most_tokens_end_up_negative": "depends",
    "gaps_grow": "depends",
    "advantages_are_whitened": "depends",
    "a_constant_on_the_rewards_changes_the_whitened": "depends",
    "whitened_advantage_is_above_one": "depends",
    "bad_responses_tokens_all_come_out_negative": "depends",
    "token_at_zero_is_always_pushed_down": "false",
    "whitening_is_always_per_minibatch": "false",
    "rewards_are_always_whitened": "false",
    "rewards_can_be_whitened": "true",
    "padding_is_always_zero_after_whitening": "false",
    "advantages_are_always_whitened": "false",
    "most_tokens_can_end_up_negative": "true",
    "most_tokens_always_end_up_negative": "false",
    "whitening_always_enlarges": "false",
    "whitening_can_enlarge": "true",
    "whitening_always_lowers_the_variance": "false",
    "whitening_can_lower_the_variance": "true",
    "gaps_always_grow": "false",
    "takes_off_the_mean_and_divides_by_the_deviation": "true",
    "whitening_each_rank_by_itself_is_another_thing": "true",
}
LONG_ENOUGH = [name for name in GIVEN if name != "one_token"]


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_advantages_alone_are_enough():
    given = [0.1, 0.3, 0.2, -0.1, 0.05]
    found = shown(advantages=given).facts.numbers
    assert found["std_sample"] == pytest.approx(stdev(given))
    assert found["std_population"] == pytest.approx(pstdev(given))
    assert found["whitened"] == pytest.approx([(a - mean(given)) / math.sqrt(stdev(given) ** 2 + 1e-8) for a in given])
    assert "returns" not in found
    assert all(pages(LESSON, {"advantages": given}).values())


def test_returns_take_the_raw_advantages():
    found = shown(advantages=[0.1, 0.3], values=[0.5, 0.6])
    assert found.facts.numbers["returns"] == pytest.approx([0.6, 0.9])
    wrong = found.mistakes["whiten_before_returns"].numbers["returns"]
    assert wrong == pytest.approx([0.5 - math.sqrt(0.5), 0.6 + math.sqrt(0.5)], abs=1e-5)


def test_padding_is_left_out():
    found = shown(advantages=[1, 2, 4, 99], mask=[1, 1, 1, 0]).facts.numbers
    assert found["whitened"][:3] == pytest.approx([-0.872872, -0.218218, 1.091089], abs=1e-6)
    assert found["whitened"][3] is None


def test_a_single_value_is_an_error():
    for given in (GIVEN["one_token"], {"advantages": [0.3]}):
        with pytest.raises(EngineError, match="one_value_has_no_sample_variance"):
            shown(**given)


def test_without_values_and_advantages_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        shown(rewards=[0, 1])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", LONG_ENOUGH)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_no_flip_is_claimed_where_there_is_none():
    told = pages(LESSON, {"advantages": [-1, 1]})
    assert "No token changes its sign here" in told["plain", "en"]
    assert "every whitened one is zero" in pages(LESSON, GIVEN["zeros"])["plain", "en"]
