"""A verdict that weighs cases comes out otherwise where one of the cases is taken away."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

import pytest

from engine.example import RUNNING
from lessons._lesson import lessons

NONE, HALF = Fraction(0), Fraction(1, 2)
OTHERWISE = {
    "however unlike the prompts, large groups do better": (
        "group_baselines", "larger_group_is_better", "true", {"UNLIKE": (HALF,)}
    ),
    "a large group is no steadier": ("group_baselines", "larger_group_is_better", "false", {"ALIKE": (NONE,)}),
    "no group is silent where each response pays for its length": (
        "group_baselines", "silent_groups_should_be_dropped", "false",
        {"COSTS": tuple(Fraction(k, 10) for k in range(4))},
    ),
    "both critics are nearly right": (
        "padding_mask", "bootstrapping_cut_off_responses_is_better", "true", {"SAID": (Fraction(9, 10),) * 2}
    ),
    "nothing was cut off": (
        "padding_mask", "bootstrapping_cut_off_responses_is_better", "false", {"AFTER": (NONE, NONE)}
    ),
}  # fmt: skip


def _verdict(lesson, claim):
    return lessons()[lesson].facts[claim].judge(RUNNING, denied=False).verdict


@pytest.mark.parametrize("case", OTHERWISE)
def test_it_comes_out_otherwise(case, monkeypatch):
    lesson, claim, verdict, changes = OTHERWISE[case]
    for name, changed in changes.items():
        monkeypatch.setattr(import_module(f"lessons.{lesson}.judged"), name, changed)
    assert _verdict(lesson, claim) == verdict != "depends"
