"""λ: the sweep, the known world's closed forms against every course counted, the best λ, the claims."""

from __future__ import annotations

import pytest

from engine.scenario import scenario
from lessons._lesson import lessons
from lessons.why_lambda.lesson import lams
from lessons.why_lambda.world import ERROR, ERRORS, LAMS, STEP, enumerated, world
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["why_lambda"]
VERDICTS = {
    "lambda_cuts_off_at_its_horizon": "false",
    "larger_lambda_less_bias_more_variance": "true",
    "lambda_one_is_always_best": "false",
    "a_bad_critic_wants_a_small_lambda": "false",
    "lambda_zero_is_delta": "true",
    "lambda_zero_makes_advantages_zero": "false",
    "lambda_one_ignores_later_values": "true",
    "lambda_one_ignores_every_value": "false",
    "larger_lambda_means_larger_advantage": "depends",
    "lambda_must_equal_gamma": "false",
    "exact_critic_is_unbiased_at_every_lambda": "true",
    "larger_lambda_leans_on_the_critic": "false",
    "lambda_half_is_the_middle": "false",
    "lambda_concerns_the_actor_only": "false",
    "lambda_zero_never_hears_the_final_reward": "false",
    "verl_default_lambda_is_below_one": "false",
    "farther_deltas_count_less": "depends",
    "lambda_only_scales_the_advantages": "false",
    "lambda_095_is_nearly_monte_carlo": "depends",
    "last_advantage_depends_on_lambda": "false",
    "lambda_095_looks_twenty_tokens_ahead": "true",
    "lambda_is_idle_without_later_news": "true",
    "lambda_one_is_unbiased": "true",
    "far_end_is_hardly_heard": "true",
    "lambda_zero_does_what_gamma_zero_does": "false",
    "best_lambda_lies_between_the_ends": "depends",
    "one_token_response_ignores_lambda": "true",
    "lambda_never_changes_the_sign": "false",
    "lambda_multiplies_the_own_delta": "false",
    "lambda_weights_are_powers_by_distance": "true",
    "weights_of_the_deltas_add_up_to_one": "false",
    "lambda_discounts_rewards_like_gamma": "false",
    "returns_at_lambda_one_are_monte_carlo": "true",
    "returns_at_lambda_zero_look_one_step": "true",
    "lambda_one_levels_the_advantages": "false",
    "only_the_last_token_hears_the_reward_at_lambda_zero": "true",
    "positive_lambda_carries_the_reward_everywhere": "true",
    "the_ends_are_swapped": "false",
    "own_value_error_biases_the_policy_gradient": "false",
    "lambda_zero_is_biased": "depends",
    "turning_lambda_down_makes_training_steadier": "depends",
    "a_good_critic_allows_a_small_lambda": "true",
    "lambda_changes_what_is_optimal": "false",
    "lambda_may_be_above_one": "false",
    "lambda_one_diverges": "false",
    "lambda_changes_rewards_or_values": "false",
    "lambda_below_one_ignores_real_rewards": "false",
    "advantage_is_monotone_in_lambda": "false",
    "lambda_keeps_the_order_of_tokens": "false",
    "lambda_moves_early_tokens_most": "depends",
    "longer_responses_need_larger_lambda": "true",
    "halving_the_gap_to_one_doubles_the_horizon": "true",
    "actor_and_critic_may_have_their_own_lambda": "true",
    "without_a_critic_lambda_below_one_starves_early_tokens": "true",
    "outcome_reward_makes_lambda_irrelevant": "false",
    "advantages_average_zero_at_every_lambda": "true",
    "trl_default_lambda_is_one": "false",
    "verl_default_gives_return_minus_value": "true",
    "a_smaller_lambda_is_better": "depends",
    "lambda_below_one_is_better_than_one": "depends",
    "lambda_weights_the_own_value": "false",
    "lambda_one_has_the_least_variance": "false",
    "lambda_095_keeps_most_of_the_final_reward": "false",
    "only_the_product_of_gamma_and_lambda_matters": "false",
    "one_could_do_without_lambda": "depends",
    "lambda_above_zero_needs_the_whole_response": "true",
    "lambda_leaves_the_mean_alone_with_a_wrong_critic": "false",
    "lambda_goes_between_td_and_monte_carlo": "true",
    "lambda_sets_how_far_a_surprise_reaches": "true",
    "lambda_is_the_kl_coefficient": "false",
    "lambda_limits_the_size_of_the_update": "false",
    "at_lambda_half_the_next_delta_counts_half": "true",
    "it_is_the_lambda_of_td_lambda": "true",
    "095_is_the_best_lambda": "depends",
    "a_larger_lambda_learns_faster": "depends",
    "lambda_one_suits_outcome_rewards": "depends",
    "lambda_matters_more_on_long_responses": "true",
    "lambda_is_the_share_of_monte_carlo": "false",
    "lambda_differs_by_token": "false",
    "every_lambda_below_one_is_biased": "false",
    "lambda_one_is_reinforce_with_a_baseline": "true",
    "lambda_below_one_brings_bias": "depends",
    "lambda_below_one_can_be_biased": "true",
    "changing_lambda_flips_the_sign": "depends",
    "changing_lambda_reorders_the_tokens": "depends",
    "changing_lambda_moves_this_advantage": "depends",
    "lambda_one_is_the_best": "depends",
    "best_lambda_is_always_inside": "false",
    "lambda_095_is_far_from_monte_carlo_on_long_responses": "true",
    "larger_lambda_always_means_larger_advantage": "false",
    "raising_lambda_can_lower_an_advantage": "true",
    "good_later_news_raises_the_advantage_with_lambda": "true",
    "distant_deltas_always_count_less": "false",
    "distant_deltas_count_less_below_one": "true",
    "default_lambda_is_one": "depends",
    "default_lambda_is_095": "depends",
    "the_outcome_reaches_the_first_advantage": "depends",
    "the_outcome_reaches_every_token_at_any_lambda": "false",
    "at_095_the_first_token_hears_the_end": "depends",
    "a_smaller_lambda_shrinks_the_advantages": "depends",
    "later_errors_of_the_critic_reach_the_advantage": "depends",
    "lambda_is_a_learning_rate": "false",
    "lambda_balances_exploration": "false",
    "lambda_is_learned": "false",
    "a_small_lambda_lets_in_more_of_the_critics_error": "true",
    "a_smaller_lambda_is_always_steadier": "false",
    "the_first_advantage_always_moves_most": "false",
    "with_a_wrong_critic_lambda_zero_is_biased": "true",
    "with_an_exact_critic_a_smaller_lambda_is_better": "true",
    "changing_lambda_moves_the_mean": "depends",
    "a_smaller_lambda_is_always_better": "false",
    "lambda_below_one_always_beats_one": "false",
    "095_is_always_the_best_lambda": "false",
    "a_larger_lambda_always_learns_faster": "false",
    "lambda_one_is_always_best_for_outcome_rewards": "false",
    "backward_loop_is_no_eligibility_trace": "true",
    "tau_in_older_code_is_lambda": "true",
    "gae_by_turns_is_another_chain": "true",
}


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_the_learners_sweep():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], gamma=1, lams=[0, 0.5, 1]).facts.numbers
    assert found["sweep"]["0.5"] == pytest.approx([0.3, 0.4, 0.4])
    assert found["grid"]["first"] == pytest.approx([0.1, 0.3, 0.7])


def test_without_lams_of_the_learners_the_sweep_is_a_grid():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], lam=0.8).facts.numbers
    assert "sweep" not in found
    assert found["grid"]["lams"] == [0, 0.5, 0.8, 1]


def test_one_lambda_of_the_learners_stands_between_the_ends():
    assert lams(shapes()["running"].merged({"lams": [0.3]})) == [0, 0.3, 1]


@pytest.mark.parametrize("error", ERRORS)
def test_the_closed_forms_are_what_counting_gives(error):
    counted = enumerated(error).exact
    if error == ERROR:
        for (_, bias, variance, *_), mean, spread in zip(
            world().exact["rows"], counted["mean"], counted["variance"], strict=True
        ):
            assert (bias, variance) == (mean - type(mean)(1, 4), spread)
    best = {float(row[0]): row for row in world().exact["best"]}[error]
    at_ends = [float((m - STEP) ** 2 + v) for m, v in zip(counted["mean"], counted["variance"], strict=True)]
    assert float(best[3]) == pytest.approx(at_ends[0])
    assert float(best[4]) == pytest.approx(at_ends[-1])
    assert float(best[2]) <= min(at_ends) + 1e-12


def test_the_simulation_agrees():
    for _, _, _, closed, seen in world().numbers["rows"]:
        assert seen == pytest.approx(closed, rel=0.1)


def test_the_best_lambda_rises_with_the_critics_error():
    best = [row[1] for row in world().numbers["best"]]
    assert best == sorted(best) and best[0] == 0 < best[-1]
    assert len(LAMS) == len(world().numbers["rows"])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
