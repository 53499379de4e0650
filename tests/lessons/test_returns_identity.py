"""R = A + V: the facts against sums written out, the small world against its definition, the claims."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.fork import small_world
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["returns_identity"]
VERDICTS = {
    "is_the_lambda_return": "true",
    "is_the_monte_carlo_return": "false",
    "is_monte_carlo_at_lambda_one": "true",
    "is_q": "false",
    "is_a_sample_of_q": "true",
    "critic_learns_q_from_it": "false",
    "independent_of_the_critic": "false",
    "independent_of_lambda": "false",
    "last_return_is_last_reward": "true",
    "own_value_cancels": "true",
    "counts_earlier_rewards": "false",
    "cannot_exceed_total_reward": "false",
    "lambda_zero_gives_the_one_step_target": "true",
    "return_is_the_tokens_reward": "false",
    "all_returns_equal_the_score": "true",
    "return_less_value_is_advantage": "true",
    "lies_between_one_step_and_monte_carlo": "false",
    "critic_puts_out_the_returns": "false",
    "exact_critic_makes_returns_equal_values": "false",
    "raising_the_next_value_raises_the_return": "depends",
    "larger_lambda_means_larger_return": "depends",
    "no_advantage_means_return_is_value": "true",
    "returns_obey_their_own_recursion": "true",
    "no_reward_means_no_return": "depends",
    "larger_gamma_means_larger_return": "depends",
    "at_lambda_one_the_critic_drops_out": "true",
    "at_lambda_zero_only_the_next_value_counts": "true",
    "independent_of_gamma": "false",
    "earlier_values_reach_the_return": "false",
    "exact_critic_makes_the_mean_return_the_value": "true",
    "actor_is_given_returns": "false",
    "cannot_be_negative": "false",
    "grow_along_the_response": "false",
    "obey_the_plain_reward_recursion": "false",
    "doubling_rewards_doubles_returns": "depends",
    "is_unbiased": "depends",
    "critic_errors_enter_below_lambda_one": "true",
    "above_the_value_means_positive_advantage": "true",
    "first_return_is_the_total_reward": "depends",
    "at_lambda_one_it_is_q": "false",
    "is_a_mixture_of_n_step_returns": "true",
    "gamma_zero_gives_the_reward": "true",
    "less_value_is_the_monte_carlo_advantage": "false",
    "advantages_are_made_from_returns": "false",
    "is_reward_plus_value": "false",
    "is_always_the_one_step_target": "false",
    "gap_to_monte_carlo_is_later_news": "true",
    "a_constant_on_values_is_added": "false",
    "last_reward_counts_gamma_lambda_powers": "true",
    "projects_agree_on_returns": "true",
    "larger_lambda_leans_on_rewards": "true",
    "at_lambda_zero_returns_are_values": "false",
    "last_return_ignores_lambda": "true",
    "scores_up_to_one_keep_returns_below_one": "false",
    "own_value_matters_for_a_not_for_r": "true",
    "is_a_better_target_than_monte_carlo": "depends",
    "lambda_one_is_the_one_step_target": "false",
    "return_is_advantage_less_value": "false",
    "return_adds_the_next_value": "false",
    "own_value_is_counted_twice": "false",
    "returns_add_whitened_advantages": "false",
    "returns_are_one_number_for_all_tokens": "depends",
    "returns_contain_the_kl": "true",
    "there_is_one_return_per_token": "true",
    "a_return_belongs_to_the_state_after_the_token": "false",
    "returns_average_to_zero": "false",
    "later_rewards_reach_the_return_for_positive_lambda": "true",
    "the_own_reward_is_in_the_return_in_full": "true",
    "the_next_value_weighs_one_less_lambda_in_the_return": "true",
    "a_reward_moves_advantage_and_return_alike": "true",
    "returns_are_larger_than_advantages": "depends",
    "returns_are_larger_than_values": "depends",
    "returns_and_advantages_share_lambda": "true",
    "returns_can_be_had_without_advantages": "true",
    "value_clipping_bounds_the_returns": "false",
    "lambda_one_makes_the_best_targets": "depends",
    "returns_are_the_critics_target": "true",
    "returns_are_known_before_the_end": "false",
    "same_prompt_gives_the_same_first_return": "false",
    "the_last_value_reaches_the_first_return": "true",
    "a_return_is_the_mean_of_the_rewards": "false",
    "tokens_without_reward_leave_the_returns": "depends",
    "returns_are_monte_carlo_returns": "depends",
    "monte_carlo_or_not_turns_on_lambda": "true",
    "returns_hold_later_values": "depends",
    "later_values_enter_returns_and_not_monte_carlo": "true",
    "returns_rise_along_the_response": "depends",
    "returns_are_positive": "depends",
    "returns_are_summed_backwards": "depends",
    "returns_are_one_step_targets": "depends",
    "less_value_they_are_monte_carlo_advantages": "depends",
    "larger_lambda_always_means_larger_return": "false",
    "larger_gamma_always_means_larger_return": "false",
    "returns_are_always_above_advantages": "false",
    "the_kl_is_in_the_returns": "depends",
    "the_return_is_between_its_two_ends": "depends",
    "every_return_is_the_score": "depends",
    "a_later_reward_reaches_the_return": "depends",
    "the_identity_is_only_approximate": "false",
    "lambda_moves_every_return": "false",
    "returns_are_unbiased_for_q": "depends",
    "every_return_is_always_the_score": "false",
    "a_later_reward_always_reaches_the_return": "false",
    "returns_always_hold_the_kl": "false",
    "whether_returns_read_the_critic_turns_on_lambda": "true",
    "returns_exceed_monte_carlo_returns": "depends",
    "returns_have_the_sign_of_advantages": "depends",
    "the_last_value_moves_the_first_return": "depends",
    "a_positive_return_means_a_positive_advantage": "false",
    "a_higher_next_value_always_raises_the_return": "false",
    "no_reward_always_means_no_return": "false",
    "doubling_rewards_always_doubles_returns": "false",
    "first_return_is_always_the_total_reward": "false",
    "returns_are_always_larger_than_values": "false",
    "returns_are_always_unbiased": "false",
    "baselines_gets_the_advantages_back_from_the_returns": "true",
}


def test_the_running_example():
    found = LESSON.show(shapes()["running"]).facts.numbers
    assert found["returns"] == pytest.approx([0.821081, 0.861664, 0.896488, 0.919987, 0.95525, 0.995], abs=1e-6)
    assert found["mc_returns"] == pytest.approx([0.955, 0.965, 0.97, 0.965, 0.975, 0.995])


@pytest.mark.parametrize("name", GIVEN)
def test_both_ways_agree(name):
    found = LESSON.show(shapes()[name]).facts.numbers
    rows = [(found["returns"], found["lambda_returns"])]
    if isinstance(found["returns"][0], list):
        rows = list(zip(*rows[0], strict=True))
    for one, other in rows:
        kept = [(a, b) for a, b in zip(one, other, strict=True) if a is not None]
        assert [a for a, _ in kept] == pytest.approx([b for _, b in kept], abs=1e-9)


def test_the_small_world():
    found = small_world().numbers
    assert (found["good_end"], found["bad_end"]) == (0.75, 0.25)
    assert found["mean"] == found["q"] == 0.5
    assert found["mean_of_all"] == found["value"] == 0.375
    assert found["mean_with_wrong_critic"] == 0.625


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


def test_no_difference_is_claimed_where_there_is_none():
    for name in ("lam_one", "one_token", "zeros"):
        assert "discounted away" not in pages(LESSON, GIVEN[name])["plain", "en"]


def test_a_single_real_token_among_padding_has_its_pages():
    assert all(pages(LESSON, {"rewards": [1, 5], "values": [0.5, 9], "mask": [1, 0]}).values())
