"""A re-telling may be shown only with the page's own numbers and formulas. Every page may stand for itself."""

from __future__ import annotations

import pytest

from lessons._lesson import LANGUAGES, lessons
from prompts.model.faithful import objections
from prompts.tell.ground import is_numeral
from tests import pages

PAGE = (
    "Imagine two friends who guess: the first says 0.2, the last got 0.955, so the surprise is -0.755.\n\n"
    "With \\(\\gamma = 1\\), and `td_error`:\n\n| t | r |\n| ---: | ---: |\n| 0 | 0.5 |\n\n"
    "$$G_{0} - V_{0} = 0.755$$\n\n```python\nx = 3\n```\n"
)
ACCEPTED = {
    "as it is": PAGE,
    "other words": "Someone guessed 0.2 and got 0.955, which is −0.755 from above, with \\(\\gamma = 1\\)."
    "\n\n$$G_{0} - V_{0} = 0.755$$",
    "its own number in words": PAGE.replace("friends", "people"),
    "without its table": PAGE.replace("| t | r |\n| ---: | ---: |\n| 0 | 0.5 |\n\n", ""),
    "without its code": PAGE.replace("```python\nx = 3\n```\n", "").replace("`td_error`", "that"),
}
REFUSED = {
    "another number": (PAGE.replace("0.2", "0.3"), "numerals"),
    "a number more": (PAGE + "It is 5.", "numerals"),
    "a number less": (PAGE.replace(" 0.955", " a lot"), "numerals"),
    "a number twice": (PAGE + "So 0.2.", "numerals"),
    "fewer digits": (PAGE.replace("0.955", "0.96"), "numerals"),
    "a lost sign": (PAGE.replace("-0.755", "0.755"), "numerals"),
    "a sign": (PAGE.replace(" 0.2", " -0.2"), "numerals"),
    "a sign in words": (PAGE.replace(" 0.2", " minus 0.2"), "numerals"),
    "per cent": (PAGE.replace("0.2,", "0.2%,"), "numerals"),
    "a thousand": (PAGE.replace("0.2,", "0.2 thousand,"), "words"),
    "a number in words": (PAGE + "That is twice as much.", "words"),
    "a Chinese number in words": (PAGE + "So 三倍.", "words"),
    "a figure turned into words": (PAGE.replace("0.2", "零点二"), "numerals"),
    "a half": (PAGE + "It is a half of it.", "words"),
    "a third": (PAGE + "It fell by a third.", "words"),
    "two thirds": (PAGE + "Two thirds were lost.", "words"),
    "a third in Chinese": (PAGE + "少了三分之一。", "words"),
    "half in Chinese": (PAGE + "少了大半。", "words"),
    "the first": (PAGE.replace("the first says", "the second says"), "words"),
    "the last is the first": (PAGE.replace("the last got", "the first got"), "words"),
    "one step": (PAGE + "It takes one step.", "words"),
    "第一": (PAGE + "第一步。", "words"),
    "a pair": (PAGE + "A pair of them.", "words"),
    "a fraction of two figures": ("A 1 and 2.", "A 1/2.", "operators"),
    "a ratio of two figures": ("A 1 and 2.", "A 1:2.", "operators"),
    "a product in words": (PAGE.replace("0.2, the", "0.2 times the"), "operators"),
    "a sum in Chinese words": (PAGE + "再加上它。", "operators"),
    "swapped numbers": (PAGE.replace("0.2", "#").replace("0.955", "0.2").replace("#", "0.955"), "order"),
    "numbers swapped by words": (
        PAGE.replace("the first says 0.2, the last got 0.955", "the last got 0.955, the first says 0.2"), "order"
    ),
    "a number after its formula": ("With 0.2 and \\(A\\) it is so.", "With \\(A\\) and 0.2 it is so.", "order"),
    "swapped formulas": ("\\(A\\) comes before \\(B\\) in this.", "\\(B\\) comes before \\(A\\) in this.", "order"),
    "another index in a formula": (PAGE.replace("V_{0}", "V_{1}"), "formulas"),
    "another index in prose": ("At token 3 it is so.", "At token 4 it is so.", "numerals"),
    "another index in Chinese": ("第三个词最要紧，其余不动。", "第四个词最要紧，其余不动。", "words"),
    "minus, spaced": (PAGE.replace(" 0.2,", " - 0.2,"), "numerals"),
    "a Chinese minus": (PAGE.replace(" 0.2,", " 负的 0.2,"), "numerals"),
    "negative": (PAGE.replace(" 0.2,", " negative 0.2,"), "numerals"),
    "a dropped minus in a formula": (PAGE.replace("G_{0} - V_{0}", "G_{0} + V_{0}"), "formulas"),
    "a minus taken for a bullet": (PAGE.replace("is -0.755", "is\n- 0.755"), "numerals"),
    "a stroke through a digit": (PAGE.replace("0.2,", "0.2\u0338,"), "characters"),
    "a circled number": (PAGE + "①", "numerals"),
    "a hidden digit": (PAGE.replace("0.2,", "0.2&#51;,"), "numerals"),
    "a split number": (PAGE.replace("0.2,", "0.**2**,"), "numerals"),
    "a superscript": (PAGE + "See²", "numerals"),
    "another formula": (PAGE.replace("gamma = 1", "gamma = 2"), "formulas"),
    "a formula more": (PAGE + "\\(V_{0}\\)", "formulas"),
    "a formula less": (PAGE.replace("\\(\\gamma = 1\\)", "it"), "formulas"),
    "a formula in dollars": (PAGE + "$A$", "formulas"),
    "a formula in words": (PAGE + "So A = R − V", "operators"),
    "loose LaTeX": (PAGE + "\\frac", "operators"),
    "a cell changed": (PAGE.replace("| 0 | 0.5 |", "| 0 | 0.6 |"), "tables"),
    "a row less": (PAGE.replace("| 0 | 0.5 |\n", ""), "tables"),
    "a table more": (PAGE + "\n| a | b |\n| --- | --- |\n| c | d |\n", "tables"),
    "code changed": (PAGE.replace("x = 3", "x = 4"), "code"),
    "code of its own": (PAGE + "`gae`", "code"),
    "a script": (PAGE + "<script>alert()</script>", "markup"),
    "an image": (PAGE + "<img src=x onerror=y>", "markup"),
    "a picture": (PAGE + "![x](y)", "markup"),
    "a link": (PAGE + "[x](y)", "markup"),
    "an address": (PAGE + "https://example.org", "markup"),
    "a comment": (PAGE + "<!-- x -->", "markup"),
    "struck out": (PAGE.replace("0.955", "~~0.955~~"), "markup"),
    "an open block": (PAGE + "\n```\nx", "open"),
    "a mark of ours": (PAGE + "\ue000", "characters"),
    "a direction": (PAGE + "\u202e", "characters"),
    "another language": ("先猜 0.2，后得 0.955，意外 -0.755。\\(\\gamma = 1\\)，$$G_{0} - V_{0} = 0.755$$", "language"),
    "nothing": ("", "numerals"),
}  # fmt: skip
# What was told for PAGE, or a page of its own and what was told for it; then what is against it.


@pytest.mark.parametrize("told", ACCEPTED.values(), ids=ACCEPTED)
def test_what_may_be_shown(told):
    assert objections(PAGE, told, "en") == ()


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_may_not_be_shown(case):
    page, told, kind = case if len(case) == 3 else (PAGE, *case)
    language = "zh" if page[0] == "第" else "en"
    assert objections(page, page, language) == ()
    assert kind in {objection.kind for objection in objections(page, told, language)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", sorted(lessons()))
def test_every_page_may_stand_for_itself_and_no_digit_can_be_changed_in_it(id, language):
    page = pages.page(lessons()[id], pages.EXAMPLE, language, "simple")
    assert objections(page, page, language) == ()
    for place, character in enumerate(page):
        if is_numeral(character):
            changed = page[:place] + ("7" if character != "7" else "8") + page[place + 1 :]
            assert objections(page, changed, language), changed[place - 20 : place + 20]
