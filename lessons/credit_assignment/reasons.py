"""How far a surprise gets, by what road, and what a positive advantage does not prove."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import HALF, ONE, apart, judged, outcome, rewarded, trial

LENGTH, LAM = 4, Fraction(9, 10)
LUCKY = trial((0, 1), (HALF, HALF))  # the first token changes nothing, and luck follows


def _later_delta(_: Scenario) -> Judged:
    """A reward raises its own delta alone; what that does to the advantages."""
    own = trial(outcome(LENGTH), ["1/2"] * LENGTH, LAM)
    raised = rewarded(own, -1)
    deltas, found = apart(raised.deltas, own.deltas), apart(raised.advantages, own.advantages)
    powers = [formulas.discounted(ONE, LAM, LENGTH - 1 - t) for t in range(LENGTH)]
    return judged(deltas == outcome(LENGTH) and found == powers, lam=LAM, found=found)


def _another_road(_: Scenario) -> Judged:
    """Nothing but the last reward, no values, and yet an advantage at the first token."""
    own, cut = (trial(outcome(LENGTH), [0] * LENGTH, lam) for lam in (LAM, 0))
    by_recursion = own.rewards[0] == 0 != own.advantages[0] and cut.advantages[0] == 0
    return judged(not by_recursion, rewards=own.rewards, lam=LAM, found=own.advantages, cut=cut.advantages)


def _positive_is_right(_: Scenario) -> Judged:
    first = LUCKY.advantages[0]
    return judged(not (first > 0 == LUCKY.deltas[0]), found=first, own=LUCKY.deltas[0])


def _even_and_crude(_: Scenario) -> Judged:
    even = [formulas.mean(ONE, LENGTH)] * LENGTH
    return judged(sum(even) == ONE and len(set(even)) == 1, even=even, reward=ONE)


def _less_by_something_else(_: Scenario) -> Judged:
    """The same tokens, the same values: what the first hears of the end turns on γλ alone."""
    found = [trial(outcome(LENGTH), [0] * LENGTH, lam).advantages[0] for lam in (ONE, LAM, HALF)]
    return judged(not (found[0] > found[1] > found[2]), lams=[ONE, LAM, HALF], found=found)


REASONS: dict[str, Check] = {
    "a_later_delta_counts_gamma_lambda_for_each_step_between": _later_delta,
    "final_reward_reaches_early_tokens_by_another_road": _another_road,
    "positive_advantage_means_a_right_token": _positive_is_right,
    "early_tokens_hear_less_of_the_end_for_another_reason": _less_by_something_else,
    "an_even_split_assigns_credit_crudely": _even_and_crude,
}
