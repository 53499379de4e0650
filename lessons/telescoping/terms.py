"""What learners claim of the terms of the sum: what it needs, what moves it, what it can be read as."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, moved, row, total

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")


def _first_value_counts_minus_one(_: Scenario) -> Judged:
    before, after = (total(row(REWARDS, (first, *VALUES[1:]))["deltas"]) for first in ("0.5", "1.5"))
    return Judged(holds(after - before == -1), {"before": before, "after": after})


def _one_token(_: Scenario) -> Judged:
    found = row(("1",), ("0.5",))
    same = found["deltas"] == found["mc_advantages"]
    return Judged(holds(same), {"delta": found["deltas"][0], "excess": found["mc_advantages"][0]})


def _mean_delta(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    mean = total(found["deltas"]) / len(REWARDS)
    return Judged(
        holds(mean * len(REWARDS) == found["mc_advantages"][0]),
        {"mean": mean, "T": len(REWARDS), "excess": found["mc_advantages"][0]},
    )


def _zero_sum_zero_terms(_: Scenario) -> Judged:
    found = row(("0", "0"), ("0.5", "0.5"))["deltas"], row(("0", "0.5"), ("0.5", "0.75"))["deltas"]
    return Judged(holds(not (total(found[1]) == 0 and any(found[1]))), {"deltas": found[1], "sum": total(found[1])})


def _positive_sum_beats_the_forecast(_: Scenario) -> Judged:
    better, worse = (row(("0", "0", score), VALUES) for score in ("1", "0.25"))
    signs = [total(x["deltas"]) > 0 for x in (better, worse)]
    beats = [x["mc_returns"][0] > x["values"][0] for x in (better, worse)]
    return Judged(
        holds(signs == beats == [True, False]),
        {"v": fraction("0.5"), "good": total(better["deltas"]), "bad": total(worse["deltas"]),
         "good_return": better["mc_returns"][0], "bad_return": worse["mc_returns"][0]},
    )  # fmt: skip


def _advantages_divide_it(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam="0.5")
    return Judged(
        holds(total(found["advantages"]) == found["mc_advantages"][0]),
        {"advantages": total(found["advantages"]), "deltas": total(found["deltas"]),
         "excess": found["mc_advantages"][0]},
    )  # fmt: skip


def _weights_with_lambda(_: Scenario) -> Judged:
    """Σ(γλ)^k δ at λ below one: values are left in it."""
    found = row(REWARDS, VALUES, lam="0.5")
    weighed = total(found["deltas"], "0.5")
    raised = total(row(REWARDS, (VALUES[0], "1.25", VALUES[2]), lam="0.5")["deltas"], "0.5")
    return Judged(
        holds(weighed == found["mc_advantages"][0]),
        {"weighed": weighed, "excess": found["mc_advantages"][0], "raised": raised, "lam": fraction("0.5")},
    )


def _level_of_the_critic(_: Scenario) -> Judged:
    plain, higher = (total(row(REWARDS, values)["deltas"]) for values in (VALUES, ("1.5", "1.25", "1.75")))
    return Judged(holds(higher - plain == -1), {"plain": plain, "higher": higher})


def _each_delta_falls_with_the_level(_: Scenario) -> Judged:
    plain, higher = (row(REWARDS, values)["deltas"] for values in (VALUES, ("1.5", "1.25", "1.75")))
    change = moved(higher, plain)
    return Judged(holds(all(change)), {"moved": change})


def _doubled_rewards(_: Scenario) -> Judged:
    plain, doubled = (total(row(rewards, VALUES)["deltas"]) for rewards in (REWARDS, ("0.4", "0", "2")))
    return Judged(holds(doubled == 2 * plain), {"plain": plain, "doubled": doubled, "v": fraction(VALUES[0])})


def _part_is_n_step(_: Scenario) -> Judged:
    """Two δ against two rewards and the V that follows, less V."""
    found = row(REWARDS, VALUES)
    part = total(found["deltas"][:2])
    n_step = sum(found["rewards"][:2]) + found["values"][2] - found["values"][0]
    return Judged(holds(part == n_step), {"part": part, "step": n_step, "left": found["values"][2]})


def _deltas_as_rewards(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    shaped = row(found["deltas"], (0, 0, 0))["mc_returns"][0]
    return Judged(
        holds(shaped == found["mc_returns"][0] - found["values"][0]),
        {"shaped": shaped, "g": found["mc_returns"][0], "v": found["values"][0]},
    )


def _same_prompt_ranks_alike(_: Scenario) -> Judged:
    one, other = row(("0", "0", "1"), ("0.5", "0.25", "0.75")), row(("0", "0", "0.5"), ("0.5", "0.75", "0.25"))
    sums = [total(x["deltas"]) for x in (one, other)]
    returns = [x["mc_returns"][0] for x in (one, other)]
    return Judged(holds(sums[0] - sums[1] == returns[0] - returns[1]), {"sums": sums, "returns": returns})


def _larger_sum_larger_return(_: Scenario) -> Judged:
    """Two prompts, of which the critic expects different things."""
    hard, easy = row(("0", "0.75"), ("0.25", "0.5")), row(("0", "1"), ("0.75", "0.75"))
    sums = [total(x["deltas"]) for x in (hard, easy)]
    returns = [x["mc_returns"][0] for x in (hard, easy)]
    return Judged(holds((sums[0] > sums[1]) == (returns[0] > returns[1])), {"sums": sums, "returns": returns})


def _bounded(_: Scenario) -> Judged:
    """Scores and first values at the ends of the range from zero to one, later values anywhere."""
    sums = [
        total(row(("0", "0", score), (first, "0.9", "0.1"))["deltas"]) for score in ("0", "1") for first in ("0", "1")
    ]
    return Judged(holds(min(sums) >= -1 and max(sums) <= 1), {"least": min(sums), "most": max(sums)})


def _gamma_zero(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, gamma=0)
    summed = total(found["deltas"], 0)
    return Judged(
        holds(summed == found["rewards"][0] - found["values"][0] == found["mc_advantages"][0]),
        {"sum": summed, "r": found["rewards"][0], "v": found["values"][0]},
    )


def _sign_is_free(_: Scenario) -> Judged:
    """r + V_t − V_{t+1} in the place of r + V_{t+1} − V_t."""
    found = row(REWARDS, VALUES)
    v = found["values"]
    flipped = sum(r + now - then for r, now, then in zip(found["rewards"], v, [*v[1:], 0 * v[0]], strict=True))
    return Judged(
        holds(flipped == found["mc_advantages"][0]), {"flipped": flipped, "excess": found["mc_advantages"][0]}
    )


def _values_one_late(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    late = total(row(REWARDS, (*VALUES[1:], "0"))["deltas"])
    return Judged(holds(late == found["mc_advantages"][0]), {"late": late, "excess": found["mc_advantages"][0]})


def _weights_count_from_the_start(_: Scenario) -> Judged:
    """From the second token on, at γ below one: powers from 0 there, or as counted from the first token."""
    found = row(REWARDS, VALUES, gamma="0.5")
    here = total(found["deltas"][1:], "0.5")
    there = here * fraction("0.5")
    excess = found["mc_advantages"][1]
    return Judged(holds(here == excess != there), {"here": here, "there": there, "excess": excess})


def _forwards_or_backwards(_: Scenario) -> Judged:
    deltas = row(REWARDS, VALUES)["deltas"]
    one, other = total(deltas), total(deltas[::-1])
    return Judged(holds(one == other), {"one": one, "other": other})


def _later_values_at_lambda_one(_: Scenario) -> Judged:
    before, after = (row(REWARDS, values)["advantages"][0] for values in (VALUES, (VALUES[0], "9", "-7")))
    return Judged(holds(before != after), {"before": before, "after": after})


def _every_advantage_sum_at_zero(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=0)
    both = total(found["advantages"]), total(found["deltas"])
    return Judged(holds(both[0] == both[1] == found["mc_advantages"][0]), {"sum": both[0], "lam": fraction(0)})


def _holds_for_squares(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    squares, whole = (total([x * x for x in terms]) for terms in (found["deltas"], found["mc_advantages"][:1]))
    return Judged(holds(squares == whole), {"squares": squares, "whole": whole})


def _zero_on_average(_: Scenario) -> Judged:
    """The two ends of a coin, before an exact V."""
    sums = [total(row(("0", end), ("0.5", "0.5"))["deltas"]) for end in ("1", "0")]
    return Judged(holds(sum(sums) == 0 and any(sums)), {"sums": sums, "mean": sum(sums) / 2})


def _equal_first_values(_: Scenario) -> Judged:
    """Two critics that agree before the first token and nowhere else."""
    one, other = (row(REWARDS, values)["deltas"] for values in (VALUES, (VALUES[0], "-3", "8")))
    return Judged(
        holds(total(one) == total(other) and one != other),
        {"sums": [total(one), total(other)], "one": one, "other": other},
    )


def _return_from_the_sum(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, gamma="0.9")
    back = found["values"][0] + total(found["deltas"], "0.9")
    return Judged(
        holds(back == found["mc_returns"][0]), {"back": back, "v": found["values"][0], "g": found["mc_returns"][0]}
    )


TERMS: dict[str, Check] = {
    "exact_critic_makes_the_sum_average_to_zero": _zero_on_average,
    "critics_with_equal_first_values_give_equal_sums": _equal_first_values,
    "return_is_first_value_plus_the_sum": _return_from_the_sum,
    "first_value_enters_with_minus_one": _first_value_counts_minus_one,
    "one_token_sum_is_its_delta": _one_token,
    "mean_delta_is_the_excess_over_length": _mean_delta,
    "zero_sum_means_all_deltas_zero": _zero_sum_zero_terms,
    "positive_sum_means_better_than_expected": _positive_sum_beats_the_forecast,
    "advantages_telescope_too": _advantages_divide_it,
    "sum_weighted_with_lambda_is_return_minus_value": _weights_with_lambda,
    "raising_all_values_lowers_the_sum_by_as_much": _level_of_the_critic,
    "raising_all_values_moves_every_delta": _each_delta_falls_with_the_level,
    "doubling_rewards_doubles_the_sum": _doubled_rewards,
    "part_of_the_sum_is_the_n_step_advantage": _part_is_n_step,
    "return_of_deltas_is_return_less_first_value": _deltas_as_rewards,
    "same_prompt_responses_differ_as_their_returns": _same_prompt_ranks_alike,
    "larger_sum_means_larger_return": _larger_sum_larger_return,
    "sum_lies_between_minus_one_and_one": _bounded,
    "at_gamma_zero_the_sum_is_reward_less_value": _gamma_zero,
    "sign_of_the_values_in_delta_is_free": _sign_is_free,
    "telescoping_survives_values_one_late": _values_one_late,
    "discount_powers_count_from_the_first_term": _weights_count_from_the_start,
    "order_of_adding_does_not_matter": _forwards_or_backwards,
    "later_values_move_the_advantage_at_lambda_one": _later_values_at_lambda_one,
    "at_lambda_zero_the_advantages_sum_to_the_excess": _every_advantage_sum_at_zero,
    "squares_of_deltas_telescope": _holds_for_squares,
}
