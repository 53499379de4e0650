"""Right facts about sums with a wrong reason, and what the length does to the sum."""

from __future__ import annotations

from fractions import Fraction

from engine.scenario import Scenario
from lessons._checks import alone
from lessons._compare import close
from lessons._proposition import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, outcome, trial
from lessons._turns import always


def _they_differ(_: Scenario) -> Judged:
    """A coin at the end and the critic that is exact about it, at λ = 1, raw: no bias, no error, no whitening."""
    own = trial(outcome(2), (HALF, HALF))
    total = Fraction(sum(own.advantages))
    return judged(total == own.excess, a=own.advantages, sum=total, excess=own.excess)


def _whitened_vanish(_: Scenario) -> Judged:
    """Numbers that no critic has seen."""
    numbers = [1.0, 2.0, 6.0]
    whitened = [round(float(a), 4) for a in alone("whiten", advantages=numbers)["whitened"]]
    return judged(not close(sum(whitened), 0), raw=numbers, total=round(sum(whitened), 3) + 0.0)


def _longer_sums_more(_: Scenario) -> Judged:
    """One surprise at the end, of two lengths: with λ of one a good one and a bad one; and with λ of nought."""
    found = {}
    for name, score, lam in (("good", 1, ONE), ("bad", 0, ONE), ("zero", 1, NONE)):
        found[name] = [Fraction(sum(trial(outcome(n, score), [HALF] * n, lam).advantages)) for n in (2, 4)]
    return judged([long > short for short, long in found.values()], **found)


REASONS: dict[str, Check] = {
    "the_sums_differ_for_another_reason": _they_differ,
    "whitened_sums_vanish_for_another_reason": _whitened_vanish,
    "longer_responses_have_larger_sums": _longer_sums_more,
    "longer_responses_always_have_larger_sums": always(_longer_sums_more),
}
