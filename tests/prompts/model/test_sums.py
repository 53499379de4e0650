"""Sums are worked out and nothing else is; what comes out may be said at fewer digits."""

from __future__ import annotations

import pytest

from prompts.model.lock import objection
from prompts.model.sums import LONGEST, worked_out

MESSAGE = "gamma 0.85, 20 steps, rewards 60 and [0, 1, 1] in 16,384 dimensions at 1.01"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("0.85^20", "0.85^20 = 0.0387595"),
        ("0.85**20 = 3%", "0.85^20 = 0.0387595"),
        ("1/(1 - 0.85)", "1/(1 - 0.85) = 6.66667"),
        ("60 - [10, 60]", "60 - [10, 60] = [50, 0]"),
        ("[60, 1] * [2, 3]", "[60, 1] * [2, 3] = [120, 3]"),
        ("mean([0, 1, 1])", "mean([0, 1, 1]) = 0.666667"),
        ("pstd([0, 1, 1])", "pstd([0, 1, 1]) = 0.471405"),
        ("exp(16384 * log(1.01))", "exp(16384 * log(1.01)) = 6.32977e70"),
        ("-60 + 1", "-60 + 1 = -59"),
    ],
)
def test_a_sum_is_worked_out(asked, found):
    assert worked_out(asked, MESSAGE) == found


@pytest.mark.parametrize(
    "asked",
    [
        "", "60", "2 * 3", "60 / 0", "log(0 - 60)", "(0 - 60) ^ 0.5", "60 ^ 60 ^ 60", "[60, 1] + [1]", "[[60]] + 1",
        "std([60])", "open('x') + 60", "(60).real + 1", "60 if 1 else 2", "60 + x", "60 + True", "60 + 1j",
        "lambda: 60 + 1", "__import__('os').getpid() + 60", "60" + "+1" * LONGEST, "(" * 90 + "60" + ")" * 60, "60 @ 1",
    ],
)  # fmt: skip
def test_what_is_none_comes_to_nothing(asked):
    assert worked_out(asked, MESSAGE) is None


@pytest.mark.parametrize(("said", "why"), [("0.0388", None), ("3.9%", None), ("0.04", "number"), ("5%", "number")])
def test_a_result_may_be_rounded_and_not_changed(said, why):
    assert objection(f"In the end it comes to {said}.", ["0.85^20 = 0.0387595"], "en") == why
