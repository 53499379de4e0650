"""Simple pages as they are read: whole paragraphs, no tables of data."""

from __future__ import annotations

import pytest

from lessons._lesson import lessons
from prompts.tutor import Request, answer

ON_ONE_TOKEN = "r=[1], V=[.3], γ=.9, λ=.9"
CHILD = {"zh": "像给小孩讲一样", "en": "explain like I am five"}


def test_a_paragraph_that_ends_with_a_condition_stays_one():
    page = answer(Request((f"{ON_ONE_TOKEN}，回报减价值算粗略的优势吗，{CHILD['zh']}",))).markdown
    assert "\n\n办法乙" in page


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_child_is_told_a_story_and_no_table(language):
    question = lessons()["telescoping"].question[language]
    page = answer(Request((question, CHILD[language]))).markdown
    assert "| ---" not in page and "<details>" not in page and "$$" not in page


@pytest.mark.parametrize("asked", ["为什么要用 λ？λ 取 0.3 和 0.5", "Why λ? Take λ at 0.3 and 0.5"])
def test_waiting_to_the_end_is_lambda_one(asked):
    page = answer(Request((asked, CHILD["zh" if asked[0] == "为" else "en"]))).markdown
    told = page.partition("###")[0]
    told = told.partition("\n\n")[2]  # below what was read
    assert r"\lambda = 0\)" in told and r"\lambda = 1\)" in told and "0.3" not in told
