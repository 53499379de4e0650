"""More of what learners claim about sums: of whitened advantages, of returns, with λ, with the length."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from engine import quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.proofs.programs import gae
from engine.scenario import Scenario, scenario
from lessons._at_hand import at_hand
from lessons._compare import close
from lessons._fact import Check, Judged, holds

ONE, HALF = Fraction(1), Fraction(1, 2)
TWO = scenario({"rewards": [[0, 1], [0, 0]], "values": [[0.5, 0.5], [0.5, 0.5]], "gamma": 1, "lam": 1})


def _at(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, at_hand().merged(changes))


def _each_response_whitens_to_zero(_: Scenario) -> Judged:
    rows = exact_facts(quantities.whiten, TWO)["whitened"]
    sums = [sum(row) for row in rows]
    return Judged(
        holds(all(close(x, 0) for x in sums)), {"first": round(float(sums[0]), 6), "second": round(float(sums[1]), 6)}
    )


def _sum_grows_with_lambda(_: Scenario) -> Judged:
    rewards, values = [0 * ONE, -ONE], [0 * ONE, 0 * ONE]
    small, large = (sum(gae(rewards, values, ONE, lam)) for lam in (0 * ONE, ONE))
    theorem("sum_of_advantages_weighs_deltas")
    return Judged(holds(large >= small), {"r": rewards, "none": small, "one": large})


def _length_changes_the_sum(_: Scenario) -> Judged:
    """One surprise at the end of two tokens and of four."""
    short, long = ([0 * ONE] * (n - 1) + [ONE] for n in (2, 4))
    sums = [sum(gae(r, [0 * ONE] * len(r), ONE, ONE)) for r in (short, long)]
    excesses = [sequences.mc_returns(r, ONE)[0] for r in (short, long)]
    return Judged(
        holds(sums[0] != sums[1] and excesses[0] == excesses[1]),
        {"short": sums[0], "long": sums[1], "excess": excesses[0]},
    )


def _returns_add_up_to_the_reward(_: Scenario) -> Judged:
    found = _at()
    returns, rewards = sum(found["returns"]), sum(found["rewards"])
    return Judged(holds(close(returns, rewards)), {"returns": returns, "rewards": rewards})


def _rewards_add_up_to_the_first_return(_: Scenario) -> Judged:
    found = _at(gamma=1.0)
    return Judged(
        holds(close(sum(found["rewards"]), found["mc_returns"][0])),
        {"sum": sum(found["rewards"]), "g": found["mc_returns"][0]},
    )


def _zero_sum_teaches_nothing(_: Scenario) -> Judged:
    """A sum of 0, and the probability of the first token pushed up all the same."""
    rewards, values = [0 * ONE, 0 * ONE], [0 * ONE, ONE]
    found = gae(rewards, values, ONE, 0 * ONE)
    return Judged(holds(not any(found) or sum(found) != 0), {"a": found, "sum": sum(found)})


def _all_positive_means_more(_: Scenario) -> Judged:
    """At γ = 1 the excess is A_0 + (1 − λ)ΣA of the later ones; and no exception on a grid."""
    grid = [Fraction(n, 2) for n in (-2, -1, 0, 1, 2)]
    exceptions = 0
    for r_0, r_1, v_1 in product(grid, repeat=3):
        found = gae([r_0, r_1], [0 * ONE, v_1], ONE, HALF)
        exceptions += all(a > 0 for a in found) and r_0 + r_1 <= 0
    own = _at()
    least = min(own["advantages"])
    return Judged(
        holds(exceptions == 0),
        {"tried": len(grid) ** 3, "exceptions": exceptions, "least": least, "excess": own["excess"]},
    )


def _excess_depends_on_lambda(_: Scenario) -> Judged:
    half, one = _at(lam=0.5)["excess"], _at(lam=1.0)["excess"]
    return Judged(holds(half != one), {"half": half, "one": one})


def _excess_depends_on_middle_values(_: Scenario) -> Judged:
    values = list(RUNNING.rows("values")[0])
    other = _at(values=[values[0], *(v + 1 for v in values[1:])])
    return Judged(
        holds(other["delta_sum"] != _at()["delta_sum"]), {"before": _at()["delta_sum"], "after": other["delta_sum"]}
    )


def _largest_advantage_gave_most(_: Scenario) -> Judged:
    found = _at()
    by_a, by_delta = (found[name].index(max(found[name])) for name in ("advantages", "deltas"))
    return Judged(
        holds(by_a == by_delta),
        {"a": max(found["advantages"]), "delta": found["deltas"][by_a], "largest": max(found["deltas"])},
    )


def _excess_is_the_total_reward(_: Scenario) -> Judged:
    found = _at()
    total = sum(found["rewards"])
    return Judged(
        holds(close(found["excess"], total)), {"excess": found["excess"], "total": total, "v": found["values"][0]}
    )


def _excess_is_zero_on_average(_: Scenario) -> Judged:
    """Two ends at even odds; a critic that is right, and one that is not."""
    ends = ([0 * ONE, ONE], [0 * ONE, 0 * ONE])

    def mean_excess(first: Fraction) -> Fraction:
        return sum((sequences.mc_returns(r, ONE)[0] - first for r in ends), 0 * ONE) / 2

    right, wrong = mean_excess(HALF), mean_excess(Fraction(1, 5))
    return Judged("depends" if right == 0 != wrong else holds(right == 0), {"right": right, "wrong": wrong})


def _negative_excess_blames_every_token(_: Scenario) -> Judged:
    """Less than expected in all, and yet a token that did well."""
    rewards, values = [0 * ONE, 0 * ONE], [HALF, ONE]
    found = gae(rewards, values, ONE, 0 * ONE)
    excess = sum(rewards) - values[0]
    return Judged(holds(all(a < 0 for a in found)), {"v": values, "adv": found, "excess": excess})


MORE: dict[str, Check] = {
    "every_response_whitens_to_sum_zero": _each_response_whitens_to_zero,
    "advantage_sum_always_grows_with_lambda": _sum_grows_with_lambda,
    "advantage_sum_depends_on_the_length": _length_changes_the_sum,
    "returns_add_up_to_the_total_reward": _returns_add_up_to_the_reward,
    "rewards_add_up_to_the_first_return": _rewards_add_up_to_the_first_return,
    "zero_advantage_sum_teaches_nothing": _zero_sum_teaches_nothing,
    "all_positive_advantages_mean_more_than_expected": _all_positive_means_more,
    "excess_depends_on_lambda": _excess_depends_on_lambda,
    "excess_depends_on_the_middle_values": _excess_depends_on_middle_values,
    "largest_advantage_contributed_most": _largest_advantage_gave_most,
    "excess_is_the_total_reward": _excess_is_the_total_reward,
    "excess_averages_to_zero": _excess_is_zero_on_average,
    "negative_excess_makes_every_advantage_negative": _negative_excess_blames_every_token,
}
