"""What turns on something that was not said: on λ or γ, on the signs of the deltas, on raw or whitened, on V_0."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas, sequences
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, outcome, rewarded, trial
from lessons._turns import always

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
ZERO, MIDDLE, FULL = (trial(REWARDS, VALUES, lam) for lam in (NONE, HALF, ONE))
BAD = trial(outcome(4, -1), VALUES, HALF)  # a surprise at the end that is no good one


def _sum(one: Trial) -> Fraction:
    return Fraction(sum(one.advantages))


def _is_excess(_: Scenario) -> Judged:
    zero, half, one = map(_sum, (ZERO, MIDDLE, FULL))
    cases = [total == FULL.excess for total in (zero, half)]
    return judged(cases, lam=HALF, excess=FULL.excess, zero=zero, half=half, one=one)


def _is_excess_at_one(_: Scenario) -> Judged:
    return judged(_sum(FULL) == FULL.excess, sum=_sum(FULL), excess=FULL.excess, first=FULL.advantages[0])


def _grows(_: Scenario) -> Judged:
    good, bad = ([_sum(Trial(one.rewards, one.values, lam, ONE)) for lam in (NONE, ONE)] for one in (FULL, BAD))
    return judged([after > before for before, after in (good, bad)], good=good, bad=bad)


def _is_larger(_: Scenario) -> Judged:
    cases = [_sum(one) > one.excess for one in (MIDDLE, BAD)]
    return judged(cases, good=_sum(MIDDLE), good_excess=MIDDLE.excess, bad=_sum(BAD), bad_excess=BAD.excess)


def _plain(gamma: Fraction) -> tuple[Fraction, Fraction]:
    found = trial(REWARDS, VALUES, HALF, gamma)
    return Fraction(sum(found.deltas)), Fraction(found.excess)


def _plain_deltas(_: Scenario) -> Judged:
    one, half = _plain(ONE), _plain(HALF)
    return judged([total == excess for total, excess in (one, half)], gamma=HALF, one=list(one), half=list(half))


def _first(_: Scenario) -> Judged:
    one, half = FULL.advantages[0], MIDDLE.advantages[0]
    return judged([first == FULL.excess for first in (one, half)], lam=HALF, one=one, half=half, excess=FULL.excess)


def _like_deltas(_: Scenario) -> Judged:
    zero, half, deltas = _sum(ZERO), _sum(MIDDLE), sum(MIDDLE.deltas)
    return judged([total == deltas for total in (zero, half)], lam=HALF, zero=zero, half=half, deltas=deltas)


def _vanishes(_: Scenario) -> Judged:
    """One response, alone in its batch."""
    raw = MIDDLE.advantages
    whitened = sum(alone("whiten", advantages=[float(a) for a in raw])["whitened"])
    total = Fraction(round(whitened, 6))
    return judged([close(total, 0), sum(raw) == 0], raw=sum(raw), whitened=total)


def _signs_agree(_: Scenario) -> Judged:
    other = trial((-1, "3/5"), (0, 0))
    cases = [(_sum(one) > 0) == (one.excess > 0) for one in (MIDDLE, other)]
    found = {"one": _sum(MIDDLE), "one_excess": MIDDLE.excess, "other": _sum(other), "other_excess": other.excess}
    return judged(cases, **found)


def _right_answer(_: Scenario) -> Judged:
    open_, sure = (trial(outcome(2), (v, v)).excess for v in (HALF, ONE))
    return judged([open_ > 0, sure > 0], low=HALF, open=open_, high=ONE, sure=sure)


def _counts(one: Trial) -> list[Fraction]:
    """How far ΣA moves with each delta."""
    return [Fraction(sum(apart(rewarded(one, k).advantages, one.advantages))) for k in range(len(REWARDS))]


def _kl(_: Scenario) -> Judged:
    kl, beta = HALF, Fraction(1, 10)
    paid = [formulas.token_reward(r, kl, beta) for r in FULL.rewards]
    in_reward, in_loss = (trial(rewards, VALUES).excess for rewards in (paid, FULL.rewards))
    cases = [found != FULL.excess for found in (in_reward, in_loss)]
    return judged(cases, beta=beta, kl=kl, reward=in_reward, loss=in_loss)


def _weighted(gamma: Fraction) -> tuple[Fraction, Fraction]:
    found = trial(REWARDS, VALUES, HALF, gamma)
    return Fraction(sequences.discounted_sum(found.deltas, gamma)), Fraction(found.excess)


def _weighted_deltas(_: Scenario) -> Judged:
    one, half = _weighted(ONE), _weighted(HALF)
    return judged([total == excess for total, excess in (one, half)], gamma=HALF, one=list(one), half=list(half))


def _in_the_reward(scenario: Scenario) -> Judged:
    found = _kl(scenario).found
    return judged(found["reward"] != FULL.excess, **found)


def _in_the_loss(scenario: Scenario) -> Judged:
    found = _kl(scenario).found
    return judged(found["loss"] != FULL.excess, **found)


def _once_at_zero(_: Scenario) -> Judged:
    zero = _counts(ZERO)
    return judged(set(zero) == {ONE}, zero=zero)


def _rises_with_good_news(scenario: Scenario) -> Judged:
    before, after = _grows(scenario).found["good"]
    return judged(after > before, before=before, after=after)


def _falls_with_bad_news(scenario: Scenario) -> Judged:
    before, after = _grows(scenario).found["bad"]
    return judged(after < before, before=before, after=after)


TURNS: dict[str, Check] = {
    "a_right_answer_always_has_a_positive_excess": always(_right_answer),
    "kl_in_the_reward_changes_the_excess": _in_the_reward,
    "kl_in_the_loss_changes_the_excess": _in_the_loss,
    "at_lambda_zero_each_delta_counts_once": _once_at_zero,
    "with_good_later_surprises_the_sum_grows_with_lambda": _rises_with_good_news,
    "with_bad_later_surprises_the_sum_falls_with_lambda": _falls_with_bad_news,
    "sum_and_excess_always_have_one_sign": always(_signs_agree),
    "advantages_add_up_to_the_excess_at_this_lambda": _is_excess,
    "at_lambda_one_the_sum_is_the_excess": _is_excess_at_one,
    "the_sum_grows_with_lambda": _grows,
    "the_sum_is_larger_than_the_excess": _is_larger,
    "plain_deltas_sum_to_the_excess": _plain_deltas,
    "weighted_deltas_sum_to_the_excess_at_every_gamma": _weighted_deltas,
    "first_advantage_equals_the_excess": _first,
    "the_two_sums_are_equal": _like_deltas,
    "the_advantages_sum_to_zero": _vanishes,
    "sum_and_excess_have_one_sign": _signs_agree,
    "a_right_answer_has_a_positive_excess": _right_answer,
    "kl_changes_the_excess": _kl,
}
