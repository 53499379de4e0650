"""Whatever gives every token a number of its own assigns credit; how good the credit is, is another question."""

from __future__ import annotations

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, judged, trial

REWARDS = (0, 0, 1)
ONE_CRITIC, OTHER = ("1/4", "3/4", "3/4"), ("1/4", "1/4", "1/4")


def _is_an_assignment(_: Scenario) -> Judged:
    """Forwards and backwards under one critic, and the same response under another."""
    own, other = trial(REWARDS, ONE_CRITIC, HALF), trial(REWARDS, OTHER, HALF)
    tokens = range(len(REWARDS))
    forwards = [sum((formulas.discounted(own.deltas[k], HALF, k - t) for k in tokens[t:]), NONE) for t in tokens]
    best = [one.advantages.index(max(one.advantages)) for one in (own, other)]
    return judged(
        forwards == own.advantages != other.advantages and best[0] != best[1],
        forwards=forwards, backwards=own.advantages, other=other.advantages, best=best[0], other_best=best[1],
    )  # fmt: skip


ANY_WAY: dict[str, Check] = {"an_advantage_for_every_token_is_an_assignment_of_credit": _is_an_assignment}
