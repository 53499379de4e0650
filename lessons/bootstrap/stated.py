"""What people still say of bootstrapping: whether it is better or needed, what it reads, and how often."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.scenario import Scenario
from lessons._errors import STEP, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, 0)


def _better(_: Scenario) -> Judged:
    good, bad = squared_errors(0.0), squared_errors(2.0)
    found = {"good_td": good[0], "good_mc": good[1], "bad_td": bad[0], "bad_mc": bad[1]}
    return judged([td < mc for td, mc in (good, bad)], **found)


def _needed(_: Scenario) -> Judged:
    """A finished response at λ = 1 reads no later value; one cut off before its score has nothing else to go by."""
    done = trial(REWARDS, VALUES)
    without = done.advantages[0] == trial(REWARDS, (VALUES[0], 0, 0, 0)).advantages[0]
    truth, cut = Fraction(1), trial((0, 0), VALUES[:2]).mc_returns[0]
    return judged([not without, cut != truth], done=done.advantages[0], truth=truth, cut=cut)


def _two_ahead(_: Scenario) -> Judged:
    moved = [revalued(OWN, k).advantages[0] - OWN.advantages[0] for k in range(4)]
    return judged(moved[2] != 0 and moved[1] == 0, moved=moved)


def _next_return(_: Scenario) -> Judged:
    """The first TD error, and what it would be with the next token's return for its value."""
    delta = OWN.deltas[0]
    other = formulas.td_error(OWN.rewards[0], OWN.values[0], OWN.mc_returns[1], OWN.gamma)
    return judged(delta == other, delta=delta, value=OWN.values[1], ret=OWN.mc_returns[1], other=other)


def _undiscounted(_: Scenario) -> Judged:
    low = trial(REWARDS, VALUES, 0, HALF)
    moved = revalued(low, 1).advantages[0] - low.advantages[0]
    return judged(moved == 1, gamma=HALF, moved=moved)


def _next_reward(_: Scenario) -> Judged:
    moved = apart(rewarded(OWN, 1).deltas, OWN.deltas)
    return judged(moved[0] != 0, moved=moved)


def _once(_: Scenario) -> Judged:
    times = sum(revalued(OWN, t + 1).deltas[t] != OWN.deltas[t] for t in range(3))
    return judged(times == 1, tokens=4, times=times)


def _own_too_high(_: Scenario) -> Judged:
    moved = apart(revalued(OWN, 1).advantages, OWN.advantages)
    return judged(moved[1] < 0 < moved[0], own=moved[1], before=moved[0])


def _more_responses(_: Scenario) -> Judged:
    """Over all courses, which is what ever more responses come to."""
    mean = moments(0.5)["mean"][0]
    return judged(mean == Fraction(STEP), truth=Fraction(STEP), mean=mean)


def _below_one(_: Scenario) -> Judged:
    lams = (NONE, HALF, Fraction("0.95"), Fraction("0.99"))
    tried = [trial(REWARDS, VALUES, lam) for lam in lams]
    moved = [revalued(one, 1).advantages[0] - one.advantages[0] for one in tried]
    return judged(all(moved), lams=list(lams), moved=moved)


def _final_reward_held_back(_: Scenario) -> Judged:
    """One more at the very end: what of it reaches the first advantage."""
    lams = (NONE, HALF, Fraction("0.95"), ONE)
    tried = [trial(REWARDS, VALUES, lam) for lam in lams]
    reached = [rewarded(one, -1).advantages[0] - one.advantages[0] for one in tried]
    return judged([reached[0] == 0, reached[-1] < 1], lams=list(lams), reached=reached)


STATED: dict[str, Check] = {
    "bootstrapping_is_better_than_waiting_for_the_outcome": _better,
    "bootstrapping_is_needed": _needed,
    "bootstrap_reads_the_value_two_tokens_on": _two_ahead,
    "bootstrap_uses_the_next_return": _next_return,
    "next_value_is_taken_undiscounted": _undiscounted,
    "delta_reads_the_next_tokens_reward": _next_reward,
    "bootstrap_happens_once_per_response": _once,
    "own_value_too_high_lowers_the_own_advantage": _own_too_high,
    "more_responses_remove_the_bootstrap_bias": _more_responses,
    "every_lambda_below_one_bootstraps": _below_one,
    "bootstrap_keeps_the_final_reward_from_early_tokens": _final_reward_held_back,
}
