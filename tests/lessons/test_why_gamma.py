"""γ: the grid against powers written out, the two ways to share a product, the claims."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from lessons.why_gamma.lesson import GAMMAS, fixed
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["why_gamma"]
VERDICTS = {
    "gamma_is_learned": "false",
    "lowering_gamma_makes_far_rewards_lighter": "true",
    "lambda_fades_deltas_at_gamma_one": "true",
    "gamma_keeps_the_policy_near_the_reference": "false",
    "gamma_changes_the_objective_lambda_does_not": "true",
    "gamma_and_lambda_are_interchangeable": "false",
    "lambda_stands_in_delta": "false",
    "gamma_enters_only_with_lambda": "false",
    "gamma_one_makes_returns_infinite": "false",
    "gamma_one_is_safe_for_responses_that_end": "true",
    "at_gamma_one_distance_does_not_matter": "true",
    "smaller_gamma_means_smaller_return": "depends",
    "gamma_below_one_favours_short_answers": "true",
    "gamma_concerns_the_critic_only": "false",
    "returns_and_advantages_may_have_their_own_gamma": "false",
    "gamma_zero_leaves_the_own_reward": "true",
    "verl_default_gamma_is_below_one": "false",
    "gamma_is_only_a_variance_trick": "false",
    "gamma_counts_from_the_start": "false",
    "gamma_discounts_earlier_rewards": "false",
    "gamma_is_a_chance_to_go_on": "true",
    "gamma_099_is_as_good_as_one": "depends",
    "gamma_is_applied_once_per_response": "false",
    "early_tokens_hear_less_below_one": "true",
    "gamma_can_reverse_which_answer_is_better": "true",
    "gamma_stands_on_the_next_value_in_delta": "true",
    "penalties_are_discounted_too": "true",
    "gamma_one_return_is_the_plain_sum": "true",
    "gamma_one_outcome_gives_one_return_to_all": "true",
    "gamma_one_makes_tokens_alike": "false",
    "critic_of_another_gamma_still_fits": "false",
    "recursion_decays_by_gamma_alone": "false",
    "gamma_can_be_left_out_of_the_recursion": "false",
    "gamma_can_be_left_out_of_delta": "false",
    "own_reward_is_discounted": "false",
    "reward_k_steps_on_counts_gamma_to_the_k": "true",
    "last_token_ignores_gamma": "true",
    "one_token_response_ignores_gamma": "true",
    "smaller_gamma_means_smaller_advantage": "depends",
    "horizon_is_one_over_one_minus_gamma": "true",
    "at_099_the_end_is_lost_over_a_thousand_tokens": "true",
    "scaling_the_score_undoes_the_length_preference": "false",
    "finer_tokens_are_discounted_more": "true",
    "final_penalty_with_gamma_below_one_favours_long": "true",
    "gamma_below_one_always_picks_the_shortest": "false",
    "token_costs_add_up_with_length_at_gamma_one": "true",
    "gamma_may_be_above_one": "false",
    "gamma_below_one_is_biased_for_the_plain_sum": "true",
    "gamma_is_idle_at_lambda_one": "false",
    "grpo_advantages_depend_on_gamma": "false",
    "long_reasoning_calls_for_gamma_one": "true",
    "rlhf_frameworks_default_to_gamma_one": "true",
    "sooner_is_worth_more_below_one": "true",
    "whitening_cancels_gamma": "false",
    "gamma_changes_rewards_or_ratio": "false",
    "return_is_own_reward_plus_gamma_times_next": "true",
    "endless_tasks_need_gamma_below_one": "true",
    "gamma_below_one_is_better": "depends",
    "a_discount_is_needed": "depends",
    "gamma_stands_on_the_own_value_in_delta": "false",
    "lambda_discounts_rewards_and_gamma_does_not": "false",
    "the_own_reward_is_discounted_most": "false",
    "below_one_returns_rise_towards_a_final_reward": "true",
    "the_prompts_length_enters_the_discount": "false",
    "larger_gamma_less_bias_more_variance": "true",
    "larger_gamma_looks_further": "true",
    "gamma_zero_keeps_the_score_from_early_tokens": "true",
    "gamma_one_needs_a_lambda_below_one": "false",
    "gamma_half_halves_at_every_token": "true",
    "at_gamma_one_length_alone_costs_nothing": "true",
    "discounting_makes_training_steadier": "depends",
    "the_last_return_is_undiscounted": "true",
    "verl_defaults_both_to_one": "true",
    "gamma_discounts_rewards_only_and_no_value": "false",
    "gamma_enters_the_critics_target": "true",
    "the_ends_of_gamma_are_swapped": "false",
    "ppo_requires_gamma_one": "false",
    "gamma_moves_the_last_token_most": "false",
    "a_far_reward_counts_less": "depends",
    "early_tokens_hear_less_of_the_score": "depends",
    "discounting_favours_short_answers": "depends",
    "every_token_has_the_same_return": "depends",
    "the_return_is_a_plain_sum": "depends",
    "a_discount_brings_bias": "depends",
    "gamma_reorders_the_answers": "depends",
    "longer_answers_return_less": "depends",
    "smaller_gamma_always_means_smaller_return": "false",
    "smaller_gamma_always_means_smaller_advantage": "false",
    "gamma_moves_every_delta": "false",
    "gamma_moves_every_advantage": "false",
    "gamma_one_is_right": "depends",
    "a_far_reward_always_counts_less": "false",
    "distance_matters_or_not_by_gamma": "true",
    "early_tokens_always_hear_less": "false",
    "discounting_always_favours_short_answers": "false",
    "every_token_always_has_the_same_return": "false",
    "the_return_is_always_a_plain_sum": "false",
    "longer_answers_always_return_less": "false",
    "the_horizon_covers_the_response": "depends",
    "gamma_099_is_always_as_good_as_one": "false",
    "exact_gradient_has_a_power_of_gamma_for_each_step": "true",
    "a_far_weight_does_not_underflow": "true",
}


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_the_grid():
    rewards = [0.2, 0, 1]
    found = shown(rewards=rewards, values=[0.3, 0.4, 0.6], gamma=0.8).facts.numbers["grid"]
    assert found["gammas"] == sorted([*GAMMAS, 0.8], reverse=True)
    assert found["returns"] == pytest.approx([sum(r * g**k for k, r in enumerate(rewards)) for g in found["gammas"]])
    assert found["last_counts"] == pytest.approx([g**2 for g in found["gammas"]])
    assert found["own_last_counts"] == pytest.approx(0.64)


def test_a_product_shared_out_in_two_ways():
    found = shown(rewards=[0, 1], values=[0.5, 0.6]).facts.numbers["grid"]
    assert found["only_lam"] == pytest.approx([0.1 + 0.9 * 0.4, 0.4])
    assert found["only_gamma"] == pytest.approx([0.9 * 0.6 - 0.5 + 0.9 * 0.4, 0.4])


def test_what_is_fixed():
    found = fixed().numbers
    assert found["left"][1][3] == pytest.approx(0.99**100)
    assert (found["short_return"], found["long_return"]) == (pytest.approx(0.9**2), pytest.approx(0.9**29))


def test_rewards_are_enough():
    found = shown(rewards=[0, 0, 0, 0, 1], gamma=0.9)
    assert found.facts.numbers["mc_returns"][0] == pytest.approx(0.6561)
    assert all(pages(LESSON, {"rewards": [0, 0, 0, 0, 1], "gamma": 0.9}).values())
    with pytest.raises(EngineError, match="missing"):
        shown(values=[0.1, 0.2])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_one_run_has_one_gamma():
    rewards, values = [-0.01, -0.005, -0.01, -0.015, -0.02, 0.995], [0.2, 0.25, 0.3, 0.35, 0.45, 0.6]
    found = shown(rewards=rewards, values=values, gamma=0.99, lam=0.95).facts.numbers
    assert found["mc_returns"] == pytest.approx([0.887718, 0.906786, 0.920996, 0.9404, 0.96505, 0.995], abs=1e-6)
    assert found["advantages"] == pytest.approx([0.563938, 0.559743, 0.550498, 0.546515, 0.495497, 0.395], abs=1e-6)
