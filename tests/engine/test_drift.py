"""The small world of two tokens: the promise is the tangent of what is really earned."""

from __future__ import annotations

import pytest

from engine import drift
from engine.example import RUNNING
from engine.facts import compute


def test_the_small_world_by_counting():
    """P(the two tokens differ) is 2p(1 − p); the surrogate is a straight line with its slope at the old policy."""
    world = compute(drift.along(0.25, 6), RUNNING).numbers
    for p, promised, earned in zip(world["p"], world["promised"], world["earned"], strict=True):
        assert earned == pytest.approx(2 * p * (1 - p) - 2 * 0.25 * 0.75)
        assert promised == pytest.approx((2 - 4 * 0.25) * (p - 0.25))


def test_at_the_old_policy_nothing_is_promised_and_nothing_earned():
    world = compute(drift.along(0.25, 3), RUNNING).exact
    assert world["promised"][0] == world["earned"][0] == 0
    assert any(a != b for a, b in zip(world["promised"], world["earned"], strict=True))
