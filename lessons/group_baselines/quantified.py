"""What turns on the case, said of groups in every case or in some."""

from __future__ import annotations

from lessons._fact import Check
from lessons._turns import always, sometimes
from lessons.group_baselines.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "tokens_always_share_one_advantage": always(TRIED["answers_tokens_share_one_advantage"]),
    "group_advantages_always_scale_with_the_scores": always(TRIED["group_advantages_scale_with_the_scores"]),
    "baseline_always_contains_the_own_score": always(TRIED["baseline_contains_the_own_score"]),
    "several_responses_are_always_needed": always(TRIED["several_responses_per_prompt_are_needed"]),
    "normalisation_always_stays_within_the_group": always(TRIED["normalisation_stays_within_the_group"]),
    "critic_free_gradient_is_always_unbiased": always(TRIED["critic_free_gradient_is_unbiased"]),
    "gamma_always_matters_without_a_critic": always(TRIED["gamma_matters_without_a_critic"]),
    "gamma_can_matter_without_a_critic": sometimes(TRIED["gamma_matters_without_a_critic"]),
    "right_answers_advantage_is_always_above_one": always(TRIED["right_answers_advantage_is_above_one"]),
    "right_answers_can_get_the_same_advantage": sometimes(TRIED["right_answers_get_the_same_advantage"]),
    "grpo_is_always_larger_than_rloo": always(TRIED["grpo_is_larger_than_rloo"]),
}
