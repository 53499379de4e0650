"""Spans inside a response that the policy did not write: a running sum that is cut there, and one that is carried."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import formulas, sequences
from engine.masks import over_valid, zeroed
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import judged, rational

MASK = (1, 1, 0, 0, 1)  # two tokens, what a tool gave back, and the answer
REWARDS, VALUES = rational((0, 0, 0, 0, 1)), rational(("1/2",) * 5)
GAMMA, LAM = Fraction(9, 10), Fraction(1)
ONE = Fraction(1)


def _cut_return() -> list[Fraction]:
    """A loop from behind whose running sum is multiplied by the mask at every position."""
    running, found = Fraction(0), []
    for r, m in zip(reversed(REWARDS), reversed(MASK), strict=True):
        running = formulas.mc_step(r, running, GAMMA)
        found.append(running)
        running = running * m
    return found[::-1]


def _cut_advantage() -> list[Fraction]:
    """The same with GAE: next value and running advantage times the mask."""
    values = zeroed(VALUES, MASK)
    deltas = sequences.deltas(REWARDS, values, ONE)
    running, found = Fraction(0), []
    for delta, m in zip(reversed(deltas), reversed(MASK), strict=True):
        running = formulas.gae_step(delta, running, ONE, LAM) * m
        found.append(running)
    return found[::-1]


def _own(xs: Sequence[Fraction]) -> list[Fraction]:
    return [x for x, m in zip(xs, MASK, strict=True) if m]


def _return(_: Scenario) -> Judged:
    carried = over_valid(lambda rewards: sequences.mc_returns(rewards, GAMMA), MASK, REWARDS)
    cut, whole = _own(_cut_return()), _own(carried)
    return judged(
        cut[-1] == whole[-1] and not any(cut[:-1]) and all(whole), gamma=GAMMA, mask=MASK, cut=cut, carried=whole
    )


def _advantage(_: Scenario) -> Judged:
    carried = over_valid(lambda rewards, values: gae(rewards, values, ONE, LAM), MASK, REWARDS, VALUES)
    cut, whole = _own(_cut_advantage()), _own(carried)
    return judged(
        cut[-1] == whole[-1] and max(cut[:-1]) < 0 < min(whole[:-1]), mask=MASK, value=VALUES[0], cut=cut, carried=whole
    )


SPANS: dict[str, Check] = {
    "running_return_times_the_mask_is_cut_at_a_span": _return,
    "running_advantage_times_the_mask_is_cut_at_a_span": _advantage,
}
