"""δ and the advantage: the facts against sums written out, the small world against its definition, the claims."""

from __future__ import annotations

import pytest

from lessons._lesson import lessons
from lessons.why_not_delta.lesson import STEP, worlds
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["why_not_delta"]
VERDICTS = {
    "advantage_equals_delta": "depends",
    "advantage_is_delta_by_definition": "false",
    "zero_reward_means_zero_delta": "false",
    "last_advantage_is_its_delta": "true",
    "later_deltas_weigh_gamma_lambda": "true",
    "delta_moves_with_a_later_reward": "false",
    "exact_critic_makes_delta_unbiased": "true",
    "delta_is_unbiased_whatever_the_critic": "false",
    "positive_delta_means_positive_advantage": "false",
    "advantage_is_decayed_sum_of_rewards": "false",
    "later_deltas_are_only_noise": "depends",
    "sparse_reward_leaves_deltas_zero": "false",
    "delta_is_only_the_critics_error": "false",
    "delta_needs_only_the_next_value": "true",
    "gae_needs_more_model_calls": "false",
    "delta_is_reward_less_value": "false",
    "delta_is_the_change_of_value": "depends",
    "negative_delta_means_bad_token": "false",
    "level_critic_leaves_rewards_as_deltas": "true",
    "own_delta_enters_one_to_one": "true",
    "a_delta_enters_only_its_own_advantage": "false",
    "delta_hears_the_end_through_the_critic_only": "true",
    "delta_and_advantage_rank_tokens_alike": "false",
    "zero_delta_means_zero_advantage": "false",
    "advantage_less_delta_is_the_next_advantage_discounted": "true",
    "exact_critic_makes_mean_delta_zero": "true",
    "exact_critic_makes_every_delta_zero": "false",
    "exact_critic_makes_delta_q_minus_v": "true",
    "delta_is_never_larger_than_the_advantage": "false",
    "advantage_is_never_below_delta": "false",
    "delta_depends_on_lambda": "false",
    "delta_depends_on_gamma": "true",
    "last_delta_contains_a_next_value": "false",
    "last_delta_depends_on_gamma": "false",
    "lambda_zero_makes_the_advantage_delta": "true",
    "gamma_zero_makes_the_advantage_delta": "true",
    "delta_has_less_variance_and_more_bias": "true",
    "next_value_weighs_the_same_in_delta_and_advantage": "false",
    "advantage_has_two_deltas_only": "false",
    "later_deltas_weigh_gamma_alone": "false",
    "earlier_deltas_enter_the_advantage": "false",
    "delta_is_the_td_target": "false",
    "delta_is_new_forecast_less_old": "true",
    "critic_is_trained_to_make_delta_small": "depends",
    "actor_is_given_delta": "false",
    "advantages_can_be_accumulated_forwards": "false",
    "equal_deltas_make_advantages_fall": "true",
    "overestimated_value_raises_the_delta_before": "true",
    "whitening_makes_delta_and_advantage_equal": "false",
    "certain_world_has_zero_deltas": "true",
    "a_reward_enters_one_delta_only": "true",
    "a_value_enters_one_delta_only": "false",
    "delta_as_advantage_is_reinforce": "false",
    "projects_share_one_delta": "true",
    "lastgaelam_holds_the_next_delta": "false",
    "gae_always_beats_delta": "false",
    "delta_always_beats_gae": "false",
    "exact_critic_makes_every_lambda_unbiased": "true",
    "level_critic_leaves_early_deltas_without_signal": "true",
    "final_score_enters_every_delta": "false",
    "delta_is_the_better_advantage": "depends",
    "an_exact_critic_makes_delta_enough": "true",
    "delta_reads_the_previous_value": "false",
    "advantage_is_delta_plus_a_share_of_the_previous_advantage": "false",
    "equal_errors_of_both_values_cancel_in_delta": "true",
    "delta_depends_on_how_long_the_response_goes_on": "false",
    "later_deltas_are_subtracted": "false",
    "delta_leaves_early_tokens_without_signal": "depends",
    "delta_contains_its_own_reward": "true",
    "delta_subtracts_its_own_value_and_adds_the_next": "true",
    "delta_is_never_negative": "false",
    "the_deltas_of_a_response_sum_to_zero": "false",
    "delta_contains_the_kl_of_its_token": "true",
    "the_spread_of_delta_grows_with_the_length": "false",
    "the_advantage_nears_delta_as_lambda_nears_zero": "true",
    "a_right_next_value_makes_delta_monte_carlo": "true",
    "adding_later_deltas_helps": "depends",
    "a_larger_lambda_lets_later_deltas_count_more": "true",
    "no_later_delta_outweighs_the_own": "true",
    "values_alone_give_the_deltas": "false",
    "delta_is_an_estimate_of_the_advantage": "true",
    "the_past_reaches_the_advantage": "false",
    "verls_default_advantage_is_delta": "false",
    "delta_depends_on_the_next_advantage": "false",
    "a_delta_enters_later_advantages": "false",
    "the_advantage_always_equals_delta": "false",
    "the_advantage_can_equal_delta": "true",
    "delta_is_smaller_in_size_than_the_advantage": "depends",
    "delta_lies_below_the_advantage": "depends",
    "delta_and_advantage_agree_in_sign": "depends",
    "delta_and_advantage_rank_this_response_alike": "depends",
    "the_advantage_is_the_sum_of_later_deltas": "depends",
    "delta_is_biased": "depends",
    "a_rising_value_makes_delta_positive": "depends",
    "a_positive_reward_makes_delta_positive": "depends",
    "delta_varies_less_than_the_advantage": "depends",
    "a_later_value_moves_delta": "depends",
    "a_reward_moves_delta": "depends",
    "a_higher_value_raises_delta": "depends",
    "a_smaller_gamma_lowers_delta": "depends",
    "delta_is_enough": "depends",
    "delta_is_always_the_change_of_value": "false",
    "without_reward_delta_is_the_change_of_value": "true",
    "at_lambda_zero_the_critic_is_fitted_by_delta": "true",
    "at_lambda_one_the_advantage_is_the_sum_of_later_deltas": "true",
    "delta_is_always_enough": "false",
    "a_rising_value_always_makes_delta_positive": "false",
    "a_positive_reward_always_makes_delta_positive": "false",
    "delta_always_starves_early_tokens": "false",
    "the_value_loss_is_always_delta_squared": "false",
    "a_good_next_advantage_lifts_the_advantage_above_delta": "true",
    "all_good_news_makes_delta_and_advantage_positive": "true",
    "carrying_delta_keeps_two_deltas": "true",
}


def test_the_learners_example():
    found = LESSON.show(shapes()["lam_one"]).facts.numbers
    assert found["deltas"] == pytest.approx([0.1, 0.2, 0.4])
    assert found["later"] == pytest.approx([0.6, 0.4, 0])


@pytest.mark.parametrize("name", [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name])
def test_what_is_heard_later_is_the_decayed_next_advantage(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    after = [*found["advantages"][1:], 0]
    assert found["later"] == pytest.approx([case.gamma * case.lam * a for a in after], abs=1e-9)


def test_the_small_world():
    found = worlds().numbers
    assert found["exact"]["mean"] == pytest.approx([STEP, STEP])
    assert found["exact"]["variance"][0] == 0 < found["exact"]["variance"][1]
    assert found["wrong"]["mean"][0] > found["truth"]
    assert found["wrong"]["mean"][1] == pytest.approx(found["truth"])
    assert found["blind"]["mean"] == pytest.approx([0, STEP])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_nothing_is_said_to_be_lost_where_nothing_is():
    for name in ("lam_zero", "one_token", "zeros", "gamma_zero"):
        assert "would be lost" not in pages(LESSON, GIVEN[name])["plain", "en"]
