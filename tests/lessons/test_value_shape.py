"""How values move: the changes against sums written out, the three kinds of reward, the claims."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["value_shape"]
VERDICTS = {
    "values_start_at_zero": "false",
    "value_is_success_probability": "true",
    "cost_alone_makes_values_rise": "true",
    "values_go_one_way": "depends",
    "positive_rewards_make_values_fall": "true",
    "positive_rewards_fall_at_any_gamma": "false",
    "kl_cost_makes_values_rise": "true",
    "kl_rise_is_certain": "false",
    "values_always_rise": "false",
    "values_always_fall": "false",
    "outcome_only_is_level_on_average": "true",
    "outcome_only_is_constant": "depends",
    "outcome_only_never_falls": "false",
    "discount_alone_makes_a_ramp": "true",
    "falling_values_mean_failure": "false",
    "up_and_down_is_normal": "true",
    "last_value_approaches_last_reward": "true",
    "values_must_follow_the_realised_return": "false",
    "larger_gamma_flattens_the_curve": "true",
    "longer_responses_start_lower": "depends",
    "values_lie_between_zero_and_one": "false",
    "negative_values_are_wrong": "false",
    "a_rise_means_a_good_token": "false",
    "a_flat_curve_has_learned_nothing": "false",
    "values_jump_where_the_outcome_is_decided": "true",
    "zero_rewards_have_zero_values": "true",
    "value_knows_the_later_tokens": "false",
    "value_is_the_chance_of_success": "true",
    "larger_beta_makes_the_rise_steeper": "true",
    "equal_rewards_make_equal_steps_down": "true",
    "at_gamma_zero_the_curve_is_the_rewards": "true",
    "a_higher_final_score_lifts_all_values_alike": "true",
    "scaling_the_rewards_scales_the_curve": "true",
    "a_bad_outcome_makes_a_discounted_curve_fall": "true",
    "every_value_is_the_expected_total": "false",
    "the_curve_ends_at_zero": "false",
    "values_must_change_smoothly": "false",
    "a_better_policy_has_higher_values": "true",
    "a_slip_lowers_the_value": "true",
    "doubt_shrinks_towards_the_end": "true",
    "outcome_only_inner_delta_is_the_change_of_value": "true",
    "a_small_discount_erases_the_start_of_long_answers": "true",
    "values_have_the_sign_of_what_remains": "true",
    "the_first_value_is_the_largest": "false",
    "the_last_value_is_the_largest": "false",
    "realised_returns_are_level_while_values_move": "true",
    "a_positive_reward_raises_the_next_value": "false",
    "a_drop_means_a_negative_reward": "false",
    "process_rewards_step_the_curve_down": "true",
    "kl_rise_holds_on_average": "true",
    "k3_makes_the_rise_certain": "true",
    "kl_in_the_loss_leaves_the_curve_level": "true",
    "falling_values_mean_negative_advantages": "false",
    "the_first_value_tells_how_hard_the_prompt_is": "true",
    "outcome_only_values_move_only_at_the_last_token": "false",
    "values_lie_between_worst_and_best_outcome": "true",
    "gamma_leaves_the_values_alone": "false",
    "certain_success_keeps_values_level": "true",
    "rising_values_are_a_good_sign": "depends",
    "curves_of_one_prompt_start_at_one_value": "true",
    "smaller_gamma_lowers_the_start_of_the_curve": "true",
    "sum_of_the_values_is_the_return": "false",
    "gains_make_values_rise_and_costs_make_them_fall": "false",
    "first_value_is_what_this_response_earns": "false",
    "lambda_shapes_the_exact_values": "false",
    "value_is_the_sum_of_what_remains": "true",
    "the_step_down_is_the_expected_reward": "true",
    "value_rises_by_the_reward_received": "false",
    "a_right_answer_has_higher_values_everywhere": "false",
    "last_value_equals_the_score": "false",
    "values_approach_the_final_score_on_average": "true",
    "a_high_value_guarantees_success": "false",
    "values_have_mean_zero": "false",
    "a_smooth_value_curve_is_better": "depends",
    "higher_values_are_better": "depends",
    "more_tokens_to_come_lower_the_value_under_kl": "true",
    "kl_leaves_the_value_curve_alone": "false",
    "without_chance_exact_values_have_zero_deltas": "true",
    "a_cost_lowers_the_values_before_it_only": "true",
    "the_critics_curve_is_the_exact_one": "false",
    "earlier_rewards_change_later_values": "false",
    "likelier_tokens_lead_to_higher_values": "false",
    "kl_costs_lower_all_values": "true",
    "outcome_only_value_is_the_mean_score": "true",
    "level_values_mean_zero_advantages": "false",
    "rising_values_mean_positive_rewards": "false",
    "right_answers_values_rise_on_average": "true",
    "wrong_answers_values_fall_on_average": "true",
    "right_answers_values_never_fall": "false",
    "value_after_the_last_token_is_zero": "true",
    "the_first_value_is_the_expected_total": "true",
    "the_shape_depends_on_the_rewards": "true",
    "with_positive_rewards_the_first_value_is_the_largest": "true",
    "under_costs_the_first_value_is_the_lowest": "true",
    "a_good_token_raises_the_value": "true",
    "values_stay_level": "depends",
    "values_never_move": "false",
    "the_first_value_is_the_highest_one": "depends",
    "values_are_probabilities": "depends",
    "values_are_above_zero": "depends",
    "a_smaller_gamma_lowers_the_values": "depends",
    "more_left_means_more_value": "depends",
    "one_point_more_lifts_every_value_alike": "depends",
    "values_grow_during_training": "depends",
    "discounting_tilts_the_curve_upwards": "depends",
    "a_larger_gamma_makes_the_curve_flatter": "depends",
    "longer_responses_always_start_lower": "false",
    "values_are_zero_until_the_reward": "false",
    "a_kl_penalty_changes_the_values": "depends",
    "neighbouring_values_differ_by_the_reward": "depends",
    "the_value_curve_is_a_straight_line": "depends",
    "a_smaller_gamma_always_lowers_the_values": "false",
    "more_left_always_means_more_value": "false",
    "values_always_grow_during_training": "false",
    "one_point_more_always_lifts_all_alike": "false",
    "discounting_always_tilts_upwards": "false",
    "whether_values_rise_turns_on_the_rewards": "true",
    "whether_values_are_probabilities_turns_on_the_rewards": "true",
    "a_right_choice_is_followed_by_a_higher_value": "depends",
    "a_right_answers_values_rise": "depends",
    "outcome_only_is_always_constant": "false",
    "rising_values_are_always_a_good_sign": "false",
}
BY_GAMMA = ("positive_rewards_make_values_fall", "kl_cost_makes_values_rise")


def facts(**given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


@pytest.mark.parametrize("name", [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name])
def test_the_change_is_the_difference_of_neighbouring_returns(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    r, gamma = found["rewards"], case.gamma
    g = [sum(gamma ** (k - t) * r[k] for k in range(t, len(r))) for t in range(len(r))] + [0.0]
    assert found["mc_returns"] == pytest.approx(g[:-1], abs=1e-9)
    assert found["change"] == pytest.approx([b - a for a, b in pairwise(g)], abs=1e-9)


def test_directions_of_the_running_example():
    found = LESSON.show(RUNNING).facts.numbers
    assert (found["g_rises"], found["g_falls"]) == (4, 1)
    assert (found["v_rises"], found["v_falls"]) == (5, 0)
    assert (found["positive"], found["negative"]) == (2, 4)


def test_directions_do_not_count_the_end_or_rounding():
    level = facts(rewards=[0, 0, 0, 1])
    assert (level["g_rises"], level["g_falls"]) == (0, 0)
    tenths = facts(rewards=[0.1, 0.2, 0, 0.3])
    assert (tenths["g_rises"], tenths["g_falls"]) == (0, 2)


def test_the_three_kinds():
    grid = facts(values=[0.1])["grid"]
    assert grid["dense"] == pytest.approx([0.8, 0.6, 0.4, 0.2])
    assert grid["cost"] == pytest.approx([0.7, 0.8, 0.9, 1.0])
    assert grid["outcome_discounted"] == pytest.approx([0.729, 0.81, 0.9, 1.0])


def test_the_search_finds_rewards_that_break_the_rule():
    found = facts(values=[0.1])["constants"]
    (r, s), (v, w) = found["gain_rewards"], found["gain_values"]
    assert r > 0 and s > 0 and w > v
    assert (v, w) == pytest.approx((r + 0.9 * s, s))
    (r, s), (v, w) = found["cost_rewards"], found["cost_values"]
    assert r < 0 and s < 0 and w < v


def test_values_alone_tell_the_rewards_they_imply():
    found = facts(values=[0.9, 0.7, 0.5, 0.2], gamma=0.5)
    assert found["implied_rewards"] == pytest.approx([0.55, 0.45, 0.4, 0.2])
    assert found["value_changes"] == pytest.approx([-0.2, -0.2, -0.3, -0.2])
    assert all(pages(LESSON, {"values": [0.9, 0.7, 0.5, 0.2], "gamma": 0.5}).values())
    assert all(pages(LESSON, {"rewards": [1, 1, 1]}).values())


def test_something_is_needed():
    with pytest.raises(EngineError, match="missing"):
        facts(scores=[0, 1])


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "two_tokens", "zeros", "negative", "padded", "batch"])
def test_claims(name, shape):
    case = shapes()[shape]
    expected = "depends" if name in BY_GAMMA and case.gamma != 1 else VERDICTS[name]
    assert LESSON.facts[name].judge(case, denied=False).verdict == expected


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
