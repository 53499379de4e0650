"""The form an answer is wanted in, from the words of the message."""

from __future__ import annotations

import pytest

from prompts.read.form import form


@pytest.mark.parametrize(
    ("message", "wish"),
    [
        ("explain it like I'm 12", "simple"),
        ("Explain like I’m five", "simple"),
        ("as if I were twelve", "simple"),
        ("put it as if I was nine", "simple"),
        ("pretend that I am 8", "simple"),
        ("讲给 9 岁的我听", "simple"),
        ("来道跟它有关的题", "quiz"),
        ("出两道关于白化的小题", "quiz"),
        ("show me the numbers", "numbers"),
        ("OK, give me the results", "numbers"),
        ("给我看数字", "numbers"),
        ("让我看看具体的数值", "numbers"),
        ("show me the numbers in a table", "table"),
        ("what do the numbers show me?", None),
        ("出个错也没关系吗", None),
        ("在语言模型上跑一遍", None),  # running.py hears it
        ("I'm stuck at token 12", None),
        ("what does the reward model run on?", None),
    ],
)
def test_a_wish_is_read(message, wish):
    assert form(message) == wish


@pytest.mark.parametrize(
    "message", ["my KL is negative, is my code broken?", "代码是不是写错了", "我的代码算出来 KL 是负的"]
)
def test_the_learners_own_code_is_not_asked_for(message: str) -> None:
    assert form(message) is None
