"""What turns on something that was not said: on γ, on λ, on which value, on V_T, on where the KL goes, on the mask."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, Plain, Trial, apart, judged, outcome, rational, revalued, rewarded, trial
from lessons._turns import always

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)


def _sum(one: Trial) -> Fraction:
    """The deltas' sum, each with its power of γ."""
    return Fraction(sequences.discounted_sum(one.deltas, one.gamma))


def _at(gamma: Plain, lam: Plain = HALF, rewards: Sequence[Plain] = REWARDS) -> Trial:
    return trial(rewards, VALUES, lam, gamma)


def _plain(_: Scenario) -> Judged:
    one, half = ([Fraction(sum(found.deltas)), found.excess] for found in (_at(ONE), _at(HALF)))
    return judged([total == excess for total, excess in (one, half)], gamma=HALF, one=one, half=half)


def _value(_: Scenario) -> Judged:
    first, middle = (_sum(revalued(OWN, k)) - _sum(OWN) for k in (0, 2))
    return judged([moved != 0 for moved in (first, middle)], first=first, middle=middle)


def _cut_off(_: Scenario) -> Judged:
    """The same tokens with nothing after them, and with a value of what would still have come."""
    after = HALF
    bootstrapped = sequences.deltas([*OWN.rewards, -after], [*OWN.values, after], ONE)[: len(REWARDS)]
    ended, cut = _sum(OWN), Fraction(sum(bootstrapped))
    return judged([total == OWN.excess for total in (ended, cut)], excess=OWN.excess, ended=ended, cut=cut, after=after)


def _all_later(_: Scenario) -> Judged:
    one, half = (_at(ONE, lam).advantages[1] for lam in (ONE, HALF))
    total = Fraction(sum(OWN.deltas[1:]))
    return judged([a == total for a in (one, half)], lam=HALF, total=total, one=one, half=half)


def _later_values(_: Scenario) -> Judged:
    """By how much the first advantage moves with the third value."""
    half, one = (revalued(found, 2).advantages[0] - found.advantages[0] for found in (_at(ONE, HALF), _at(ONE, ONE)))
    return judged([moved != 0 for moved in (half, one)], lam=HALF, half=half, one=one)


def _right_answer(_: Scenario) -> Judged:
    open_, sure = (_sum(trial(outcome(2), (v, v))) for v in (HALF, ONE))
    return judged([open_ > 0, sure > 0], low=HALF, open=open_, high=ONE, sure=sure)


def _kl(_: Scenario) -> Judged:
    kl, beta = HALF, Fraction(1, 10)
    paid = [formulas.token_reward(r, kl, beta) for r in OWN.rewards]
    in_reward, in_loss = (_sum(_at(ONE, rewards=rewards)) for rewards in (paid, OWN.rewards))
    cases = [found != _sum(OWN) for found in (in_reward, in_loss)]
    return judged(cases, beta=beta, kl=kl, reward=in_reward, loss=in_loss)


def _padding(_: Scenario) -> Judged:
    """A value after the end, kept and set to zero; the real tokens' deltas are summed."""
    left, cleared = (Fraction(sum(trial((*REWARDS, 0), (*VALUES, pad)).deltas[: len(REWARDS)])) for pad in (HALF, 0))
    return judged([total != _sum(OWN) for total in (left, cleared)], pad=HALF, left=left, cleared=cleared)


def _lifted(gamma: Fraction) -> list[Any]:
    before = _at(gamma)
    return apart(Trial(before.rewards, [v + 1 for v in before.values], HALF, gamma).deltas, before.deltas)


def _all_raised(_: Scenario) -> Judged:
    half, one = _lifted(HALF), _lifted(ONE)
    return judged([all(moved) for moved in (half, one)], gamma=HALF, half=half, one=one)


def _moved_reward(_: Scenario) -> Judged:
    half, one = ([_sum(_at(gamma)), _sum(_at(gamma, rewards=(0, 1, 0, 0)))] for gamma in (HALF, ONE))
    return judged([late != early for late, early in (half, one)], gamma=HALF, half=half, one=one)


def _weights(gamma: Fraction) -> list[Fraction]:
    found = _at(gamma)
    return [_sum(rewarded(found, k)) - _sum(found) for k in range(len(REWARDS))]


def _weighs_one(_: Scenario) -> Judged:
    one, half = _weights(ONE), _weights(HALF)
    return judged([set(found) == {ONE} for found in (one, half)], gamma=HALF, one=one, half=half)


def _any_values(_: Scenario) -> Judged:
    wild = rational((7, -3, 100, "1/9"))
    found = [trial(REWARDS, wild, lam, gamma) for gamma in (ONE, HALF) for lam in (0, 1)]
    totals = [_sum(one) for one in found]
    return judged(totals == [one.excess for one in found], v=wild, sum=totals[0], excess=found[0].excess)


def _cut_without_value(scenario: Scenario) -> Judged:
    found = _cut_off(scenario).found
    return judged(found["ended"] == OWN.excess, **found)


def _cut_with_value(scenario: Scenario) -> Judged:
    found = _cut_off(scenario).found
    return judged(found["cut"] == OWN.excess, **found)


def _later_values_below_one(scenario: Scenario) -> Judged:
    found = _later_values(scenario).found
    return judged(found["half"] != 0, **found)


def _kl_in_the_reward(scenario: Scenario) -> Judged:
    found = _kl(scenario).found
    return judged(found["reward"] != _sum(OWN), **found)


def _kl_in_the_loss(scenario: Scenario) -> Judged:
    found = _kl(scenario).found
    return judged(found["loss"] != _sum(OWN), **found)


def _moved_at_one(scenario: Scenario) -> Judged:
    late, early = _moved_reward(scenario).found["one"]
    return judged(late == early, late=late, early=early)


def _moved_below_one(scenario: Scenario) -> Judged:
    late, early = _moved_reward(scenario).found["half"]
    return judged(late != early, gamma=HALF, late=late, early=early)


def _lighter_below_one(_: Scenario) -> Judged:
    half = _weights(HALF)
    return judged(half == sorted(set(half), reverse=True), gamma=HALF, half=half)


def _all_raised_below_one(_: Scenario) -> Judged:
    half = _lifted(HALF)
    return judged(all(half), gamma=HALF, half=half)


TURNS: dict[str, Check] = {
    "a_cut_off_response_without_bootstrap_obeys_the_identity": _cut_without_value,
    "a_cut_off_response_with_bootstrap_obeys_the_plain_identity": _cut_with_value,
    "later_values_move_the_advantage_below_lambda_one": _later_values_below_one,
    "kl_in_the_reward_changes_the_sum": _kl_in_the_reward,
    "kl_in_the_loss_changes_the_sum": _kl_in_the_loss,
    "moving_a_reward_leaves_the_sum_at_gamma_one": _moved_at_one,
    "moving_a_reward_changes_the_sum_below_gamma_one": _moved_below_one,
    "later_rewards_weigh_less_in_the_sum_below_gamma_one": _lighter_below_one,
    "raising_all_values_changes_each_delta_below_gamma_one": _all_raised_below_one,
    "a_right_answer_always_has_a_positive_sum": always(_right_answer),
    "plain_sum_is_return_minus_value": _plain,
    "changing_a_value_changes_the_sum": _value,
    "a_cut_off_response_obeys_the_identity": _cut_off,
    "the_advantage_is_the_sum_of_the_later_deltas": _all_later,
    "later_values_move_the_advantage": _later_values,
    "a_right_answer_has_a_positive_sum": _right_answer,
    "kl_changes_the_sum": _kl,
    "values_after_the_end_change_the_sum": _padding,
    "raising_all_values_changes_each_delta": _all_raised,
    "moving_a_reward_changes_the_sum": _moved_reward,
    "every_reward_weighs_one_in_the_sum": _weighs_one,
    "any_values_will_do": _any_values,
}
