"""The rule that checks the answer."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.models.reward import RIGHT, WRONG, expected_answer, rule_score


@settings(derandomize=True, deadline=None)
@given(st.integers(0, 999), st.integers(0, 999), st.integers(-9, 9))
def test_only_the_sum_is_right(a: int, b: int, miss: int) -> None:
    assert rule_score(f"{a}+{b}=?", f"= {a + b + miss}.") == (WRONG if miss else RIGHT)


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [("请问1+1=2？", 2), ("3−5", -2), ("4 × 2.5 ?", 10), ("1÷4", Fraction(1, 4)), ("what is 2*3, then 1+1", 6)],
)
def test_expected_answers(prompt: str, wanted: Fraction) -> None:
    assert expected_answer(prompt) == wanted


@pytest.mark.parametrize(
    ("response", "score"),
    [("是的，等于2！", RIGHT), ("1+1=2.0", RIGHT), ("2, no, 3", WRONG), ("yes", WRONG), ("-2", WRONG)],
)
def test_the_last_number_counts(response: str, score: float) -> None:
    assert rule_score("请问1+1=2？", response) == score


@pytest.mark.parametrize("prompt", ["hello", "1/0", "1+", "+1"])
def test_no_rule_is_said(prompt: str) -> None:
    with pytest.raises(EngineError, match="no_rule"):
        rule_score(prompt, "2")
