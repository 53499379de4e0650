"""A numeral reaches a page only through the renderer; the scanner that says so is shown to catch one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.tell.ground import Grounded, UngroundedError, emit, is_numeral, release
from prompts.tell.learner_text import LONGEST, quoted


def test_a_number_is_emitted_and_released():
    assert release(f"The excess is {emit(Fraction(151, 200))}.") == "The excess is 0.755."


@pytest.mark.parametrize("numeral", ["3", "３", "²", "₀", "½", "Ⅳ", "٣"])
def test_a_numeral_by_hand_is_caught(numeral):
    assert is_numeral(numeral)
    with pytest.raises(UngroundedError):
        release(f"about {numeral} of {emit(1)}")
    with pytest.raises(UngroundedError):
        emit(f"a text with {numeral}")


def test_chinese_words_for_numbers_are_words():
    assert release("一步、两个、第三") == "一步、两个、第三"


def test_nested_emission_is_released_once():
    inner = Grounded(f"a {emit(Grounded('x_0'))} b")
    assert release(emit(inner)) == "a x_0 b"


@pytest.mark.parametrize("thing", [None, True, [1], {"a": 1}, object()])
def test_only_numbers_and_texts_are_emitted(thing):
    with pytest.raises(TypeError):
        emit(thing)


HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="fetch(1)">',
    "![x](http://example.org/x.png)",
    "[x](javascript:alert(1))",
    "`</code><b>`",
    "$$\\href{javascript:alert(1)}{x}$$",
    "a | b\n| c",
    "\ue0001\ue001 \u202e \u200b \x00",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_learners_text_is_never_markup(text):
    shown = release(emit(quoted(text)))
    assert not set(shown) & set('<>[]`$\\|*_\n"')
    assert "\ue000" not in shown and "\u202e" not in shown


def test_a_sentence_is_quoted_as_it_reads_and_makes_no_list():
    assert quoted("it's V(s), isn't it") == "it's V(s), isn't it"
    assert quoted("1) first") == "1&#41; first"


@given(st.text())
def test_any_text_of_the_learners_is_harmless_and_short(text):
    shown = quoted(text)
    assert not set(shown) & set("<>[]`$\\|*_\n")
    assert len(shown) <= LONGEST * len("&#1234;") + 1
