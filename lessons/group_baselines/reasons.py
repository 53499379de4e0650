"""Right facts about groups with a wrong reason: the reason is taken away, and the fact stays."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import judged
from lessons.group_baselines.further import _facts, _grpo

LARGE, SMALL, NONE = (9, 9, 9), (1, 1, 1), (0, 0, 0)


def _silent(_: Scenario) -> Judged:
    """Equal scores, large, small and none."""
    found = [_grpo(*scores) for scores in (LARGE, SMALL, NONE)]
    return judged(any(any(row) for row in found), a=found[0][0], scores=[row[0] for row in (LARGE, SMALL, NONE)])


def _without_a_critic(_: Scenario) -> Judged:
    """What the baseline takes off, with no division by the deviation."""
    scores = (1, 0, 0, 0)
    centred = [float(a) for a in _facts("grpo", *scores)["centered"]]
    return judged(centred == [float(s) for s in scores], scores=list(scores), mean=sum(scores) / len(scores), a=centred)


def _wrong_is_negative(_: Scenario) -> Judged:
    """A score of nought above the group's mean, and a positive score below it."""
    above, below = _grpo(0, -1)[0], _grpo(2, 1)[1]
    return judged(above < 0 < below, above=above, below=below)


REASONS: dict[str, Check] = {
    "equal_groups_are_silent_for_another_reason": _silent,
    "grpo_needs_no_critic_for_another_reason": _without_a_critic,
    "wrong_answers_are_negative_because_they_score_nought": _wrong_is_negative,
}
