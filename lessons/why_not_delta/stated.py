"""What people still say of δ beside the advantage: which to take, what δ reads, and how the later ones come in."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._errors import squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, apart, judged, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)
LAMS = (0.0, 0.5, 1.0)


def _delta_is_better(_: Scenario) -> Judged:
    good, bad = squared_errors(0.0, LAMS), squared_errors(2.0, LAMS)
    found = {"good_delta": good[0], "good_gae": good[1], "bad_delta": bad[0], "bad_gae": bad[1]}
    return judged([row[0] < row[1] for row in (good, bad)], **found)


def _exact_is_enough(_: Scenario) -> Judged:
    found = squared_errors(0.0, LAMS)
    return judged(found[0] == min(found), lams=list(LAMS), errors=found)


def _reads_back(_: Scenario) -> Judged:
    moved = [revalued(OWN, k).deltas[1] - OWN.deltas[1] for k in range(4)]
    return judged(moved[0] != 0, moved=moved)


def _from_the_previous(_: Scenario) -> Judged:
    """The recursion run from the front beside the right one."""
    wrong, carried = [], 0 * HALF
    for delta in OWN.deltas:
        carried = delta + HALF * carried
        wrong.append(carried)
    return judged(wrong == OWN.advantages, right=OWN.advantages, wrong=wrong)


def _equal_errors(_: Scenario) -> Judged:
    both = revalued(revalued(OWN, 1), 2)
    return judged(both.deltas[1] == OWN.deltas[1], before=OWN.deltas[1], after=both.deltas[1])


def _length(_: Scenario) -> Judged:
    longer = trial((*REWARDS, -1, 2), (*VALUES, "1/8", 1), HALF)
    return judged(longer.deltas[0] != OWN.deltas[0], before=OWN.deltas[0], after=longer.deltas[0])


def _negative(_: Scenario) -> Judged:
    moved = [apart(rewarded(OWN, k).advantages, OWN.advantages)[0] for k in range(4)]
    return judged(all(x < 0 for x in moved[1:]), moved=moved)


def _starves(_: Scenario) -> Judged:
    level, seeing = trial(REWARDS, [HALF] * 4).deltas, OWN.deltas
    return judged([not any(row[:3]) for row in (level, seeing)], level=level, seeing=seeing)


STATED: dict[str, Check] = {
    "delta_is_the_better_advantage": _delta_is_better,
    "an_exact_critic_makes_delta_enough": _exact_is_enough,
    "delta_reads_the_previous_value": _reads_back,
    "advantage_is_delta_plus_a_share_of_the_previous_advantage": _from_the_previous,
    "equal_errors_of_both_values_cancel_in_delta": _equal_errors,
    "delta_depends_on_how_long_the_response_goes_on": _length,
    "later_deltas_are_subtracted": _negative,
    "delta_leaves_early_tokens_without_signal": _starves,
}
