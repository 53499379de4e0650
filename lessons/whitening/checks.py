"""More of what learners claim of whitening: its range, its ε, what it is taken over, and what it leaves alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, quantities, statistics
from engine.conventions import VERL_NEW, Rollout, run
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from engine.statistics import WHITENING_EPSILON
from lessons._fact import Check, Judged, holds

CLOSE = 1e-6
SMALL = [1e-4, 2e-4, 4e-4]  # advantages so small that ε is seen
GROUPS = [[1, 2], [3, 4], [10, 11], [12, 13]]  # two responses to one prompt, two to another


def _white(advantages: Any) -> list[float]:
    return [float(x) for x in quantities.facts("whiten", scenario({"advantages": advantages})).exact["whitened"]]


def _batch(rows: Any) -> list[list[float]]:
    found = quantities.facts("whiten", scenario({"advantages": rows})).exact["whitened"]
    return [[float(x) for x in row] for row in found]


def _same(xs: Any, ys: Any) -> bool:
    return all(abs(x - y) < CLOSE for x, y in zip(xs, ys, strict=True))


def _round(xs: Any) -> list[float]:
    return [round(float(x), 4) for x in xs]


def _rewards_or_advantages(_: Scenario) -> Judged:
    """Rewards whitened before GAE, beside advantages whitened after it."""
    rewards, rest = [0.0, 0.2, 1.0], {"values": [0.5, 0.25, 0.75], "gamma": 1, "lam": 0.5}
    after = _white(
        list(map(float, quantities.facts("gae", scenario({"rewards": rewards, **rest})).exact["advantages"]))
    )
    before = quantities.facts("gae", scenario({"rewards": _white(rewards), **rest})).exact["advantages"]
    return Judged(holds(_same(map(float, before), after)), {"before": _round(before), "after": _round(after)})


def _unshifted_keeps_mean(_: Scenario) -> Judged:
    given = [1.0, 2.0, 4.0]
    found = statistics.whiten(given, [1, 1, 1], shift_mean=False)
    mean, kept = sum(given) / 3, sum(found) / 3
    return Judged(holds(abs(mean - kept) < CLOSE), {"given": given, "found": _round(found), "mean": round(kept, 4)})


def _constant(_: Scenario) -> Judged:
    theorem("whitening_ignores_affine_maps")
    one, other = _white([1, 2, 4]), _white([101, 102, 104])
    return Judged(holds(not _same(one, other)), {"one": _round(one), "other": _round(other), "added": 100})


def _half_negative(_: Scenario) -> Judged:
    given = [1, 1, 1, 9]
    found = _white(given)
    below = sum(1 for x in found if x < 0)
    return Judged(holds(2 * below == len(given)), {"given": given, "found": _round(found), "below": below})


def _within_one(_: Scenario) -> Judged:
    given = [1, 1, 1, 9]
    found = _white(given)
    return Judged(holds(max(map(abs, found)) <= 1), {"given": given, "largest": round(max(found), 4)})


def _epsilon_beside_std(_: Scenario) -> Judged:
    """Inside the root, as in verl, or beside the standard deviation."""
    rollout = Rollout(rewards=[SMALL], values=[[0.0] * 3], mask=[[1] * 3])
    verl = float(run(rollout, VERL_NEW, gamma=0.0, lam=0.0).normalised[0][0])
    mean, variance = sum(SMALL) / 3, statistics.masked_variance(SMALL, [1] * 3)
    beside = formulas.standardise(SMALL[0], mean, float(variance) ** 0.5, float(WHITENING_EPSILON))
    return Judged(
        holds(abs(verl - beside) < CLOSE), {"verl": round(verl, 4), "beside": round(beside, 4), "given": SMALL}
    )


def _by_group(_: Scenario) -> Judged:
    whole, group = _batch(GROUPS), _batch(GROUPS[:2])
    return Judged(
        holds(_same(whole[0], group[0])),
        {"first": GROUPS[0], "whole": _round(whole[0]), "group": _round(group[0])},
    )


def _two_values(_: Scenario) -> Judged:
    one, other = _white([0, 1]), _white([-3, 50])
    return Judged(holds(_same(one, other)), {"one": _round(one), "other": _round(other)})


def _population_is_larger(_: Scenario) -> Judged:
    found = quantities.facts("whiten", scenario({"advantages": [1, 2, 4]})).exact
    sample, population = (abs(float(found[name][2])) for name in ("whitened", "whitened_population"))
    return Judged(holds(population > sample), {"sample": round(sample, 4), "population": round(population, 4)})


def _sample_is_larger(_: Scenario) -> Judged:
    found = quantities.facts("whiten", scenario({"advantages": [1, 2, 4]})).exact
    sample, population = (round(float(found[name]), 4) for name in ("std_sample", "std_population"))
    return Judged(holds(sample > population), {"sample": sample, "population": population})


def _outlier(_: Scenario) -> Judged:
    usual, squeezed = _white([0, 1, 2]), _white([0, 1, 20])
    gaps = [round(row[1] - row[0], 4) for row in (usual, squeezed)]
    return Judged(holds(gaps[1] < gaps[0]), {"usual": gaps[0], "squeezed": gaps[1], "outlier": Fraction(20)})


def _clips(_: Scenario) -> Judged:
    """One value far off among many alike: how many standard deviations it stays away."""
    given = [*([0] * 24), 50]
    found = _white(given)
    gap = (given[-1] - given[0]) / statistics.masked_variance(given, [1] * len(given)) ** 0.5
    largest = round(max(found), 4)
    return Judged(holds(found[-1] - found[0] < 0.99 * gap), {"outlier": Fraction(50), "largest": largest})


def _one_list(_: Scenario) -> Judged:
    """A padded batch, and its real tokens as one list."""
    rows, mask = [[1.0, 2.0, 4.0], [3.0, 5.0, 99.0]], [[1, 1, 1], [1, 1, 0]]
    found = statistics.whiten_batch(rows, mask)
    alone = statistics.whiten([1.0, 2.0, 4.0, 3.0, 5.0], [1] * 5)
    kept = [x for row in found for x in row if x is not None]
    return Judged(holds(_same(kept, alone)), {"padding": 99, "first": round(kept[0], 4), "alone": round(alone[0], 4)})


def _twice(_: Scenario) -> Judged:
    once = _white([1, 2, 4])
    again = _white(once)
    return Judged(holds(not _same(once, again)), {"once": _round(once), "again": _round(again)})


def _all_good(_: Scenario) -> Judged:
    """A batch in which every advantage is positive."""
    given = [1, 2, 6]
    found = _white(given)
    return Judged(holds(min(found) > 0), {"given": given, "found": _round(found)})


MORE: dict[str, Check] = {
    "whitening_rewards_is_the_same": _rewards_or_advantages,
    "without_shift_the_mean_stays": _unshifted_keeps_mean,
    "a_constant_changes_the_result": _constant,
    "half_of_the_tokens_end_up_negative": _half_negative,
    "whitened_numbers_lie_within_one": _within_one,
    "epsilon_is_added_to_the_std": _epsilon_beside_std,
    "each_prompt_group_by_itself": _by_group,
    "two_values_always_whiten_alike": _two_values,
    "dividing_by_n_gives_larger_numbers": _population_is_larger,
    "the_samples_deviation_is_the_larger": _sample_is_larger,
    "an_outlier_squeezes_the_rest": _outlier,
    "outliers_are_clipped": _clips,
    "all_real_tokens_count_alike": _one_list,
    "whitening_twice_changes_again": _twice,
    "all_good_stays_all_good": _all_good,
}
