"""Right facts about advantages with a wrong reason: the reason is taken away, and the fact stays."""

from __future__ import annotations

from engine import quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import apart, judged, rewarded, trial

REWARDS, VALUES = ("1/5", "0", "1"), ("1/2", "1/4", "3/4")


def _actor_stays(_: Scenario) -> Judged:
    """The new policy's log-probabilities moved: the ratios move, the advantages don't."""
    moved = RUNNING.merged({"new_logp": [x - 1.0 for x in RUNNING.rows("new_logp")[0]]})
    ratios, advantages = (
        [exact_facts(quantity, own)[name] for own in (RUNNING, moved)]
        for quantity, name in ((quantities.surrogate, "ratio"), (quantities.gae, "advantages"))
    )
    steady = ratios[0] != ratios[1] and advantages[0] == advantages[1]
    return judged(not steady, before=ratios[0][0], after=ratios[1][0], a=advantages[0][0])


def _earlier_left_out(_: Scenario) -> Judged:
    """Raw advantages, nothing discounted: what one more at the first token moves."""
    own = trial(REWARDS, VALUES)
    moved = apart(rewarded(own, 0).advantages, own.advantages)
    return judged(any(moved[1:]), moved=moved)


def _why_subtracted(_: Scenario) -> Judged:
    """Raw advantages: neither shares that add up to one, nor all positive, nor of mean zero."""
    found = trial(REWARDS, ("3/2", "1/4", "3/4")).advantages
    total = sum(found)
    return judged([total == 1, min(found) >= 0, total == 0], a=found, total=total)


REASONS: dict[str, Check] = {
    "advantages_stay_because_the_actor_stays": _actor_stays,
    "earlier_rewards_are_left_out_for_another_reason": _earlier_left_out,
    "the_value_is_subtracted_for_another_reason": _why_subtracted,
}
