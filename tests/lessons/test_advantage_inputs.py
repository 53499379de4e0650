"""What the advantages read: the trace, the derivatives in closed form, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario, scenario
from lessons._lesson import lessons
from lessons.advantage_inputs.inputs import whitening_with_garbage
from lessons.advantage_inputs.mask import LEFT
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["advantage_inputs"]
VERDICTS = {
    "a_better_next_state_raises_the_advantage": "depends",
    "a_later_reward_lifts_the_advantage_now": "depends",
    "the_last_reward_enters_the_first_advantage": "depends",
    "two_responses_with_equal_rewards_agree": "depends",
    "equal_rewards_force_equal_advantages": "false",
    "advantages_take_a_value_network": "depends",
    "a_reward_reaches_other_tokens": "depends",
    "a_value_reaches_other_tokens": "depends",
    "prompt_is_an_argument": "false",
    "rewards_and_values_are_enough": "depends",
    "gamma_and_lambda_are_needed": "true",
    "recursion_reads_rewards_values_gamma_lambda": "true",
    "advantages_need_log_probabilities": "false",
    "reference_is_a_direct_input": "false",
    "same_rewards_and_values_same_advantages": "true",
    "advantages_stay_while_the_actor_steps": "true",
    "value_after_the_end_must_be_supplied": "false",
    "rewards_alone_are_enough": "false",
    "mask_is_decoration": "false",
    "only_later_inputs_matter": "true",
    "whitened_advantage_depends_on_others": "true",
    "beta_is_a_direct_input": "false",
    "scores_are_needed_beside_rewards": "false",
    "clip_range_enters_the_advantages": "false",
    "own_value_lowers_the_advantage_one_to_one": "true",
    "doubled_rewards_double_the_advantages": "false",
    "level_of_values_is_irrelevant": "false",
    "returns_are_an_input_of_advantages": "false",
    "order_of_tokens_does_not_matter": "false",
    "group_scores_enter_gae": "false",
    "equal_bonus_lifts_all_advantages_alike": "false",
    "own_reward_counts_in_full": "true",
    "prompt_is_a_direct_input": "false",
    "gamma_drops_out_at_lambda_zero": "false",
    "zero_rewards_make_zero_advantages": "false",
    "entropy_enters_the_advantages": "false",
    "value_clip_range_enters_the_advantages": "false",
    "new_value_predictions_enter_the_advantages": "false",
    "first_advantage_reads_every_reward": "true",
    "last_advantage_reads_one_reward_and_one_value": "true",
    "lambda_zero_reads_one_reward_and_two_values": "true",
    "gamma_zero_reads_one_reward_and_one_value": "true",
    "lambda_one_reads_no_later_value": "true",
    "higher_next_value_raises_the_advantage": "true",
    "higher_later_reward_raises_the_advantage": "true",
    "one_advantage_per_response": "false",
    "prompt_tokens_have_advantages": "false",
    "reward_model_is_a_direct_input": "false",
    "kl_reaches_advantages_through_the_rewards": "true",
    "other_responses_enter_raw_advantages": "false",
    "mask_enters_the_recursion": "depends",
    "projects_read_the_same_inputs": "true",
    "advantages_need_a_q_network": "false",
    "next_values_are_another_input": "false",
    "advantages_are_linear_in_rewards_and_values": "true",
    "scaling_both_scales_the_advantages": "true",
    "rewards_can_be_recovered_from_advantages_and_values": "true",
    "values_can_be_recovered_from_advantages_and_rewards": "true",
    "advantages_determine_rewards_and_values": "false",
    "returns_need_advantages_and_values_only": "true",
    "only_the_total_reward_matters": "false",
    "only_the_product_of_gamma_and_lambda_matters": "false",
    "values_must_lie_between_zero_and_one": "false",
    "values_that_foresee_all_leave_no_advantage": "true",
    "zero_values_leave_decayed_rewards": "true",
    "final_reward_reaches_back_with_powers": "true",
    "foreseen_reward_changes_no_advantage": "true",
    "values_make_advantages_better": "depends",
    "only_own_reward_and_two_values_count": "depends",
    "earlier_values_reach_later_advantages": "false",
    "own_value_raises_the_advantage": "false",
    "next_value_lowers_the_advantage": "false",
    "equal_rewards_mean_equal_advantages": "false",
    "own_place_discounts_the_advantage": "false",
    "advantages_are_divided_by_the_length": "false",
    "sparse_rewards_are_enough": "true",
    "rewards_must_not_be_negative": "false",
    "next_reward_weighs_gamma_lambda": "true",
    "next_value_weighs_gamma_times_one_less_lambda": "true",
    "next_value_outweighs_the_own": "false",
    "baseline_is_the_prompts_value": "false",
    "advantage_is_relative_to_the_other_tokens": "false",
    "advantage_may_exceed_every_reward": "true",
    "the_better_scored_response_has_larger_advantages": "depends",
    "values_are_a_baseline_and_nothing_else": "depends",
    "advantages_can_be_negative": "true",
    "first_advantage_reads_the_prompts_value": "true",
    "value_two_steps_on_raises_the_advantage": "true",
    "doubled_values_double_the_advantages": "false",
    "negated_inputs_negate_the_advantages": "true",
    "gamma_matters_at_lambda_one": "true",
    "advantages_are_random_given_the_inputs": "false",
    "reward_scale_matters_to_the_advantages": "depends",
    "a_shift_of_the_score_changes_the_advantages": "depends",
    "advantages_depend_on_the_batch": "depends",
    "advantages_have_mean_zero": "depends",
    "the_mask_is_needed": "depends",
    "advantage_is_a_probability": "false",
    "advantage_is_own_reward_less_own_value": "false",
    "advantage_is_the_change_of_value": "false",
    "rewards_say_what_came_and_values_what_was_expected": "true",
}
READ = ("rewards", "values", "gamma", "lam", "mask")


def facts(**given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


def test_the_audited_example():
    found = LESSON.show(RUNNING).facts.numbers
    assert found["deltas"] == pytest.approx([0.04, 0.045, 0.055, 0.09, 0.13, 0.395])
    assert found["advantages"] == pytest.approx([0.621081, 0.611664, 0.596488, 0.569987, 0.50525, 0.395], abs=1e-6)


def test_with_the_rewards_held_only_four_things_and_the_mask_move_the_advantages():
    found = LESSON.show(RUNNING).facts.exact
    assert {name for name, moved in found["direct"].items() if moved} == set(READ)
    assert {name for name, moved in found["through"].items() if moved} == {
        "scores", "logp", "ref_logp", "beta", "values", "gamma", "lam", "mask"
    }  # fmt: skip


def test_given_rewards_have_no_way_behind_them():
    found = facts(rewards=[0, 1], values=[0.2, 0.4], logp=[-1, -2])
    assert "through" not in found
    assert found["direct"]["logp"] == 0


def test_the_size_of_a_move():
    found = facts(rewards=[0, 1], values=[0.2, 0.4], gamma=1, lam=0.5)
    assert found["direct"]["rewards"] == pytest.approx(1.5 + 1)
    assert found["direct"]["values"] == pytest.approx(abs(1 - 0.5) + 1)


def test_without_the_last_token_the_others_have_the_advantages_of_a_shorter_response():
    given = {"gamma": 0.9, "lam": 0.5}
    whole = facts(rewards=[0, 1, 0.5], values=[0.2, 0.4, 0.6], **given)
    shorter = facts(rewards=[0, 1], values=[0.2, 0.4], **given)
    moved = sum(abs(a - b) for a, b in zip(whole["advantages"], shorter["advantages"], strict=False))
    assert whole["direct"]["mask"] == pytest.approx(moved)
    padded = facts(rewards=[0, 1, 0.5, 7], values=[0.2, 0.4, 0.6, 9], mask=[1, 1, 1, 0], **given)
    assert padded["direct"]["mask"] == pytest.approx(moved)


def test_a_single_token_cannot_be_masked():
    assert "mask" not in facts(rewards=[1], values=[0.4])["direct"]


@pytest.mark.parametrize(("gamma", "lam"), [(1, 1), (0.9, 0.8), (1, 0), (0, 0.5)])
def test_the_maps_have_their_closed_forms(gamma, lam):
    found = facts(rewards=[0.3, -1, 2, 0], values=[0.1, 0.5, -0.2, 0.4], gamma=gamma, lam=lam)
    for t in range(4):
        for k in range(4):
            reward = 0 if k < t else (gamma * lam) ** (k - t)
            value = 0 if k < t else -1 if k == t else gamma * (1 - lam) * (gamma * lam) ** (k - t - 1)
            assert found["by_reward"][t][k] == pytest.approx(reward, abs=1e-12)
            assert found["by_value"][t][k] == pytest.approx(value, abs=1e-12)


def test_whitening_with_and_without_a_mask():
    found = exact_facts(whitening_with_garbage, Scenario())
    masked, whole = ([float(x) for x in found[name][:3]] for name in ("whitened_with_mask", "whitened_without_mask"))
    assert masked == pytest.approx([-0.872872, -0.218218, 1.091089], abs=1e-6)
    mean, n = 26.5, 4
    std = (sum((x - mean) ** 2 for x in (1, 2, 4, 99)) / (n - 1)) ** 0.5
    assert whole == pytest.approx([(x - mean) / std for x in (1, 2, 4)], abs=1e-6)


def test_what_is_masked_is_handed_over_set_to_zero_or_taken_for_a_step():
    gamma, lam, left = 0.9, 0.5, LEFT
    found = facts(rewards=[0, 1, 0.5], values=[0.2, 0.4, 0.6], gamma=gamma, lam=lam)
    whole, mask = found["constants"], [1, 1, 0, 1, 0]
    assert whole["mask"] == mask
    assert [a for a in whole["carried"] if a is not None] == pytest.approx(found["advantages"])

    def by_hand(after_two, end):
        """The response's own three tokens, with these values where the actor wrote nothing."""
        values, rewards = [0.2, 0.4, after_two, 0.6, end], [0, 1, 0, 0.5, 0]
        adv, found = 0, []
        for t in reversed(range(5)):
            delta = rewards[t] + gamma * (values[t + 1] if t < 4 else 0) - values[t]
            adv = delta + gamma * lam * adv
            found.insert(0, adv)
        return found

    assert whole["unmasked"] == pytest.approx(by_hand(left, left))
    zeroed = by_hand(0, 0)
    assert [a for a, m in zip(whole["as_zeros"], mask, strict=True) if m] == pytest.approx(
        [a for a, m in zip(zeroed, mask, strict=True) if m]
    )


def test_what_is_missing_is_named():
    with pytest.raises(EngineError, match="values"):
        facts(rewards=[0, 1])
    for given in ({"values": [0, 1]}, {"scores": [0, 1], "values": [0, 1]}):
        with pytest.raises(EngineError, match="rewards"):
            facts(**given)


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("shape", ["running", "one_token", "zeros", "negative", "lam_one", "padded", "batch"])
def test_claims(name, shape):
    assert LESSON.facts[name].judge(shapes()[shape], denied=False).verdict == VERDICTS[name]


def test_no_claim_is_forgotten():
    assert set(VERDICTS) == set(LESSON.facts)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
