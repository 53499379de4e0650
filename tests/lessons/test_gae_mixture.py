"""GAE as a weighted mean: the weights and estimates against their definitions, long responses, the claims."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine import sequences
from engine.facts import compute
from engine.readings.exact import rational
from lessons._lesson import lessons
from lessons.gae_mixture.lesson import by_steps
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["gae_mixture"]
ALONE = [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name and "score" not in name]
VERDICTS = {
    "weights_sum_to_one": "true",
    "longest_weighs_like_the_others": "false",
    "all_weights_are_equal": "false",
    "one_step_estimate_is_delta": "true",
    "lambda_one_leaves_only_the_longest": "true",
    "lambda_one_makes_gae_zero": "false",
    "longer_estimates_weigh_more": "false",
    "one_step_weighs_most": "false",
    "only_the_two_ends_are_mixed": "false",
    "monte_carlo_has_no_part_below_one": "false",
    "mixing_returns_is_mixing_advantages": "true",
    "beyond_the_end_all_are_monte_carlo": "true",
    "last_two_weights_alike_at_half": "true",
    "larger_lambda_looks_further": "true",
    "every_token_uses_the_same_weights": "false",
    "last_token_has_a_single_estimate": "true",
    "lambda_zero_leaves_only_one_step": "true",
    "weights_can_be_negative": "false",
    "gamma_is_in_the_weights": "false",
    "recursion_gives_exactly_the_mixture": "true",
    "two_step_advantage_is_two_deltas": "true",
    "each_n_step_estimate_contains_lambda": "false",
    "mean_look_ahead_is_the_horizon": "depends",
    "estimates_agree_when_nothing_surprises": "true",
    "n_step_estimate_uses_n_rewards": "true",
    "first_weight_is_one_less_lambda": "true",
    "lambda_is_the_weight_of_one_step": "false",
    "each_weight_is_lambda_times_the_one_before": "false",
    "weights_are_a_probability_distribution": "true",
    "lambda_is_the_chance_to_look_further": "true",
    "n_step_advantage_sums_n_deltas": "true",
    "next_estimate_adds_one_delta": "true",
    "longest_estimate_is_monte_carlo": "true",
    "every_estimate_uses_a_later_value": "false",
    "every_estimate_subtracts_the_own_value": "true",
    "later_value_is_discounted_by_gamma_to_the_n": "true",
    "more_steps_less_bias_more_variance": "true",
    "gae_lies_between_the_n_step_estimates": "true",
    "lambda_picks_one_n": "false",
    "infinite_sum_gives_the_same": "true",
    "delta_weights_are_the_n_step_weights": "false",
    "delta_weight_is_the_weight_of_longer_estimates": "true",
    "all_n_step_estimates_must_be_computed": "false",
    "mixture_is_over_other_tokens_or_responses": "false",
    "mixture_weights_depend_on_the_data": "false",
    "critic_target_mixes_n_step_returns": "true",
    "two_tokens_left_at_half_is_a_plain_mean": "true",
    "three_tokens_at_half_weigh_half_quarter_quarter": "true",
    "lambda_095_is_mostly_the_longest": "depends",
    "longest_weight_is_lambda_to_the_steps_before": "true",
    "mixing_removes_the_bias": "false",
    "number_of_estimates_is_the_tokens_left": "true",
    "padding_counts_as_steps": "false",
    "one_minus_lambda_normalises": "true",
    "n_step_estimates_grow_with_n": "depends",
    "mixture_has_less_variance_than_every_estimate": "false",
    "mixing_is_better_than_one_length": "depends",
    "two_step_estimate_uses_the_second_next_value": "true",
    "larger_lambda_gives_the_one_step_estimate_more": "false",
    "lambda_zero_is_the_longest_and_one_the_shortest": "false",
    "deltas_are_weighted_with_one_minus_lambda": "false",
    "a_reward_counts_in_all_longer_estimates": "true",
    "one_fixed_length_would_do": "depends",
    "longest_estimate_has_one_minus_lambda_too": "false",
    "mixture_gives_whitened_advantages": "false",
    "every_estimate_contains_the_own_reward": "true",
    "every_estimate_contains_the_final_reward": "false",
    "estimates_look_back": "false",
    "gae_is_the_sum_of_the_estimates": "false",
    "longest_weight_shrinks_with_length": "true",
    "first_weight_depends_on_the_length": "false",
    "n_step_return_is_the_n_step_advantage": "false",
    "one_step_estimate_contains_later_rewards": "false",
    "estimates_share_the_mean_with_an_exact_critic": "true",
    "exact_critic_makes_all_estimates_equal": "false",
    "mixing_makes_advantages_steadier": "depends",
    "lambda_should_be_near_one": "depends",
    "weights_at_nine_tenths": "true",
    "gamma_zero_makes_all_estimates_equal": "true",
    "each_later_value_is_in_one_estimate": "true",
    "a_later_value_counts_as_its_estimate_weighs": "true",
    "two_step_weight_is_lambda_times_one_less_lambda": "true",
    "shortest_estimate_looks_no_step_ahead": "false",
    "gae_runs_from_td_to_monte_carlo": "true",
    "longer_estimates_rely_less_on_the_critic": "true",
    "middle_values_are_in_an_n_step_estimate": "false",
    "weights_decay_geometrically_before_the_tail": "true",
    "mixture_is_a_moving_average_of_the_past": "false",
    "gae_is_a_weighted_average_of_n_step_advantages": "true",
    "lambda_trades_bias_for_variance": "true",
    "advantages_lie_between_minus_one_and_one": "true",
    "estimates_of_one_token_share_the_sign": "false",
    "lambda_half_is_midway_between_the_ends": "false",
    "one_step_has_five_percent_at_095": "true",
    "the_longest_estimate_weighs_most": "depends",
    "the_longest_estimate_always_weighs_most": "false",
    "the_one_step_estimate_weighs_most": "depends",
    "the_weights_fall_with_n": "depends",
    "good_news_raises_the_longer_estimates": "true",
    "n_step_estimates_always_grow_with_n": "false",
    "the_n_step_estimates_agree": "depends",
    "the_n_step_estimates_always_agree": "false",
    "the_n_step_estimates_have_one_sign": "depends",
    "the_mean_look_ahead_is_always_the_horizon": "false",
    "a_short_response_looks_less_far_than_the_horizon": "true",
    "at_095_the_longest_dominates_a_short_response_only": "true",
    "an_n_step_estimate_is_biased": "depends",
    "an_n_step_estimate_bootstraps": "depends",
    "an_n_step_estimate_contains_the_final_reward": "depends",
    "more_steps_are_more_accurate": "depends",
    "more_steps_are_always_more_accurate": "false",
    "endless_weights_are_geometric": "true",
    "the_weights_sum_to_one_without_the_tail": "false",
    "an_n_step_estimate_ends_without_a_value": "false",
    "mixing_always_beats_one_length": "false",
    "lambda_should_always_be_near_one": "false",
    "mixing_always_makes_advantages_steadier": "false",
}


def test_the_learners_example():
    found = LESSON.show(shapes()["running"].merged({})).facts
    assert "weights" in found.numbers and "mixture" in found.numbers
    given = {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1.0, "lam": 0.95}
    from engine.scenario import scenario
    from prompts.read import completed

    found = LESSON.show(completed(scenario(given))[0]).facts.numbers
    assert found["weights"] == pytest.approx([0.05, 0.0475, 0.9025])
    assert found["n_step_advantages"] == pytest.approx([0.1, 0.3, 0.7])
    assert found["mixture"] == pytest.approx([0.651, 0.58, 0.4])
    assert found["first"]["mixture"] == pytest.approx(0.651)


@pytest.mark.parametrize("name", ALONE)
def test_each_estimate_is_the_n_step_return_less_the_value(name):
    case = shapes()[name]
    found = compute(by_steps, case).exact
    rewards, values = ([rational(x) for x in case.rows(part)[0]] for part in ("rewards", "values"))
    for n in (1, 2, case.length):
        if n <= case.length:
            told = sequences.n_step_return(rewards, values, rational(case.gamma), 0, n) - values[0]
            assert float(found["n_step_advantages"][n - 1]) == pytest.approx(float(told), abs=1e-9)


@pytest.mark.parametrize("name", GIVEN)
def test_the_mean_is_gae(name):
    facts = LESSON.show(shapes()[name]).facts
    row = facts.numbers["advantages"]
    row = row[0] if isinstance(row[0], list) else row
    first = next(x for x in row if x is not None)
    assert facts.numbers["first"]["mixture"] == pytest.approx(first, abs=1e-9)
    assert facts.numbers["first"]["weight_sum"] == pytest.approx(1)


def test_the_mean_number_of_steps():
    lam, tokens = Fraction(4, 5), 6
    found = compute(by_steps, shapes()["running"].merged({"lam": 0.8})).exact
    assert found["mean_steps"] == (1 - lam**tokens) / (1 - lam)
    assert found["horizon"] == 5
    assert "horizon" not in compute(by_steps, shapes()["running"].merged({"lam": 1.0})).exact


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_an_induction_upwards_is_told_upwards():
    told = pages(LESSON, {})
    assert "First for" in told["plain", "en"] and "when no step is taken" in told["plain", "en"]
    assert "先看" in told["plain", "zh"]
