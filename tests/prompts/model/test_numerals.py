"""Numbers are found however they are written, and words that only look like numbers are not."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.model.numerals import numerals

FIGURES = [
    ("她说 0.2。", ["0.2"]),
    ("-0.5, −0.5, –0.5, － 0.5, minus 0.5, negative 0.5, 负0.5", ["-0.5"] * 7),
    ("1+1=2", ["1", "1", "2"]),
    ("0.955 − 0.2 = 0.755.", ["0.955", "-0.2", "0.755"]),
    ("3.0 is not 3", ["3.0", "3"]),
    ("1,000 and 0,755 and 1, 2", ["1,000", "0,755", "1", "2"]),
    ("1e-8, 1.2×10⁻⁸", ["1e-8", "1.2×10⁻⁸"]),
    ("5%, 5 percent, 百分之5, 5％", ["5%"] * 4),
    ("0.7万", ["0.7万"]),
    ("３．５ and ٣", ["3.5", "3"]),
    ("½ of x², ①", ["½", "²", "①"]),
    ("- 0.2\n* 3\n", ["0.2", "3"]),
    ("V_0 and k1, 12-year-old", ["0", "1", "12"]),
]
WORDS = [
    ("六个 token，两步，三倍", ["6", "2", "3"]),
    ("五 tokens", ["5"]),
    ("零点七五五、负零点二、百分之五、三分之二", ["0.755", "-0.2", "5%", "2/3"]),
    ("二十三、一百零五、两万零五十、十、五五", ["23", "105", "20050", "55"]),
    ("第三步、第二十", ["3", "20"]),
    ("一半、一倍、翻倍、一点五", ["1/2", "1", "2", "1.5"]),
    ("one of them, at first, once", []),
    ("想象你一个词一个词地写，一起，一样，升一点", []),
    ("第一步、第一个词", ["1", "1"]),
    ("at first, first of all, one of them, the first time", []),
    ("the first value, one step, its first token", ["1", "1", "1"]),
    ("a half, one third, two fifths, minus three tenths", ["1/2", "1/3", "2/5", "-3/10"]),
    ("大半、半步、过半", ["1/2"] * 3),
    ("万一、千万要、四面八方、三心二意", []),
    ("twice, half, Three quarters, ten percent, minus two", ["2", "1/2", "3/4", "10%", "-2"]),
    ("someone, weight, often, attention, none, tent", []),
]


@pytest.mark.parametrize(("text", "expected"), FIGURES)
def test_figures(text, expected):
    assert list(numerals(text).figures) == expected


@pytest.mark.parametrize(("text", "expected"), WORDS)
def test_words(text, expected):
    assert (numerals(text).words, numerals(text).figures) == (Counter(expected), ())


@given(st.lists(st.decimals(-1000, 1000, places=3)))
def test_every_number_is_found_as_it_is_written(numbers):
    written = [str(x) for x in numbers]
    assert list(numerals(" 然后 ".join(written)).figures) == written


@given(st.integers(2, 9999).filter(lambda n: n % 1000), st.sampled_from("个步倍"))
def test_a_number_in_chinese_is_read_as_its_value(number, measure):
    assert numerals(f"共{_chinese(number)}{measure}").words == Counter([str(number)])


def _chinese(number: int) -> str:
    """By the rule taught at school: a zero for each gap, nothing at the end."""
    digits, text = "零一二三四五六七八九", ""
    for place, scale in zip((1000, 100, 10, 1), ("千", "百", "十", ""), strict=True):
        digit = number // place % 10
        text += digits[digit] + scale if digit else "零"
    while "零零" in text:
        text = text.replace("零零", "零")
    return text.strip("零")


@given(st.text())
def test_any_text_has_its_numbers(text):
    assert numerals(text) == numerals(text)
