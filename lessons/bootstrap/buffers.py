"""Several episodes behind one another in one buffer: what must not get from one into the one before."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Plain, judged, rational, trial

FIRST, SECOND = ((0, 1), ("1/2", "3/4")), ((0, 3), ("1/4", 1))  # rewards and values of two finished episodes
DONE = (0, 1, 0, 1)
STEADY, LUCKY = (1, 1), (1, 5)  # each step pays one; in the next episode one step paid more than anyone foresaw
FORESEEN, REACHED, NEXT = (4, 3), 2, (2, 1)  # V along an episode of four steps that is cut after two, at the cut, after


def _buffer(
    rewards: Sequence[Plain], values: Sequence[Plain], following: Sequence[Any], kept: Sequence[Any]
) -> list[Any]:
    """One recursion through the buffer: what each step takes for its next value, how much it takes of what follows."""
    r, v = rational(rewards), rational(values)
    carried: Any = NONE
    found: list[Any] = []
    for t in reversed(range(len(r))):
        delta = formulas.td_error(r[t], v[t], following[t], ONE)
        carried = formulas.gae_step(delta, kept[t] * carried, ONE, HALF)
        found.append(carried)
    return found[::-1]


def _mask_on_both(_: Scenario) -> Judged:
    """The factor on the next value and on what is carried, on one of them only, and on none."""
    rewards, values = (*FIRST[0], *SECOND[0]), (*FIRST[1], *SECOND[1])
    after, mask = [*rational(values)[1:], NONE], [ONE - done for done in DONE]
    masked = [m * v for m, v in zip(mask, after, strict=True)]
    open_ = [ONE] * len(DONE)
    apart = [a for r, v in (FIRST, SECOND) for a in trial(r, v, HALF).advantages]
    both, value, carry, none = (
        _buffer(rewards, values, following, kept)
        for following, kept in ((masked, mask), (masked, open_), (after, mask), (after, open_))
    )
    return judged(
        both == apart and apart not in (value, carry, none), apart=apart[:2], both=both[:2], value=value[:2],
        carry=carry[:2], none=none[:2],
    )  # fmt: skip


def _time_limit(_: Scenario) -> Judged:
    """Nothing in the cut episode is a surprise: its advantages are zero, whatever the next one in the buffer earns."""
    rewards, values = (*STEADY, *LUCKY), (*FORESEEN, *NEXT)

    def cut(following: Plain, kept: int) -> list[Fraction]:
        nexts = [Fraction(FORESEEN[1]), Fraction(following), Fraction(NEXT[1]), NONE]
        return _buffer(rewards, values, nexts, (1, kept, 1, 0))[: len(STEADY)]

    right, zero, carried = cut(REACHED, 0), cut(0, 0), cut(REACHED, 1)
    return judged(
        not any(right) and all(zero) and all(carried), reached=REACHED, right=right, zero=zero, carried=carried
    )


BUFFERS: dict[str, Check] = {
    "mask_stands_on_next_value_and_carried_advantage": _mask_on_both,
    "time_limit_cuts_the_carry_and_keeps_the_value": _time_limit,
}
