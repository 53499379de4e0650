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
        ("结合代码详细说明：一个 token 的奖励怎样一步步变成它的优势，又怎样进入 actor 的损失函数", "code"),
        ("结合代码和数值来看，优势那一段的分析我已经懂了，现在只是不明白最后一个 token 为什么没有下一个价值", None),
    ],
)
def test_a_wish_is_read(message, wish):
    assert form(message) == wish


@pytest.mark.parametrize(
    "message", ["my KL is negative, is my code broken?", "代码是不是写错了", "我的代码算出来 KL 是负的"]
)
def test_the_learners_own_code_is_not_asked_for(message: str) -> None:
    assert form(message) is None
