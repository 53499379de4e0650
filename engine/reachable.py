"""Which γ and λ give stated advantages of given rewards and values; whether any do at all."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from engine.readings.exact import rational

Corner: TypeAlias = tuple[Fraction, Fraction]  # γ and γλ
Line: TypeAlias = tuple[Fraction, Fraction, Fraction]  # c + gγ + kγλ, which is not to be negative
_ZERO, _ONE = Fraction(0), Fraction(1)
ADMISSIBLE: tuple[Corner, ...] = ((_ZERO, _ZERO), (_ONE, _ZERO), (_ONE, _ONE))  # 0 ≤ γλ ≤ γ ≤ 1


def reachable(rewards: Sequence[float], values: Sequence[float], advantages: Sequence[float], tolerance: float) -> bool:
    """Some γ in [0, 1] and λ in [0, 1] may give the stated numbers, each up to the tolerance."""
    return bool(admitted(rewards, values, advantages, tolerance))


def admitted(
    rewards: Sequence[float], values: Sequence[float], advantages: Sequence[float], tolerance: float
) -> tuple[Corner, ...]:
    """The corners of a polygon outside of which no γ and γλ give the stated numbers; none: none do, which is proved.

    A_t = r_t + γV_{t+1} − V_t + γλ A_{t+1} is linear in γ and γλ. A_t and A_{t+1} are known up to the tolerance each.
    """
    r, v, a = ([rational(float(x)) for x in row] for row in (rewards, values, advantages))
    slack = rational(float(tolerance))
    corners = ADMISSIBLE
    for t, stated in enumerate(a):
        last = t + 1 == len(a)
        v_next, a_next, slack_next = (_ZERO, _ZERO, _ZERO) if last else (v[t + 1], a[t + 1], slack)
        rest = r[t] - v[t] - stated
        for sign in (1, -1):
            corners = _cut(corners, (slack + sign * rest, sign * v_next, slack_next + sign * a_next))
    return corners


def _cut(corners: tuple[Corner, ...], line: Line) -> tuple[Corner, ...]:
    """What of a convex polygon lies on the right side of a line."""
    kept: list[Corner] = []
    for one, other in pairwise((*corners, *corners[:1])):
        here, there = _height(line, one), _height(line, other)
        if here >= 0:
            kept.append(one)
        if here * there < 0:
            share = here / (here - there)
            kept.append((one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])))
    return tuple(dict.fromkeys(kept))


def _height(line: Line, corner: Corner) -> Fraction:
    return line[0] + line[1] * corner[0] + line[2] * corner[1]
