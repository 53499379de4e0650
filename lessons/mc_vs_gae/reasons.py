"""Why λ = 1 is Monte Carlo, where the two part, and what a discount does to an outcome's returns."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import HALF, ONE, Trial, apart, judged, outcome, revalued, trial

OWN = trial((0, 0, 1), ("1/4", "1/2", "3/4"))
LENGTH = 3


def _another_reason(_: Scenario) -> Judged:
    """The own value still counts, and so does each δ; a later value moves two deltas, one up and one down."""
    later = revalued(OWN, 1)
    moved = apart(later.deltas, OWN.deltas)
    own = apart(revalued(OWN, 0).advantages, OWN.advantages)[0]
    cancels = sum(moved) == 0 != moved[0] and later.advantages[0] == OWN.advantages[0]
    return judged(not (cancels and own == -1), own=own, moved=moved)


def _same_at_the_first(_: Scenario) -> Judged:
    half = Trial(OWN.rewards, OWN.values, HALF, ONE)
    cases = {"half": half, "one": OWN}
    found = {name: [own.advantages[0], own.mc_advantages[0]] for name, own in cases.items()}
    return judged(all(gae == mc for gae, mc in found.values()), lam=HALF, **found)


def _discounted_outcome(_: Scenario) -> Judged:
    found = trial(outcome(LENGTH), [0] * LENGTH, gamma=HALF).mc_returns
    return judged(len(set(found)) == 1, gamma=HALF, found=found)


REASONS: dict[str, Check] = {
    "lambda_one_is_monte_carlo_for_another_reason": _another_reason,
    "same_at_the_first_token": _same_at_the_first,
    "a_discounted_outcome_gives_one_return": _discounted_outcome,
}
