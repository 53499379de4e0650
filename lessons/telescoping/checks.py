"""More of what learners claim of the sum of TD errors: λ, where it starts, its sign and size, what one value does."""

from __future__ import annotations

from typing import Any

from engine import quantities, sequences
from engine.facts import exact_facts
from engine.one_token import OneToken, outlook
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._first import on_own

CLOSE = 1e-9
LAST_TOKEN = OneToken(probabilities=(0.6, 0.4), rewards=(1.0, 0.0), next_values=(0.0, 0.0))


def _at(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", at_hand().merged(changes)).exact)


def _gae(rewards: Any, values: Any) -> dict[str, Any]:
    given = scenario({"rewards": rewards, "values": values, "gamma": 1, "lam": 1})
    return dict(quantities.facts("gae", given).exact)


def _depends_on_lambda(_: Scenario) -> Judged:
    sums = [_at(lam=lam)["delta_sum"] for lam in (0.0, 0.5, 1.0)]
    return Judged(holds(len(set(sums)) > 1), {"sums": sums})


def _zero_if_exact(_: Scenario) -> Judged:
    """One token, its V exact: the sum is its one δ."""
    found = exact_facts(outlook(LAST_TOKEN), Scenario())
    return Judged(
        holds(not any(found["deltas"])),
        {"value": found["value"], "sums": found["deltas"], "mean": found["mean_delta"]},
    )


def _sum_is_the_return(own: Scenario) -> Judged:
    found = quantities.facts("gae", own).exact
    return Judged(
        holds(found["delta_sum"] == found["mc_returns"][0]),
        {"sum": found["delta_sum"], "return": found["mc_returns"][0], "value": found["values"][0]},
    )


def _advantage_at_lambda_one(_: Scenario) -> Judged:
    theorem("gae_lambda_one_is_monte_carlo")
    found = _at(lam=1.0)
    return Judged(
        holds(abs(float(found["advantages"][0] - found["delta_sum"])) < CLOSE),
        {"sum": found["delta_sum"], "advantage": found["advantages"][0]},
    )


def _from_any_token(_: Scenario) -> Judged:
    theorem("telescoping")
    found = _at()
    gamma = found["delta_sum"] * 0 + 1
    sums = [sequences.discounted_sum(found["deltas"][t:], gamma) for t in range(at_hand().length)]
    same = all(abs(float(s - a)) < CLOSE for s, a in zip(sums, found["mc_advantages"], strict=True))
    return Judged(holds(same), {"sums": sums[1:3], "excess": found["mc_advantages"][1:3]})


def _majority(_: Scenario) -> Judged:
    found = _gae([0, 0, 1], [0.5, 0.375, 0.25])
    negative = sum(1 for d in found["deltas"] if d < 0)
    return Judged(
        holds(not (negative > 1 and found["delta_sum"] > 0)), {"deltas": found["deltas"], "sum": found["delta_sum"]}
    )


def _every_reward_once(_: Scenario) -> Judged:
    rewards, values = [0, 0, 1], [0.5, 0.25, 0.75]
    before = _gae(rewards, values)["delta_sum"]
    moved = [_gae([r + (i == t) for i, r in enumerate(rewards)], values)["delta_sum"] - before for t in range(3)]
    return Judged(holds(set(moved) == {1}), {"moved": moved})


def _one_value_two_deltas(_: Scenario) -> Judged:
    rewards, values = [0, 0, 1], [0.5, 0.25, 0.75]
    before, after = _gae(rewards, values)["deltas"], _gae(rewards, [0.5, 0.5, 0.75])["deltas"]
    moved = [b - a for a, b in zip(before, after, strict=True)]
    return Judged(holds(moved[0] == -moved[1] != 0 == moved[2]), {"moved": moved, "total": sum(moved)})


def _longer_is_larger(_: Scenario) -> Judged:
    short, long = (_gae([0] * (n - 1) + [1], [0.5] * n)["delta_sum"] for n in (2, 20))
    return Judged(holds(long > short), {"short": short, "long": long, "few": 2, "many": 20})


def _two_discounts(_: Scenario) -> Judged:
    """Deltas made with one γ and added up with another."""
    found = _at(gamma=0.9)
    one = found["delta_sum"] * 0 + 1
    mixed = sequences.discounted_sum(found["deltas"], one)
    return Judged(
        holds(abs(float(mixed - found["excess"])) < CLOSE),
        {"gamma": 0.9, "mixed": mixed, "sum": found["delta_sum"], "excess": found["excess"]},
    )


def _rewards_alone(_: Scenario) -> Judged:
    """Rewards minus values, token by token, added up: the next values left out."""
    found = _at()
    bare = sum(r - v for r, v in zip(found["rewards"], found["values"], strict=True))
    return Judged(holds(abs(float(bare - found["excess"])) < CLOSE), {"bare": bare, "excess": found["excess"]})


MORE: dict[str, Check] = {
    "sum_depends_on_lambda": _depends_on_lambda,
    "exact_critic_makes_the_sum_zero": _zero_if_exact,
    "deltas_sum_to_the_return": on_own(_sum_is_the_return, tokens=1),
    "sum_is_the_advantage_at_lambda_one": _advantage_at_lambda_one,
    "holds_from_any_token": _from_any_token,
    "more_negative_deltas_mean_negative_sum": _majority,
    "every_reward_counts_once": _every_reward_once,
    "one_value_moves_two_deltas": _one_value_two_deltas,
    "longer_responses_have_larger_sums": _longer_is_larger,
    "deltas_and_sum_may_use_different_gammas": _two_discounts,
    "summing_reward_less_value_works_too": _rewards_alone,
}
