"""Who clips how: what learners claim of the clip in verl, old and new, and in TRL."""

from __future__ import annotations

from math import log
from typing import Any

from engine import formulas
from engine.conventions import TRL, VERL_NEW, VERL_OLD, policy_loss
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._trials import default, judged
from lessons._turns import always


def _project_loss(project: Any) -> float:
    """A bad token at ten times its old probability."""
    found = policy_loss(project, [[log(0.9)]], [[log(0.09)]], [[-1.0]], [[1]], 0.2)
    return round(float(found), 4)


def _has_dual(project: Any) -> Check:
    def check(_: Scenario) -> Judged:
        plain, found = 10.0, _project_loss(project)
        return Judged(holds(found < plain), {"theirs": found, "verl": _project_loss(VERL_NEW)})

    return check


def _verl_has_dual(_: Scenario) -> Judged:
    found, plain = _project_loss(VERL_NEW), _project_loss(VERL_OLD)
    return Judged(holds(found == 3), {"found": found, "plain": plain})


def _log_ratio_bounded(_: Scenario) -> Judged:
    """A log-ratio of 1000 would overflow exp; clamped it does not."""
    bound = VERL_NEW.log_ratio_bound
    found = float(formulas.ratio_clamped(1000.0, 0.0, bound or 1000))
    return Judged(holds(bound is not None and found < float("inf")), {"bound": bound, "given": 1000})


def _usual_range(_: Scenario) -> Judged:
    """What verl's configuration says of the policy's range and of the critic's."""
    own, critics = default("verl", "clip_ratio"), default("verl", "cliprange_value")
    return Judged(holds(own == 0.2), {"own": own, "critics": critics, "low": 1 - own, "high": 1 + own})


def _dual_is_on(_: Scenario) -> Judged:
    """A bad token at ten times its probability, where the plain clip has nothing to say."""
    old, new, trl = (_project_loss(project) for project in (VERL_OLD, VERL_NEW, TRL))
    return judged([loss < max(old, trl) for loss in (old, new, trl)], old=old, new=new, trl=trl)


PROJECTS: dict[str, Check] = {
    "trl_has_dual_clip": _has_dual(TRL),
    "old_verl_has_dual_clip": _has_dual(VERL_OLD),
    "new_verl_has_dual_clip_of_three": _verl_has_dual,
    "verl_bounds_the_log_ratio": _log_ratio_bounded,
    "verl_clips_at_a_fifth_by_default": _usual_range,
    "dual_clip_is_built_in": _dual_is_on,
    "dual_clip_is_built_in_everywhere": always(_dual_is_on),
}
