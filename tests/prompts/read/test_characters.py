"""Characters become one spelling; cleaning twice changes nothing more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.read.characters import LONGEST_MESSAGE, LONGEST_SAID, clean, heart, unmangled

HIGH_LATIN = "".join(map(chr, range(0x80, 0x100)))  # what mojibake is made of


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=HIGH_LATIN), max_size=200))
def test_cleaning_is_idempotent_and_bounded(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert len(once) <= LONGEST_MESSAGE


@settings(derandomize=True, deadline=None)
@given(st.text(alphabet="γλδεβ价值奖励优势是的，。αΣ≈→", min_size=2, max_size=40))
def test_utf8_read_as_cp1252_is_read_again(text: str) -> None:
    table = {b: bytes([b]).decode("cp1252", "ignore") or chr(b) for b in range(256)}
    mangled = "".join(table[b] for b in text.encode("utf-8"))
    assert unmangled(mangled) == text


@pytest.mark.parametrize("honest", ["café", "“quoted”", "naïve Ångström", "…—", "r = [0, 1]", "价值"])
def test_honest_text_is_not_mojibake(honest: str) -> None:
    assert unmangled(honest) == honest


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Ｖ＝［０．３，０．４］", "V=[0.3,0.4]"),
        ("−0.5", "-0.5"),
        ("–0.5", "-0.5"),
        ("0.2–0.4", "0.2–0.4"),
        ("γ²", "γ^2"),
        ("δ₀", "δ_0"),
        ("V_{t+1}", "V_{t+1}"),
        ("Vₜ₊₁", "V_{t+1}"),
        ("½", " 1/2 "),
        ("a\u200bb\u202ec\x00", "abc"),
        ("x\u2028y", "x\ny"),
        ("Â", "A"),
        ('"，"', '"，"'),
        ("是，的", "是,的"),
    ],
)
def test_one_spelling_for_each_character(written: str, meant: str) -> None:
    assert clean(written) == meant


def test_what_is_wanted_is_read_from_both_ends_of_a_long_text() -> None:
    assert heart("why λ?") == "why λ?"
    long = "first " + "x" * 10_000 + " last"
    assert heart(long).startswith("first ") and heart(long).endswith(" last") and len(heart(long)) <= LONGEST_SAID + 1
    assert heart("1" * 5000 + " why") == "#\n# why"
