"""What people still say of the two sums: what each counts how often, and what a difference between them means."""

from __future__ import annotations

from fractions import Fraction

from engine.scenario import Scenario
from lessons._errors import STEP, moments
from lessons._fact import Check, Judged
from lessons._trials import HALF, apart, judged, outcome, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)


def _stands_in(_: Scenario) -> Judged:
    zero, half = (sum(trial(REWARDS, VALUES, lam).advantages) for lam in (0, HALF))
    return judged([total == OWN.excess for total in (zero, half)], excess=OWN.excess, zero=zero, half=half)


def _counted() -> tuple[list[Fraction], list[Fraction]]:
    """How far each sum moves with each delta."""
    higher = [rewarded(OWN, k) for k in range(4)]
    of_deltas = [sum(apart(one.deltas, OWN.deltas)) for one in higher]
    return of_deltas, [sum(apart(one.advantages, OWN.advantages)) for one in higher]


def _swapped(_: Scenario) -> Judged:
    deltas, advantages = _counted()
    return judged(set(advantages) == {1} and max(deltas) > 1, deltas=deltas, advantages=advantages)


def _early_most(_: Scenario) -> Judged:
    _deltas, advantages = _counted()
    return judged(advantages[0] == max(advantages), advantages=advantages)


def _uneventful(_: Scenario) -> Judged:
    longer = trial((0, *REWARDS), (VALUES[0], *VALUES), HALF)
    before, after = sum(OWN.advantages), sum(longer.advantages)
    found = {"before": before, "after": after, "own": OWN.excess, "longer": longer.excess}
    return judged(longer.excess == OWN.excess and after > before, **found)


def _wrong(_: Scenario) -> Judged:
    means = moments(0.0, (0.5, 1.0))["mean"]
    unequal = sum(OWN.advantages) != OWN.excess
    return judged(
        not (unequal and all(mean == Fraction(STEP) for mean in means)),
        sum=sum(OWN.advantages), excess=OWN.excess, truth=Fraction(STEP), mean=means[0],
    )  # fmt: skip


def _last_value(_: Scenario) -> Judged:
    moved = [revalued(OWN, k).excess - OWN.excess for k in range(4)]
    return judged(moved[-1] != 0 and moved[0] == 0, moved=moved)


def _times(_: Scenario) -> Judged:
    level, other = trial(outcome(4), [HALF] * 4), trial(REWARDS, VALUES)
    sums = [sum(one.advantages) for one in (level, other)]
    times = [4 * one.excess for one in (level, other)]
    cases = [a == b for a, b in zip(sums, times, strict=True)]
    return judged(cases, level=sums[0], level_times=times[0], other=sums[1], other_times=times[1])


def _gamma(_: Scenario) -> Judged:
    half, one = (trial(REWARDS, VALUES, 1, gamma).excess for gamma in (HALF, 1))
    return judged(half != one, gamma=HALF, half=half, one=one)


STATED: dict[str, Check] = {
    "the_advantage_sum_can_stand_in_for_the_excess": _stands_in,
    "deltas_are_counted_repeatedly_and_advantages_once": _swapped,
    "early_deltas_are_counted_most_often": _early_most,
    "an_uneventful_token_in_front_raises_the_advantage_sum": _uneventful,
    "the_unequal_sum_means_gae_is_wrong": _wrong,
    "excess_is_the_return_less_the_last_value": _last_value,
    "at_lambda_one_the_sum_is_tokens_times_the_excess": _times,
    "the_excess_depends_on_gamma": _gamma,
}
