"""Formulas whose parts stand above one another, found by where their strokes stand: fractions, sums with limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from prompts.pictures.pieces import FORMULA, Stroke

# In heights of a line's middle.
FLAT = 0.35  # how high the bar of a fraction is at most
WIDE = 0.9  # how wide it is at least
NEAR = 1.3  # how far from it what stands above and below it is at most
OVER = 0.4  # how far that reaches beside it at most
MORE = 1.3  # how much wider than that it is at most
FULL = 0.6  # how high at least one of the strokes there is
SIGN = 1.9  # how high the sign of a sum is at least: higher than any character
LIMIT = 0.7  # how far from it its limits are at most


def stacked(strokes: Sequence[Stroke], across: np.ndarray, height: float) -> tuple[list[Stroke], list[Stroke]]:
    """The strokes that stand in lines, and the formulas that the others make up, each as one."""
    found: list[set[Stroke]] = []
    for group in [*_fractions([*strokes, *_rules(across)], height), *_sums(strokes, height)]:
        touching = [other for other in found if _meet(_box(group), _box(other))]
        found = [other for other in found if other not in touching] + [set(group).union(*touching)]
    formulas = [_even(group) for group in found]
    apart = [one for one in strokes if not any(_meet(one, formula) for formula in formulas)]
    return apart, formulas


def _rules(across: np.ndarray) -> Iterator[Stroke]:
    import cv2

    count, _, stats, _ = cv2.connectedComponentsWithStats(across)
    for left, top, wide, tall, _ in stats[1:count].tolist():
        yield Stroke(FORMULA, left, top, left + wide, top + tall)


def _fractions(strokes: Sequence[Stroke], height: float) -> Iterator[set[Stroke]]:
    for bar in strokes:
        if bar.tall > FLAT * height or bar.wide < WIDE * height:
            continue
        above = _beside(strokes, bar, NEAR * height, OVER * height, below=False)
        below = _beside(strokes, bar, NEAR * height, OVER * height, below=True)
        if all(_fills(part, bar, height) for part in (above, below)):
            widest = max(_box(part).wide for part in (above, below))
            if bar.wide <= widest + MORE * height:
                yield {bar, *above, *below}


def _sums(strokes: Sequence[Stroke], height: float) -> Iterator[set[Stroke]]:
    for sign in strokes:
        if sign.tall < SIGN * height or sign.wide < WIDE * height:
            continue
        over = sign.wide
        above = _beside(strokes, sign, LIMIT * height, over, below=False)
        below = _beside(strokes, sign, LIMIT * height, over, below=True)
        if above and below and all(one.tall < sign.tall / 2 for one in above | below):
            yield {sign, *above, *below}


def _beside(strokes: Sequence[Stroke], axis: Stroke, near: float, over: float, *, below: bool) -> set[Stroke]:
    """What stands just above or below a stroke, all of it within its width."""
    gap = {one: (one.top - axis.bottom if below else axis.top - one.bottom) for one in strokes if one is not axis}
    close = {one for one, away in gap.items() if -1 <= away <= near and one.right > axis.left and one.left < axis.right}
    if close:  # brackets reach nearer than what they hold
        box = _box(close)
        close |= {one for one in gap if one.top < box.bottom and box.top < one.bottom and _within(one, axis, over)}
    return close if all(_within(one, axis, over) for one in close) else set()


def _within(one: Stroke, axis: Stroke, over: float) -> bool:
    return axis.left - over <= one.left and one.right <= axis.right + over


def _fills(part: set[Stroke], bar: Stroke, height: float) -> bool:
    """Whether strokes stand over the middle of a bar, one of them at least as high as a character."""
    if not part or max(one.tall for one in part) < FULL * height:
        return False
    box = _box(part)
    return abs((box.left + box.right) - (bar.left + bar.right)) / 2 <= OVER * height


def _box(part: set[Stroke]) -> Stroke:
    return Stroke(
        FORMULA,
        min(one.left for one in part),
        min(one.top for one in part),
        max(one.right for one in part),
        max(one.bottom for one in part),
    )


def _even(part: set[Stroke]) -> Stroke:
    """A box around all of it that reaches as far above its bar, or its sign, as below."""
    box, axis = _box(part), max(part, key=lambda one: one.wide).middle
    reach = max(axis - box.top, box.bottom - axis)
    return Stroke(FORMULA, box.left - 1, round(axis - reach), box.right + 1, round(axis + reach))


def _meet(one: Stroke, other: Stroke) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom
