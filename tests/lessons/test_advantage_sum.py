"""Σδ and ΣA: the facts against sums written out, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["advantage_sum"]
VERDICTS = {
    "advantages_sum_like_deltas": "false",
    "sum_of_advantages_is_the_excess": "false",
    "sum_of_deltas_is_the_excess": "true",
    "gamma_one_is_enough": "false",
    "equal_at_lambda_zero": "true",
    "later_deltas_are_counted_again": "true",
    "positive_sum_means_more_than_expected": "false",
    "whitened_sum_is_the_excess": "false",
    "first_advantage_is_the_excess_at_lambda_one": "true",
    "first_advantage_is_the_excess": "false",
    "mean_advantage_is_the_excess": "false",
    "every_response_whitens_to_sum_zero": "false",
    "advantage_sum_always_grows_with_lambda": "false",
    "advantage_sum_depends_on_the_length": "true",
    "returns_add_up_to_the_total_reward": "false",
    "rewards_add_up_to_the_first_return": "true",
    "zero_advantage_sum_teaches_nothing": "false",
    "all_positive_advantages_mean_more_than_expected": "true",
    "excess_depends_on_lambda": "false",
    "excess_depends_on_the_middle_values": "false",
    "largest_advantage_contributed_most": "false",
    "excess_is_the_total_reward": "false",
    "excess_averages_to_zero": "depends",
    "negative_excess_makes_every_advantage_negative": "false",
    "delta_k_is_counted_by_a_geometric_sum": "true",
    "first_delta_is_counted_once": "true",
    "at_lambda_one_delta_k_counts_k_plus_one_times": "true",
    "equality_above_lambda_zero_is_a_coincidence": "true",
    "one_token_sum_is_the_excess": "true",
    "excess_is_first_plus_a_share_of_the_later": "true",
    "discounting_the_advantages_repairs_the_sum": "false",
    "raw_advantages_always_sum_to_zero": "false",
    "the_sum_averages_zero_with_an_exact_critic": "true",
    "the_sum_is_the_total_reward": "false",
    "the_sum_is_returns_less_values": "true",
    "undiscounted_deltas_sum_to_the_excess_for_any_gamma": "false",
    "deltas_from_t_on_sum_to_the_excess_from_t_on": "true",
    "delta_sum_depends_on_lambda": "false",
    "advantage_sum_ranks_responses": "false",
    "excess_ranks_responses_to_one_prompt": "true",
    "first_loss_is_minus_the_mean_advantage": "true",
    "negative_sum_means_less_than_expected": "false",
    "padding_adds_to_the_sum": "false",
    "whitened_batch_sums_to_zero": "true",
    "the_sum_is_bounded_by_the_total_reward": "false",
    "doubling_rewards_and_values_doubles_the_sum": "true",
    "uniform_overestimate_lowers_the_sum_by_every_token": "true",
    "each_tokens_contribution_to_the_excess_is_its_delta": "true",
    "each_tokens_contribution_to_the_excess_is_its_advantage": "false",
    "positive_excess_makes_every_advantage_positive": "false",
    "sign_of_the_first_advantage_is_that_of_the_excess": "false",
    "deltas_sum_to_the_rewards": "false",
    "last_advantage_is_the_excess": "false",
    "exact_advantages_do_sum_to_the_excess": "true",
    "the_advantage_sum_can_stand_in_for_the_excess": "depends",
    "deltas_are_counted_repeatedly_and_advantages_once": "false",
    "early_deltas_are_counted_most_often": "false",
    "an_uneventful_token_in_front_raises_the_advantage_sum": "true",
    "the_unequal_sum_means_gae_is_wrong": "false",
    "excess_is_the_return_less_the_last_value": "false",
    "at_lambda_one_the_sum_is_tokens_times_the_excess": "depends",
    "the_excess_depends_on_gamma": "true",
    "last_advantage_is_the_last_delta": "true",
    "own_delta_counts_in_full": "true",
    "earlier_deltas_enter_an_advantage": "false",
    "first_advantage_holds_every_delta": "true",
    "the_sum_depends_on_lambda": "true",
    "zero_excess_means_no_surprises": "false",
    "positive_excess_means_a_high_score": "false",
    "exact_critic_makes_every_excess_zero": "false",
    "the_sum_is_always_larger_than_the_excess": "false",
    "deltas_share_credit_better_than_advantages": "depends",
    "the_sum_depends_on_the_middle_values": "true",
    "excess_can_be_negative": "true",
    "an_overrated_start_lowers_the_excess": "true",
    "ppo_uses_the_sum_only": "false",
    "every_advantage_is_the_excess": "false",
    "first_advantage_is_the_sum_of_all": "false",
    "excess_is_the_sum_of_the_tokens_excesses": "depends",
    "advantages_add_up_to_the_excess_at_this_lambda": "depends",
    "at_lambda_one_the_sum_is_the_excess": "false",
    "the_sum_grows_with_lambda": "depends",
    "the_sum_is_larger_than_the_excess": "depends",
    "plain_deltas_sum_to_the_excess": "depends",
    "weighted_deltas_sum_to_the_excess_at_every_gamma": "true",
    "first_advantage_equals_the_excess": "depends",
    "the_two_sums_are_equal": "depends",
    "the_advantages_sum_to_zero": "depends",
    "sum_and_excess_have_one_sign": "depends",
    "a_right_answer_has_a_positive_excess": "depends",
    "kl_changes_the_excess": "depends",
    "a_right_answer_always_has_a_positive_excess": "false",
    "kl_in_the_reward_changes_the_excess": "true",
    "kl_in_the_loss_changes_the_excess": "false",
    "at_lambda_zero_each_delta_counts_once": "true",
    "with_good_later_surprises_the_sum_grows_with_lambda": "true",
    "with_bad_later_surprises_the_sum_falls_with_lambda": "true",
    "sum_and_excess_always_have_one_sign": "false",
    "dropping_responses_without_excess_drops_signal": "true",
}


def test_the_learners_example():
    given = {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1, "lam": 0.95}
    found = LESSON.show(completed(scenario(given))[0]).facts.numbers
    assert found["delta_sum"] == pytest.approx(0.7) == found["excess"]
    assert found["advantage_sum"] == pytest.approx(1.631)


@pytest.mark.parametrize("name", [name for name in GIVEN if "batch" not in name and name != "one_token"])
def test_the_weights_give_the_sum(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    assert found["weighted_sum"] == pytest.approx(found["advantage_sum"], abs=1e-9)
    counts = [sum((case.gamma * case.lam) ** j for j in range(k + 1)) for k in range(len(found["counted_in_sum"]))]
    assert found["counted_in_sum"] == pytest.approx(counts)


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


def test_what_is_said_of_the_two_sums_fits_them():
    told = {name: pages(LESSON, GIVEN[name])["plain", "en"] for name in GIVEN}
    assert "always agree" in told["lam_zero"]
    assert "happens to be the excess" in told["zeros"]
    assert "one listener" in told["one_token"]
    assert "Taken for the excess" in told["negative"]
