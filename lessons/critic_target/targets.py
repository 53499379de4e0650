"""What learners claim of the target itself: what it contains, whose it is, what the least error is reached at."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, world
from engine.chance import one_coin, spread, walk
from engine.example import RUNNING
from engine.facts import compute
from engine.proofs import theorem
from engine.readings.exact import rational
from engine.scenario import Scenario
from lessons._checks import gae, whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, moved, row

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")
HALF = "0.5"
TARGETS = (Fraction(0), Fraction(0), Fraction(1))  # of one state, over the responses that began there
GRID = tuple(Fraction(i, 12) for i in range(13))


def _least(error: Any) -> Fraction:
    """The prediction with the least summed error."""
    return min(GRID, key=lambda v: sum(error(v, target) for target in TARGETS))


def _mean_is_least(_: Scenario) -> Judged:
    theorem("regression_is_flat_at_the_mean")
    mean = sum(TARGETS) / len(TARGETS)
    least = _least(formulas.squared_error)
    return Judged(holds(least == mean), {"targets": list(TARGETS), "mean": mean, "least": least})


def _median_is_least(_: Scenario) -> Judged:
    median = sorted(TARGETS)[1]
    least, by_distance = _least(formulas.squared_error), _least(lambda v, r: abs(v - r))
    return Judged(
        holds(least == median),
        {"targets": list(TARGETS), "median": median, "least": least, "by_distance": by_distance},
    )


def _loss_is_left(_: Scenario) -> Judged:
    """The exact V of a coin, before its two ends."""
    coin = one_coin(1, size=0.5)
    value = Fraction(coin.values[0][0])
    ends = [Fraction(r[0]) for r in coin.rewards]
    left = sum((formulas.value_loss_term(formulas.squared_error(value, r)) for r in ends), Fraction(0)) / len(ends)
    return Judged(holds(left > 0), {"v": value, "ends": ends, "left": left})


def _whitened_targets(_: Scenario) -> Judged:
    found = gae()
    wrong = [a + v for a, v in zip(whitened(), found["values"], strict=True)]
    right = [a + v for a, v in zip(found["advantages"], found["values"], strict=True)]
    return Judged(
        holds(close(found["returns"], wrong) and not close(wrong, right)),
        {"r": found["returns"][0], "wrong": round(float(wrong[0]), 6)},
    )


def _score_without_kl(_: Scenario) -> Judged:
    """The last target with the KL in the reward, and the score."""
    found = gae()
    score = rational(RUNNING.rows("scores")[0][-1])
    return Judged(holds(found["returns"][-1] == score), {"target": found["returns"][-1], "score": score})


def _own_value_is_in_it(_: Scenario) -> Judged:
    theorem("own_value_lowers_advantage_one_to_one")
    plain, raised = (row(REWARDS, (first, *VALUES[1:]), lam=HALF) for first in (VALUES[0], "1.5"))
    return Judged(
        holds(plain["returns"][0] != raised["returns"][0]),
        {"before": plain["returns"][0], "after": raised["returns"][0], "a": plain["advantages"][0],
         "a_after": raised["advantages"][0]},
    )  # fmt: skip


def _later_values_are_in_it(_: Scenario) -> Judged:
    plain, raised = (row(REWARDS, (VALUES[0], second, VALUES[2]), lam=HALF) for second in (VALUES[1], "1.25"))
    change = moved(raised["returns"], plain["returns"])
    return Judged(holds(change[0] != 0), {"moved": change[0], "lam": fraction(HALF)})


def _free_at_lambda_one(_: Scenario) -> Judged:
    plain, other = row(REWARDS, VALUES), row(REWARDS, ("9", "-4", "3"))
    return Judged(
        holds(plain["returns"] == other["returns"]),
        {"targets": plain["returns"], "other": other["returns"], "v": other["values"]},
    )


def _last_is_the_reward(_: Scenario) -> Judged:
    last = [row(REWARDS, VALUES, gamma="0.9", lam=lam)["returns"][-1] for lam in ("0", HALF, "1")]
    return Judged(holds(set(last) == {fraction(REWARDS[-1])}), {"targets": last, "reward": fraction(REWARDS[-1])})


def _all_the_score(_: Scenario) -> Judged:
    found = row(("0", "0", "1"), VALUES)
    return Judged(holds(set(found["returns"]) == {Fraction(1)}), {"targets": found["returns"]})


def _noisier_with_lambda(_: Scenario) -> Judged:
    """R_0 is A_0 plus a V_0 that does not vary."""
    found = compute(spread(walk(4, step=0.25, first=1), (0.0, 0.5, 1.0)), Scenario()).exact["variance"]
    return Judged(holds(found[0] < found[1] < found[2]), {"variances": list(found)})


def _teaches_the_next(_: Scenario) -> Judged:
    """An exact V against the targets of its own place, and against those of the place before."""
    values = ("1.25", "1", "1")
    found = row(("0.25", "0", "1"), values)
    own = moved(found["returns"], found["values"])
    late = [r - v for r, v in zip(found["returns"], found["values"][1:], strict=False)]
    return Judged(holds(any(own) and not any(late)), {"own": own, "late": late})


def _is_a_probability(_: Scenario) -> Judged:
    """Three responses, one of them right; and the same with a cost on the way."""
    mean = sum(TARGETS) / len(TARGETS)
    share = Fraction(sum(t == 1 for t in TARGETS), len(TARGETS))
    cost = Fraction(1, 10)
    return Judged(
        "depends" if mean == share != mean - cost else holds(mean - cost == share),
        {"v": mean, "share": share, "paid": mean - cost},
    )


def _moves_with_the_policy(_: Scenario) -> Judged:
    """V of the prompt under two policies."""
    small = world.small(lambda _name, x: rational(x))
    other = world.World((rational(0.75), rational(0.25)), small.rewards, small.gamma)
    return Judged(holds(small.value(()) != other.value(())), {"one": small.value(()), "other": other.value(())})


TARGET: dict[str, Check] = {
    "critic_learns_the_mean_return": _mean_is_least,
    "critic_learns_the_median_return": _median_is_least,
    "exact_critic_has_loss_left": _loss_is_left,
    "targets_use_whitened_advantages": _whitened_targets,
    "critic_predicts_the_score_without_kl": _score_without_kl,
    "target_contains_its_own_value": _own_value_is_in_it,
    "target_contains_later_values": _later_values_are_in_it,
    "lambda_one_target_is_free_of_the_critic": _free_at_lambda_one,
    "last_target_is_the_last_reward": _last_is_the_reward,
    "outcome_targets_are_all_the_score": _all_the_score,
    "larger_lambda_makes_the_target_noisier": _noisier_with_lambda,
    "target_teaches_the_next_state": _teaches_the_next,
    "value_is_the_probability_of_success": _is_a_probability,
    "right_value_changes_with_the_policy": _moves_with_the_policy,
}
