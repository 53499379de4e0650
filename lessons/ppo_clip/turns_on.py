"""What is so of the clip in one case and not in another: by the sign of A, the ratio, the step, the project."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.conventions import TRL, VERL_NEW, VERL_OLD
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._policies import TAKEN
from lessons._trials import judged
from lessons.ppo_clip.checks import ABOVE, BAD, BELOW, EPS, FLOOR, GOOD, INSIDE
from lessons.ppo_clip.further import FAR, NARROW, WIDE, _clip, _dual, _objective, _slope
from lessons.ppo_clip.projects import _project_loss

ONE = Fraction(1)
CASES = ((GOOD, ABOVE), (GOOD, BELOW), (BAD, ABOVE), (BAD, BELOW))


def _plain(ratio: Fraction, adv: Fraction) -> Any:
    return formulas.surrogate_term(ratio, adv)


def _steps() -> tuple[dict[str, Any], dict[str, Any]]:
    """Before any update, and after it."""
    return _clip(new_logp=TAKEN.old_logp), _clip()


def _dual_acts(ratios: tuple[Fraction, ...]) -> list[bool]:
    return [_dual(r, BAD) != _objective(r, BAD) for r in ratios]


def _dual_found() -> dict[str, Any]:
    return {"near": ABOVE, "same": _objective(ABOVE, BAD), "far": FAR, "plain": _objective(FAR, BAD),
            "dual": _dual(FAR, BAD), "c": FLOOR}  # fmt: skip


def _dual_changes_bad(_: Scenario) -> Judged:
    return judged(_dual_acts((ABOVE, FAR)), **_dual_found())


def _dual_changes_every_bad(_: Scenario) -> Judged:
    return Judged(holds(all(_dual_acts((ABOVE, FAR)))), _dual_found())


def _dual_can_change_bad(_: Scenario) -> Judged:
    return Judged(holds(any(_dual_acts((ABOVE, FAR)))), _dual_found())


def _dual_is_on(_: Scenario) -> Judged:
    """A bad token at ten times its probability, where the plain clip has nothing to say."""
    old, new, trl = (_project_loss(project) for project in (VERL_OLD, VERL_NEW, TRL))
    return judged([loss < max(old, trl) for loss in (old, new, trl)], old=old, new=new, trl=trl)


def _changes(cases: tuple[tuple[Fraction, Fraction], ...]) -> list[bool]:
    return [_objective(ratio, adv) != _plain(ratio, adv) for adv, ratio in cases]


def _change_found() -> dict[str, Any]:
    return {"inside": INSIDE, "same": _objective(INSIDE, GOOD), "above": ABOVE, "plain": _plain(ABOVE, GOOD),
            "clipped": _objective(ABOVE, GOOD)}  # fmt: skip


def _clip_changes_objective(_: Scenario) -> Judged:
    return judged(_changes(((GOOD, INSIDE), (GOOD, ABOVE))), **_change_found())


def _clip_changes_every_term(_: Scenario) -> Judged:
    return Judged(holds(all(_changes(((GOOD, INSIDE), *CASES)))), _change_found())


def _clip_can_change(_: Scenario) -> Judged:
    return Judged(holds(any(_changes(((GOOD, INSIDE), *CASES)))), _change_found())


def _fraction_is_zero(_: Scenario) -> Judged:
    first, later = (found["clipfrac"] for found in _steps())
    return judged([first == 0, later == 0], first=first, later=later)


def _fraction_always_zero(_: Scenario) -> Judged:
    first, later = (found["clipfrac"] for found in _steps())
    return Judged(holds(first == later == 0), {"first": first, "later": later})


def _of_sign(adv: Fraction) -> Check:
    """Whether a token of this sign loses its gradient, at a ratio above, inside and below the range."""

    def check(_: Scenario) -> Judged:
        ratios = [BELOW, INSIDE, ABOVE]
        slopes = [_slope(ratio, adv) for ratio in ratios]
        return judged([slope == 0 for slope in slopes], ratios=ratios, slopes=slopes)

    return check


def _of_side(ratio: Fraction) -> Check:
    """Whether a token on this side of the range loses its gradient, good and bad."""

    def check(_: Scenario) -> Judged:
        good, bad = _slope(ratio, GOOD), _slope(ratio, BAD)
        return judged([good == 0, bad == 0], ratio=ratio, good=good, bad=bad)

    return check


def _outside(_: Scenario) -> Judged:
    """Whether a token outside the range loses its gradient: above, good and bad; below, good and bad."""
    slopes = [_slope(ratio, adv) for adv, ratio in CASES]
    named = dict(zip(("good_above", "good_below", "bad_above", "bad_below"), slopes, strict=True))
    return judged([slope == 0 for slope in slopes], high=ABOVE, low=BELOW, **named)


def _takes_clipped(_: Scenario) -> Judged:
    """Which of the two products is the smaller one, for a good token and for a bad one beyond the upper edge."""
    taken = [_objective(ABOVE, adv) for adv in (GOOD, BAD)]
    clipped = [formulas.clipped_term(ABOVE, adv, EPS, EPS) for adv in (GOOD, BAD)]
    return judged([a == b for a, b in zip(taken, clipped, strict=True)], ratio=ABOVE, good=taken[0], bad=taken[1])


def _loss_is_positive(_: Scenario) -> Judged:
    losses = [-_objective(ONE, adv) for adv in (BAD, GOOD)]
    return judged([loss > 0 for loss in losses], bad=losses[0], good=losses[1])


def _raises_loss(_: Scenario) -> Judged:
    cases = [(-_objective(ratio, GOOD), -_plain(ratio, GOOD)) for ratio in (ABOVE, INSIDE)]
    return judged(
        [clipped > plain for clipped, plain in cases], inside=INSIDE, same=cases[1][0], above=ABOVE, loss=cases[0][0],
        plain=cases[0][1],
    )  # fmt: skip


def _epsilon_matters(_: Scenario) -> Judged:
    """The same ratio in a narrow range and in a wide one."""
    beyond, near = Fraction(3, 2), Fraction(21, 20)
    terms = {r: [_objective(r, GOOD, eps) for eps in (NARROW, WIDE)] for r in (beyond, near)}
    return judged(
        [narrow != wide for narrow, wide in terms.values()],
        eps=[NARROW, WIDE], beyond=beyond, moved=terms[beyond], near=near, same=terms[near],
    )  # fmt: skip


def _inside(_: Scenario) -> Judged:
    """The example's ratios after its update."""
    ratios = sorted(float(r) for r in _clip()["ratio"])
    middle = min(ratios, key=lambda r: abs(r - 1))
    within = [1 - float(EPS) <= r <= 1 + float(EPS) for r in (middle, ratios[-1])]
    return judged(within, near=round(middle, 6), far=round(ratios[-1], 6), low=1 - EPS, high=1 + EPS)


def _can_leave(_: Scenario) -> Judged:
    highest = max(float(r) for r in _clip()["ratio"])
    return Judged(holds(highest > 1 + EPS), {"far": round(highest, 6), "high": 1 + EPS})


def _first_epoch(_: Scenario) -> Judged:
    """An epoch of one mini-batch, and one of two: the second mini-batch is met by a policy that has moved."""
    first, later = (found["clipfrac"] for found in _steps())
    return judged([first == 0, first == 0 and later == 0], first=first, later=later)


def _pulled_back(_: Scenario) -> Judged:
    """Out of the range: a good token below it went the wrong way, one above it the right way."""
    wrong, right = _slope(BELOW, GOOD), _slope(ABOVE, GOOD)
    return judged([wrong > 0, right < 0], low=BELOW, high=ABOVE, wrong=wrong, right=right)


def _slope_is_advantage(_: Scenario) -> Judged:
    """By the log-probability the unclipped term's slope is ρA; what is left of it beyond the edge."""
    inside, beyond = (ratio * _slope(ratio, GOOD) for ratio in (INSIDE, ABOVE))
    return judged(
        [inside == _plain(INSIDE, GOOD), beyond == _plain(ABOVE, GOOD)],
        ratio=INSIDE, inside=inside, above=ABOVE, plain=_plain(ABOVE, GOOD), beyond=beyond,
    )  # fmt: skip


def _edge_by_sign(_: Scenario) -> Judged:
    """Whether it is the upper edge that stops a token."""
    upper = [_slope(ABOVE, adv) == 0 for adv in (GOOD, BAD)]
    return judged(upper, good=1 + EPS, bad=1 - EPS)


TURNS_ON: dict[str, Check] = {
    "dual_clip_changes_a_bad_tokens_loss": _dual_changes_bad,
    "dual_clip_changes_every_bad_token": _dual_changes_every_bad,
    "dual_clip_can_change_a_bad_token": _dual_can_change_bad,
    "dual_clip_is_built_in": _dual_is_on,
    "clip_changes_the_objective": _clip_changes_objective,
    "clip_changes_every_term": _clip_changes_every_term,
    "clip_can_change_a_term": _clip_can_change,
    "clip_fraction_is_zero": _fraction_is_zero,
    "clip_fraction_is_always_zero": _fraction_always_zero,
    "good_token_is_clipped": _of_sign(GOOD),
    "bad_token_is_clipped": _of_sign(BAD),
    "above_the_range_there_is_no_gradient": _of_side(ABOVE),
    "below_the_range_there_is_no_gradient": _of_side(BELOW),
    "a_token_outside_has_no_gradient": _outside,
    "minimum_takes_the_clipped_term": _takes_clipped,
    "policy_loss_is_positive": _loss_is_positive,
    "clipping_raises_the_loss": _raises_loss,
    "epsilon_changes_the_loss": _epsilon_matters,
    "ratio_is_inside_the_range": _inside,
    "ratio_can_leave_the_range": _can_leave,
    "first_epoch_clips_nothing": _first_epoch,
    "token_out_of_range_is_pulled_back": _pulled_back,
    "gradient_is_ratio_times_advantage": _slope_is_advantage,
    "upper_edge_stops_the_token": _edge_by_sign,
}
