"""What depends on the numbers, as lines about the exact facts of one response; what takes more is not here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from lessons._own import Own

CLOSE = 1e-9
Line = Callable[[Own], bool]


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Sequence):
        return len(a) == len(b) and all(map(_same, a, b))
    return math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE)


def _above(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return all(x - y > CLOSE for x, y in zip(a, b, strict=True))


def _positive(a: Sequence[Any]) -> bool:
    return all(x > CLOSE for x in a)


def _one_number(a: Sequence[Any]) -> bool:
    return all(_same(x, a[0]) for x in a)


def _rises(a: Sequence[Any]) -> bool:
    return all(y - x > CLOSE for x, y in pairwise(a))


def _falls(a: Sequence[Any]) -> bool:
    return all(x - y > CLOSE for x, y in pairwise(a))


def _alone(x: Any, a: Sequence[Any]) -> bool:
    """Whether a number is the largest, and nothing else is as large."""
    return sum(x - y <= CLOSE for y in a) == 1


def _sign(x: Any) -> int:
    return (x > CLOSE) - (x < -CLOSE)


def _signs(a: Sequence[Any]) -> list[int]:
    return [_sign(x) for x in a]


def _ranks(a: Sequence[Any]) -> list[int]:
    return sorted(range(len(a)), key=lambda t: -a[t])


def _total(a: Sequence[Any]) -> Any:
    return sum(a)


def _next(a: Sequence[Any]) -> list[Any]:
    return [*a[1:], 0]


def _excess(x: Own) -> Any:
    return x.mc_returns[0] - x.values[0]


def _ahead(x: Own) -> list[Any]:
    """r_t + γ V_{t+1}."""
    gamma = x.gamma
    return [float(r) + gamma * float(v) for r, v in zip(x.rewards, _next(x.values), strict=True)]


def _same_number(*names: str) -> Line:
    return lambda x: _one_number(getattr(x, names[0]))


def _equal(one: str, other: str) -> Line:
    return lambda x: _same(getattr(x, one), getattr(x, other))


def _larger(one: str, other: str) -> Line:
    return lambda x: _above(getattr(x, one), getattr(x, other))


def _bootstraps(x: Own) -> bool:
    return x.lam < 1


def _decays(x: Own) -> bool:
    return x.gamma < 1


def _fades(x: Own) -> bool:
    return x.gamma * x.lam < 1


_FIRST_IS_EXCESS: Line = lambda x: _same(x.advantages[0], _excess(x))  # noqa: E731
_SUM_IS_EXCESS: Line = lambda x: _same(x.advantage_sum, _excess(x))  # noqa: E731
_DELTAS_GIVE_EXCESS: Line = lambda x: _same(_total(x.deltas), _excess(x))  # noqa: E731
_MIDDLE_IS_ZERO: Line = lambda x: all(_same(r, 0) for r in x.rewards[:-1])  # noqa: E731
_LAST_IS_SCORE: Line = lambda x: _same(x.rewards[-1], x.scores[-1])  # noqa: E731
_REWARDS_ARE_SCORES = _equal("rewards", "scores")
_PENALTY_LOWERS: Line = lambda x: _above(x.scores, x.rewards)  # noqa: E731
_LAST_LARGEST: Line = lambda x: _alone(x.advantages[-1], x.advantages)  # noqa: E731
_RATIOS_ONE: Line = lambda x: _same(list(x.ratio), [1] * len(x.ratio))  # noqa: E731
_NONE_CLIPPED: Line = lambda x: _same(x.clipfrac, 0)  # noqa: E731

LINES: Mapping[str, Line] = {
    # sums and the excess
    "advantage_sum.the_advantage_sum_can_stand_in_for_the_excess": _SUM_IS_EXCESS,
    "advantage_sum.excess_is_the_sum_of_the_tokens_excesses": _SUM_IS_EXCESS,
    "advantage_sum.advantages_add_up_to_the_excess_at_this_lambda": _SUM_IS_EXCESS,
    "advantage_sum.the_sum_is_larger_than_the_excess": lambda x: x.advantage_sum - _excess(x) > CLOSE,
    "advantage_sum.plain_deltas_sum_to_the_excess": _DELTAS_GIVE_EXCESS,
    "advantage_sum.first_advantage_equals_the_excess": _FIRST_IS_EXCESS,
    "advantage_sum.the_two_sums_are_equal": lambda x: _same(x.advantage_sum, _total(x.deltas)),
    "advantage_sum.the_advantages_sum_to_zero": lambda x: _same(x.advantage_sum, 0),
    "advantage_sum.sum_and_excess_have_one_sign": lambda x: _sign(x.advantage_sum) == _sign(_excess(x)),
    "telescoping.the_sum_is_the_first_advantage": lambda x: _same(_total(x.deltas), x.advantages[0]),
    "telescoping.plain_sum_is_return_minus_value": _DELTAS_GIVE_EXCESS,
    "telescoping.the_advantage_is_the_sum_of_the_later_deltas": lambda x: _same(x.lam, 1) or len(x.deltas) == 1,
    "telescoping.later_values_move_the_advantage": _bootstraps,
    "telescoping.later_rewards_count_less_in_the_sum": _decays,
    "audit.a_delta_sum_off_the_excess_is_a_mistake": lambda x: _same(x.gamma, 1),
    "audit.returns_off_the_reward_to_go_are_a_mistake": lambda x: _same(x.lam, 1),
    "audit.advantages_off_returns_less_values_are_a_mistake": lambda x: _same(x.lam, 1),
    # beside Monte Carlo, and beside δ
    "mc_vs_gae.verl_returns_less_values_is_monte_carlo": _equal("advantages", "mc_advantages"),
    "mc_vs_gae.gae_equals_monte_carlo": _equal("advantages", "mc_advantages"),
    "mc_vs_gae.gae_is_smaller_in_size": lambda x: _above(list(map(abs, x.mc_advantages)), list(map(abs, x.advantages))),
    "mc_vs_gae.gae_lies_below_monte_carlo": _larger("mc_advantages", "advantages"),
    "mc_vs_gae.gae_and_monte_carlo_agree_in_sign": lambda x: _signs(x.advantages) == _signs(x.mc_advantages),
    "mc_vs_gae.gae_and_monte_carlo_rank_this_response_alike": lambda x: _ranks(x.advantages) == _ranks(x.mc_advantages),
    "mc_vs_gae.gae_uses_later_values": _bootstraps,
    "mc_vs_gae.the_return_falls_along_the_response": lambda x: _falls(x.mc_returns),
    "mc_vs_gae.the_first_return_adds_up_all_rewards": lambda x: _same(x.mc_returns[0], _total(x.rewards)),
    "mc_vs_gae.all_tokens_have_the_same_return": _same_number("mc_returns"),
    "mc_vs_gae.the_monte_carlo_advantage_falls_along_the_response": lambda x: _falls(x.mc_advantages),
    "definitions.gae_advantage_is_the_td_error": _equal("advantages", "deltas"),
    "definitions.advantage_is_return_minus_value": _equal("advantages", "mc_advantages"),
    "definitions.return_is_the_actual_sum": _equal("returns", "mc_returns"),
    "definitions.return_is_an_unweighted_sum": lambda x: _same(x.gamma, 1),
    "definitions.value_is_positive": lambda x: _positive(x.values),
    "definitions.advantage_is_positive": lambda x: _positive(x.advantages),
    "definitions.advantages_have_mean_zero": lambda x: _same(_total(x.advantages), 0),
    "definitions.rewards_are_positive": lambda x: all(r >= 0 for r in x.rewards),
    "definitions.return_exceeds_the_reward": _larger("mc_returns", "rewards"),
    "definitions.scores_and_rewards_hold_the_same_numbers": _REWARDS_ARE_SCORES,
    "definitions.last_reward_is_the_score": _LAST_IS_SCORE,
    "definitions.inner_rewards_are_zero": _MIDDLE_IS_ZERO,
    "advantage_inputs.advantages_have_mean_zero": lambda x: _same(_total(x.advantages), 0),
    "advantage_inputs.only_own_reward_and_two_values_count": lambda x: _same(x.gamma * x.lam, 0),
    "advantage_inputs.a_value_reaches_other_tokens": lambda x: x.gamma > 0,
    "why_not_delta.advantage_equals_delta": _equal("advantages", "deltas"),
    "why_not_delta.delta_lies_below_the_advantage": _larger("advantages", "deltas"),
    "why_not_delta.delta_is_smaller_in_size_than_the_advantage": lambda x: _above(
        list(map(abs, x.advantages)), list(map(abs, x.deltas))
    ),
    "why_not_delta.delta_and_advantage_agree_in_sign": lambda x: _signs(x.advantages) == _signs(x.deltas),
    "why_not_delta.delta_and_advantage_rank_this_response_alike": lambda x: _ranks(x.advantages) == _ranks(x.deltas),
    "why_not_delta.the_advantage_is_the_sum_of_later_deltas": lambda x: _same(x.gamma * x.lam, 1),
    "why_not_delta.delta_is_the_change_of_value": lambda x: (
        _same(x.gamma, 1) and _same(x.deltas, [float(w) - float(v) for v, w in pairwise([*x.values, 0])])
    ),
    "bootstrap.later_values_move_the_advantage": _bootstraps,
    "bootstrap.gae_bootstraps": _bootstraps,
    "bootstrap.returns_hold_later_values": _bootstraps,
    "bootstrap.a_higher_next_value_lifts_the_advantage": lambda x: x.gamma > 0 and x.lam < 1,
    "why_lambda.farther_deltas_count_less": _fades,
    "why_lambda.later_errors_of_the_critic_reach_the_advantage": lambda x: x.gamma * x.lam > 0 and x.lam < 1,
    "why_lambda.the_outcome_reaches_the_first_advantage": lambda x: x.gamma * x.lam > 0,
    # what the critic is trained on
    "returns_identity.returns_are_monte_carlo_returns": _equal("returns", "mc_returns"),
    "returns_identity.less_value_they_are_monte_carlo_advantages": _equal("advantages", "mc_advantages"),
    "returns_identity.first_return_is_the_total_reward": lambda x: _same(x.returns[0], _total(x.rewards)),
    "returns_identity.returns_are_one_number_for_all_tokens": _same_number("returns"),
    "returns_identity.returns_are_larger_than_advantages": _larger("returns", "advantages"),
    "returns_identity.returns_are_larger_than_values": _larger("returns", "values"),
    "returns_identity.returns_hold_later_values": _bootstraps,
    "returns_identity.returns_rise_along_the_response": lambda x: _rises(x.returns),
    "returns_identity.returns_are_positive": lambda x: _positive(x.returns),
    "returns_identity.returns_are_summed_backwards": _equal("returns", "mc_returns"),
    "returns_identity.returns_are_one_step_targets": lambda x: _same(x.returns, _ahead(x)),
    "returns_identity.every_return_is_the_score": lambda x: _same(x.returns, [x.rewards[-1]] * len(x.returns)),
    "returns_identity.returns_exceed_monte_carlo_returns": _larger("returns", "mc_returns"),
    "returns_identity.returns_have_the_sign_of_advantages": lambda x: _signs(x.returns) == _signs(x.advantages),
    "critic_target.target_is_monte_carlo": _equal("returns", "mc_returns"),
    "critic_target.target_contains_the_critics_predictions": _bootstraps,
    "critic_target.target_is_above_the_value": _larger("returns", "values"),
    "critic_target.all_tokens_have_the_same_target": _same_number("returns"),
    "critic_target.target_is_one_reward_and_the_next_value": lambda x: _same(x.returns, _ahead(x)),
    "critic_target.targets_stay_between_nought_and_one": lambda x: all(0 <= y <= 1 for y in x.returns),
    "critic_target.targets_equal_the_score": lambda x: _same(x.returns, [x.rewards[-1]] * len(x.returns)),
    "critic_target.no_value_is_clipped": lambda x: _same(x.vf_clipfrac, 0),
    "critic_target.vpreds_equal_values": _equal("vpreds", "old_values"),
    "ppo_loop.vpreds_are_values": _equal("vpreds", "old_values"),
    "why_gamma.every_token_has_the_same_return": _same_number("mc_returns"),
    "why_gamma.the_return_is_a_plain_sum": lambda x: _same(x.gamma, 1),
    "why_gamma.a_far_reward_counts_less": _decays,
    "why_gamma.early_tokens_hear_less_of_the_score": _decays,
    "reward_owner.first_return_is_the_sum_of_rewards": lambda x: _same(x.mc_returns[0], _total(x.rewards)),
    "value_includes_reward.later_rewards_count_less_in_the_value": _decays,
    # the shape of a response
    "credit_assignment.the_last_advantage_is_the_largest": _LAST_LARGEST,
    "credit_assignment.the_first_advantage_is_the_largest": lambda x: _alone(x.advantages[0], x.advantages),
    "credit_assignment.tokens_of_an_answer_share_one_advantage": _same_number("advantages"),
    "credit_assignment.final_reward_weighs_the_same_in_every_advantage": lambda x: _same(x.gamma * x.lam, 1),
    "credit_assignment.a_right_answer_is_praised": lambda x: _positive(x.advantages),
    "token_pipeline.the_last_advantage_is_the_largest": _LAST_LARGEST,
    "token_pipeline.earlier_advantages_are_larger": lambda x: _falls(x.advantages),
    "token_pipeline.all_tokens_have_the_same_advantage": _same_number("advantages"),
    "token_pipeline.all_returns_are_equal": _same_number("returns"),
    "token_pipeline.returns_exceed_the_values": _larger("returns", "values"),
    "token_pipeline.a_right_answer_has_positive_advantages": lambda x: _positive(x.advantages),
    "token_pipeline.the_score_fades_on_its_way_back": _fades,
    "value_includes_reward.own_value_is_larger_than_the_next": lambda x: _falls(x.values),
    "value_includes_reward.value_equals_the_next_value": _same_number("values"),
    "value_includes_reward.value_is_above_its_reward": _larger("values", "rewards"),
    "value_shape.values_go_one_way": lambda x: _rises(x.values),
    "value_shape.values_stay_level": _same_number("values"),
    "value_shape.the_first_value_is_the_highest_one": lambda x: _alone(x.values[0], x.values),
    "value_shape.values_are_probabilities": lambda x: all(0 <= v <= 1 for v in x.values),
    "value_shape.values_are_above_zero": lambda x: _positive(x.values),
    # rewards and KL
    "token_pipeline.middle_rewards_are_zero": _MIDDLE_IS_ZERO,
    "kl_reward.middle_rewards_are_zero": _MIDDLE_IS_ZERO,
    "reward_owner.middle_rewards_are_zero": _MIDDLE_IS_ZERO,
    "index_conventions.the_first_tokens_reward_is_nought": lambda x: _same(x.rewards[0], 0),
    "reward_owner.middle_rewards_are_negative": lambda x: all(r < 0 for r in x.rewards[:-1]),
    "reward_owner.last_reward_is_the_largest": lambda x: _alone(x.rewards[-1], x.rewards),
    "token_pipeline.last_reward_is_the_score": _LAST_IS_SCORE,
    "reward_owner.last_reward_is_the_score": _LAST_IS_SCORE,
    "kl_reward.the_last_reward_equals_the_score": _LAST_IS_SCORE,
    "token_pipeline.rewards_and_scores_hold_the_same_numbers": _REWARDS_ARE_SCORES,
    "kl_reward.rewards_equal_scores": _REWARDS_ARE_SCORES,
    "kl_reward.penalty_lowers_every_reward": _PENALTY_LOWERS,
    "kl_reward.a_larger_beta_lowers_a_tokens_reward": lambda x: _positive(x.kl),
    "kl_reward.a_responses_total_is_below_its_score": lambda x: _total(x.scores) - _total(x.rewards) > CLOSE,
    "kl_reward.the_kl_is_not_negative": lambda x: all(k >= -CLOSE for k in x.kl),
    "reference_policy.policy_equals_the_reference": _equal("logp", "ref_logp"),
    "reference_policy.policy_likes_the_token_more_than_the_reference": _larger("logp", "ref_logp"),
    # ratios and clipping
    "surrogate.ratio_is_one": _RATIOS_ONE,
    "ppo_loop.ratio_is_one_in_the_update": _RATIOS_ONE,
    "surrogate.ratio_is_above_one": lambda x: all(y > 1 for y in x.ratio),
    "surrogate.surrogate_is_positive": lambda x: x.surrogate > 0,
    "surrogate.value_is_the_mean_advantage": lambda x: _same(x.surrogate, _total(x.advantages) / len(x.advantages)),
    "surrogate.batch_mean_of_ratios_is_one": lambda x: _same(_total(x.ratio) / len(x.ratio), 1),
    "ppo_clip.clip_fraction_is_zero": _NONE_CLIPPED,
    "ppo_loop.no_token_is_clipped_in_the_update": _NONE_CLIPPED,
    "ppo_clip.clip_changes_the_objective": lambda x: not _same(x.objective, x.surrogate),
    # whitening and groups
    "whitening.most_tokens_end_up_negative": lambda x: 2 * sum(y < 0 for y in x.whitened) > len(x.whitened),
    "whitening.gaps_grow": lambda x: x.std_sample < 1,
    "whitening.lowers_the_variance_of_advantages": lambda x: x.std_sample > 1,
    "whitening.whitened_advantage_is_above_one": lambda x: max(x.whitened) > 1,
}
