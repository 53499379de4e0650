"""More of what learners claim about groups: signs, scale, size, and which baseline belongs to which method."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from engine import by_group, formulas
from engine.facts import exact_facts
from engine.groups import GRPO_EPSILON, mean_centred, remax, share
from engine.scenario import Scenario, scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds

NEAR = 0.0001  # ε beside the deviation keeps the scale from dropping out entirely


def _grpo(*scores: float) -> list[Any]:
    return list(exact_facts(by_group.grpo, scenario({"group_rewards": list(scores)}))["advantages"])


def _rloo(*scores: float) -> dict[str, Any]:
    return exact_facts(by_group.rloo, scenario({"group_rewards": list(scores)}))


def _alike(one: list[Any], other: list[Any]) -> bool:
    return all(abs(float(a) - float(b)) < NEAR for a, b in zip(one, other, strict=True))


def _scale_drops_out(_: Scenario) -> Judged:
    small, large = _grpo(1, 0, 0, 1), _grpo(10, 0, 0, 10)
    return Judged(holds(_alike(small, large)), {"small": small[0], "large": large[0], "times": 10})


def _offset_matters(_: Scenario) -> Judged:
    plain, shifted = _grpo(1, 0, 0, 1), _grpo(6, 5, 5, 6)
    return Judged(holds(not _alike(plain, shifted)), {"plain": plain[0], "shifted": shifted[0]})


def _wrong_gets_zero(_: Scenario) -> Judged:
    found = _grpo(1, 0, 0, 1)
    return Judged(holds(close(found[1], 0)), {"right": found[0], "wrong": found[1]})


def _rare_success_counts_more(_: Scenario) -> Judged:
    rare, common = _grpo(1, 0, 0, 0)[0], _grpo(1, 1, 1, 0)[0]
    return Judged(holds(rare > common), {"rare": rare, "common": common})


def _tiny_differences_are_blown_up(_: Scenario) -> Judged:
    tiny, plain = _grpo(0.51, 0.5), _grpo(1, 0)
    near = abs(float(tiny[0] - plain[0])) < NEAR * 10
    return Judged(holds(near), {"tiny": tiny[0], "plain": plain[0], "a": 0.51, "b": 0.5})


def _positive_score_is_pushed_up(_: Scenario) -> Judged:
    found = _grpo(0.5, 1, 1, 1)
    return Judged(holds(found[0] > 0), {"score": 0.5, "adv": found[0]})


def _rloo_divides(_: Scenario) -> Judged:
    small, large = _rloo(1, 0)["advantages"][0], _rloo(10, 0)["advantages"][0]
    return Judged(holds(small == large), {"small": small, "large": large})


def _rloo_takes_all(_: Scenario) -> Judged:
    """The baseline of the first response, when only its own score is another."""
    low, high = _rloo(0, 1, 0)["baselines"][0], _rloo(9, 1, 0)["baselines"][0]
    return Judged(holds(low != high), {"low": low, "high": high})


def _group_of_one_is_silent(_: Scenario) -> Judged:
    """verl takes mean 0 and deviation 1 for a group of one."""
    score = Fraction(1)
    found = formulas.standardise(score, 0 * score, score, GRPO_EPSILON)
    return Judged(holds(close(found, 0)), {"score": score, "adv": float(found)})


def _order_is_kept(_: Scenario) -> Judged:
    scores = (0.2, 0.9, 0.5, 0.1)
    found = _grpo(*scores)
    by_score, by_advantage = (sorted(range(4), key=row.__getitem__) for row in (list(scores), found))
    return Judged(holds(by_score == by_advantage), {"scores": list(scores), "adv": found})


def _remax_takes_the_mean(_: Scenario) -> Judged:
    """The sampled response's return less the greedy response's score."""
    greedy, mean = Fraction(3, 4), Fraction(1, 2)
    found = remax([Fraction(1)], greedy, [1])[0]
    return Judged(holds(found == 1 - mean), {"adv": found, "greedy": greedy, "mean": mean})


def _bigger_groups_shrink(_: Scenario) -> Judged:
    """Half of the group right: does the advantage stay about the same, however many there are?"""
    small, large = _grpo(1, 0)[0], _grpo(*([1] * 8 + [0] * 8))[0]
    lone = [_grpo(1, *[0] * (k - 1))[0] for k in (2, 16)]
    return Judged(holds(lone[1] < lone[0]), {"small": small, "large": large, "lone": lone})


def _other_prompts_count(_: Scenario) -> Judged:
    """The same group beside two different ones."""
    found = [
        exact_facts(by_group.grpo, scenario({"group_rewards": [[1, 0], other]}))["advantages"][0][0]
        for other in ([0, 0.5], [9, 3])
    ]
    return Judged(holds(found[0] != found[1]), {"one": found[0], "other": found[1]})


def _dr_grpo_divides(_: Scenario) -> Judged:
    small, large = (
        exact_facts(by_group.grpo, scenario({"group_rewards": row}))["centered"][0] for row in ([1, 0], [10, 0])
    )
    return Judged(holds(small == large), {"small": small, "large": large})


def _length_counts(_: Scenario) -> Judged:
    """One advantage handed to three tokens and to one."""
    rows = share(mean_centred([Fraction(1), Fraction(0)], [0, 0]), [[1, 1, 1], [1, 0, 0]])
    long, short = rows[0][0], rows[1][0]
    return Judged(holds(abs(long) != abs(short)), {"long": long, "short": short})


def _two_settle_it(_: Scenario) -> Judged:
    """Any two different scores: the same two GRPO advantages."""
    one, other = _grpo(1, 0), _grpo(0.9, 0.2)
    return Judged(holds(_alike(one, other)), {"one": one[0], "other": other[0]})


def _stays_within_one(_: Scenario) -> Judged:
    found = _grpo(1, *[0] * 7)
    return Judged(holds(max(found) <= 1), {"most": max(found), "others": found[1]})


def _larger_group_is_quieter(_: Scenario) -> Judged:
    """The spread of RLOO's baseline over all outcomes of fair coins, in groups of two and of five."""

    def spread(others: int) -> Fraction:
        means = [Fraction(sum(way), others) for way in product((0, 1), repeat=others)]
        return sum((formulas.squared_error(m, Fraction(1, 2)) for m in means), Fraction(0)) / len(means)

    small, large = spread(1), spread(4)
    return Judged(holds(large < small), {"small": small, "large": large})


MORE: dict[str, Check] = {
    "grpo_ignores_the_scale_of_scores": _scale_drops_out,
    "constant_added_to_scores_changes_grpo": _offset_matters,
    "wrong_answers_get_zero_advantage": _wrong_gets_zero,
    "rare_success_gets_larger_advantage": _rare_success_counts_more,
    "std_blows_up_tiny_differences": _tiny_differences_are_blown_up,
    "positive_score_means_positive_group_advantage": _positive_score_is_pushed_up,
    "rloo_divides_by_the_std": _rloo_divides,
    "rloo_baseline_contains_the_own_score": _rloo_takes_all,
    "group_of_one_has_zero_advantage": _group_of_one_is_silent,
    "grpo_keeps_the_order_of_scores": _order_is_kept,
    "remax_subtracts_the_group_mean": _remax_takes_the_mean,
    "lone_success_counts_less_in_a_larger_group": _bigger_groups_shrink,
    "scores_of_other_prompts_enter_grpo": _other_prompts_count,
    "dr_grpo_divides_by_the_std": _dr_grpo_divides,
    "longer_response_gets_smaller_group_advantage": _length_counts,
    "two_responses_always_get_the_same_grpo_pair": _two_settle_it,
    "grpo_advantages_stay_within_one": _stays_within_one,
    "larger_group_has_a_quieter_baseline": _larger_group_is_quieter,
}
