"""Right facts about γ with a wrong reason: the reason is taken away, and the fact stays."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import HALF, ONE, judged, outcome, trial

SHORT, LONG = 3, 6


def _front_is_weak(_: Scenario) -> Judged:
    """The returns without λ, critic, KL or whitening."""
    found = trial(outcome(SHORT), [0] * SHORT, 1, HALF).mc_returns
    return judged(not found[0] < found[-1], gamma=HALF, g=found)


def _short_wins(_: Scenario) -> Judged:
    """No KL, no division by the length, only γ."""
    short, long = (trial(outcome(n), [0] * n, 1, HALF).mc_returns[0] for n in (SHORT, LONG))
    return judged(not short > long, gamma=HALF, short=short, long=long, tokens=[SHORT, LONG])


def _one_is_usual(_: Scenario) -> Judged:
    """Both settings give finite numbers; at one, the length alone changes nothing."""
    one, half = ([trial(outcome(n), [0] * n, 1, gamma).mc_returns[0] for n in (SHORT, LONG)] for gamma in (ONE, HALF))
    return judged(not (one[0] == one[1] and half[0] != half[1]), one=one, half=half, gamma=HALF, tokens=[SHORT, LONG])


REASONS: dict[str, Check] = {
    "the_front_hears_less_for_another_reason": _front_is_weak,
    "short_answers_win_for_another_reason": _short_wins,
    "gamma_one_is_usual_for_another_reason": _one_is_usual,
}
