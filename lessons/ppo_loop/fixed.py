"""What stays as it is within an iteration, and what using a batch for long does."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from engine import drift, quantities
from engine.facts import compute
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._checks import gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE
from lessons.ppo_loop.checks import _handed_over, _terms
from lessons.ppo_loop.further import LENGTH


def _fixed(name: str) -> Judged:
    """The list before an update, and with everything the update changes at its new numbers."""
    before = gae()[name][0]
    after = gae(new_logp=EXAMPLE.rows("new_logp")[0], vpreds=[9.0] * LENGTH)[name][0]
    return Judged(holds(before == after), {"before": before, "after": after})


def _advantages_fixed(_: Scenario) -> Judged:
    return _fixed("advantages")


def _rewards_fixed(_: Scenario) -> Judged:
    return _fixed("rewards")


def _copy_of_old(_: Scenario) -> Judged:
    """Of the old policy the update reads one number for each token, and nothing else."""
    used = set(compute(_terms, _handed_over()).used)
    kept = EXAMPLE.rows("old_logp")[0]
    return Judged(holds("old_logp" not in used or len(kept) != LENGTH), {"count": len(kept), "first": kept[0]})


def _more_epochs(_: Scenario) -> Judged:
    """One batch used again and again in a small world: what the surrogate still promises, and what is earned."""
    old, steps = Fraction(3, 4), [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]
    promised, earned = ([of(old, p) for p in steps] for of in (drift.promised, drift.earned))
    return Judged(holds(earned == sorted(earned)), {"promised": promised, "earned": earned})


def _fresh_data(_: Scenario) -> Judged:
    """The ratios of the same responses after one update and after going on in the same direction."""
    old, new = EXAMPLE.rows("old_logp")[0], EXAMPLE.rows("new_logp")[0]
    found = [
        round(sum(abs(exp(times * (n - o)) - 1) for o, n in zip(old, new, strict=True)) / LENGTH, 4)
        for times in (0.0, 1.0, 3.0)
    ]
    return Judged(holds(found == sorted(found) and found[0] < found[-1]), {"found": found})


def _new_for_each_epoch(_: Scenario) -> Judged:
    """Responses of the policy that is being trained would be at a ratio of 1 in each pass."""
    old, new = EXAMPLE.rows("old_logp")[0], EXAMPLE.rows("new_logp")[0]
    fresh, later = ([exp(n - o) for o, n in zip(old, row, strict=True)] for row in (old, new))
    return Judged(holds(later == fresh), {"fresh": fresh[0], "later": round(later[0], 4)})


def _sampling_with_gradients(_: Scenario) -> Judged:
    """The slope by the new log-probability is ρA, and nothing of how the token was drawn."""
    found = quantities.facts("surrogate", EXAMPLE).exact
    slope = compute(own_slopes(quantities.surrogate, "terms", "new_logp"), EXAMPLE).exact["slopes"][0]
    ratio, advantage = found["ratio"][0], found["advantages"][0]
    return Judged(holds(not close(slope, ratio * advantage)), {"slope": slope, "ratio": ratio, "advantage": advantage})


def _serves_the_next(_: Scenario) -> Judged:
    """The advantages whatever the critic says after its update, and those its new values would give."""
    before, now = (gae(vpreds=v)["advantages"][0] for v in (EXAMPLE.rows("vpreds")[0], [9.0] * LENGTH))
    after = gae(values=EXAMPLE.rows("vpreds")[0])["advantages"][0]
    return Judged(holds(before == now != after), {"before": before, "after": after})


FIXED: dict[str, Check] = {
    "advantages_stay_fixed_in_the_iteration": _advantages_fixed,
    "rewards_stay_fixed_in_the_iteration": _rewards_fixed,
    "old_policy_needs_a_copy_of_the_model": _copy_of_old,
    "more_epochs_are_always_better": _more_epochs,
    "data_grow_stale_with_every_update": _fresh_data,
    "epochs_sample_new_responses": _new_for_each_epoch,
    "sampling_needs_gradients": _sampling_with_gradients,
    "critic_update_serves_the_next_batch": _serves_the_next,
}
