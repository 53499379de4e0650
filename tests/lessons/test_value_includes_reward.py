"""V_t includes r_t: the two readings against sums written out, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import Scenario, scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["value_includes_reward"]
VERDICTS = {
    "value_includes_own_reward": "true",
    "perfect_last_value_is_zero": "false",
    "next_value_includes_reward": "false",
    "delta_counts_reward_twice": "false",
    "token_is_already_written": "false",
    "value_knows_the_drawn_reward": "false",
    "every_delta_is_zero_with_exact_value": "false",
    "mean_delta_is_zero_with_exact_value": "true",
    "value_without_reward_works_as_well": "false",
    "value_is_own_reward_only": "false",
    "first_value_holds_all_rewards": "true",
    "value_falls_by_what_was_paid": "true",
    "value_holds_the_kl_penalty": "true",
    "own_reward_is_discounted": "false",
    "gamma_zero_leaves_the_own_reward": "true",
    "any_critic_holds_the_reward": "false",
    "return_counts_the_reward_twice": "false",
    "value_holding_the_reward_is_q": "false",
    "advantage_is_chosen_less_expected": "true",
    "value_holds_all_later_rewards": "true",
    "value_holds_rewards_already_paid": "false",
    "last_value_is_the_mean_last_reward": "true",
    "terminal_value_holds_the_last_reward": "false",
    "value_is_mean_of_reward_and_next_value": "true",
    "value_is_mean_of_next_value_alone": "false",
    "delta_is_reward_less_expected_reward_and_news": "true",
    "last_delta_is_positive_if_reward_exceeds_value": "true",
    "raising_a_reward_raises_values_up_to_its_token": "true",
    "reward_that_every_token_gets_leaves_delta_alone": "true",
    "critic_of_zeros_makes_delta_the_reward": "true",
    "critic_learns_it_because_its_target_holds_it": "true",
    "own_reward_can_be_left_out_of_the_targets": "false",
    "value_holds_it_only_at_gamma_one": "false",
    "lambda_decides_whether_value_holds_it": "false",
    "first_value_holds_the_final_score": "true",
    "q_holds_the_chosen_tokens_reward": "true",
    "q_less_v_is_the_reward": "false",
    "q_is_reward_plus_own_value": "false",
    "delta_needs_no_reward_term": "false",
    "bias_of_leaving_it_out_is_the_mean_reward": "true",
    "outcome_only_settles_it_at_the_last_token": "true",
    "value_read_after_the_token_lacks_its_reward": "true",
    "value_holds_it_because_rewards_come_first": "false",
    "it_depends_on_the_library": "false",
    "expected_reward_in_the_baseline_keeps_the_gradient": "true",
    "share_of_the_reward_follows_the_policy": "true",
    "advantage_loses_the_own_reward": "false",
    "zero_delta_means_zero_reward": "false",
    "value_is_reward_plus_next_value_at_any_gamma": "false",
    "suttons_next_reward_is_in_the_value": "true",
    "whitening_hides_a_left_out_reward": "false",
    "compare_value_with_the_return_of_the_same_index": "true",
    "value_less_the_drawn_reward_is_always_the_next_value": "false",
    "td_target_holds_the_own_reward": "true",
    "leaving_it_out_makes_the_last_value_zero": "true",
    "sum_of_deltas_counts_each_reward_once": "true",
    "with_exact_values_every_td_target_is_the_value": "false",
    "own_value_is_larger_than_the_next": "depends",
    "value_less_discounted_next_is_the_reward": "true",
    "critic_needs_the_reward_as_an_input": "false",
    "return_holds_the_mean_reward_and_value_the_drawn": "false",
    "value_is_the_average_of_later_rewards": "false",
    "bellman_equation_needs_lambda_one": "false",
    "reward_is_still_to_come_when_value_is_read": "true",
    "value_is_never_below_its_reward": "false",
    "value_equals_the_actual_return": "false",
    "with_outcome_only_each_value_is_the_expected_score": "true",
    "negative_reward_makes_the_value_negative": "false",
    "zero_value_means_no_rewards_left": "false",
    "own_reward_is_the_largest_part_of_value": "depends",
    "last_value_is_the_actual_score": "false",
    "neighbouring_values_share_the_later_rewards": "true",
    "next_reward_in_value_has_gamma": "true",
    "reward_enters_delta_with_a_minus": "false",
    "every_value_holds_the_final_score": "true",
    "td_target_swaps_expected_for_actual": "true",
    "reward_is_fixed_by_the_state": "false",
    "where_nothing_is_paid_values_stay_level": "true",
    "including_it_leaks_the_future": "false",
    "mean_zero_delta_shows_it_is_included": "true",
    "final_score_is_discounted_in_earlier_values": "true",
    "own_kl_is_in_the_value": "true",
    "leaving_it_out_shifts_all_values_alike": "false",
    "inclusion_matters_to_the_critic_only": "false",
    "lambda_one_makes_inclusion_irrelevant": "false",
    "return_and_value_cover_the_same_rewards": "true",
    "a_value_after_the_reward_is_the_better_definition": "depends",
    "value_contains_kl": "depends",
    "value_contains_kl_wherever_the_kl_is": "false",
    "later_rewards_count_less_in_the_value": "depends",
    "later_rewards_always_count_less_in_the_value": "false",
    "value_falls_by_the_drawn_reward": "depends",
    "inclusion_matters_at_a_middle_token": "depends",
    "raising_some_reward_raises_the_value": "depends",
    "value_is_above_its_reward": "depends",
    "value_can_be_below_its_reward": "true",
    "responses_to_a_prompt_share_their_values": "depends",
    "first_value_is_the_expected_score_in_full": "depends",
    "value_equals_the_next_value": "depends",
}


@pytest.mark.parametrize("name", [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name])
def test_the_value_with_the_reward_leaves_no_surprise_and_the_other_does(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    r, w, gamma = found["rewards"], found["values_without_reward"], case.gamma
    assert found["deltas_of_exact"] == pytest.approx([0] * len(r), abs=1e-9)
    for t in range(len(r)):
        rest = sum(gamma ** (k - t) * r[k] for k in range(t + 1, len(r)))
        assert w[t] == pytest.approx(rest, abs=1e-9)
        after = w[t + 1] if t + 1 < len(w) else 0
        assert found["deltas_without_reward"][t] == pytest.approx(r[t] + gamma * after - w[t], abs=1e-9)


def test_one_token_by_hand():
    world = LESSON.show(RUNNING).facts.numbers["constants"]
    assert world["value"] == pytest.approx(0.6)
    assert world["deltas"] == pytest.approx([0.4, -0.6])
    assert world["mean_delta"] == pytest.approx(0)
    assert world["mean_delta_without_reward"] == pytest.approx(0.6)


def test_rewards_alone_are_enough():
    case = completed(scenario({"rewards": [0, 0, 2]}))[0]
    assert LESSON.show(case).facts.numbers["mc_returns"] == [2, 2, 2]
    assert all(pages(LESSON, {"rewards": [0, 0, 2]}).values())


def test_without_rewards_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(completed(scenario({"values": [0.1, 0.2]}))[0])
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(Scenario())


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]
    denied = {"true": "false", "false": "true", "depends": "depends"}[VERDICTS[name]]
    assert LESSON.facts[name].judge(shapes()[shape], denied=True).verdict == denied


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
