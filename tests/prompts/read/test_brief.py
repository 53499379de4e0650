"""Messages of hardly more than a term: each term in words around it, and none where more is said."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read import brief
from prompts.read.lesson import decide

READ = tomllib.loads(Path(brief.__file__).with_suffix(".toml").read_text(encoding="utf-8"))["terms"]


def test_terms_lead_to_lessons_that_are_there_and_each_to_one():
    assert set(READ) <= set(lessons()) - {OUT_OF_SCOPE}
    spelt = [term.lower() for terms in READ.values() for term in terms]
    assert len(spelt) == len(set(spelt))


@pytest.mark.parametrize("lesson", sorted(READ))
def test_a_term_alone_and_in_words_that_say_no_more(lesson):
    for term in READ[lesson]:
        for message in (term, f"什么是{term}？", f"{term} 是什么意思", f"what is {term}?", f"Explain {term} please"):
            assert brief.named(message) == lesson, message


@pytest.mark.parametrize(
    ("message", "lesson"),
    [
        ("PPO 裁剪，考考我", "ppo_clip"),
        ("白化，举个例子", "whitening"),
        ("prove telescoping", "telescoping"),
        ("show me the code of GRPO", "group_baselines"),
        ("用大白话讲讲 λ", "why_lambda"),
        ("GAE 的代码", "mc_vs_gae"),
    ],
)
def test_a_wish_beside_a_term(message, lesson):
    assert brief.named(message) == lesson


@pytest.mark.parametrize(
    "message",
    [
        "",
        "?",
        "what is",
        "为什么",
        "whitening of images",
        "λ 和 γ 有什么区别",
        "lambda functions in python",
        "does V_t include r_t",
        "GAE 怎么算的方差",
    ],
)
def test_what_says_more_or_less_is_read_otherwise(message):
    assert brief.named(message) is None


def test_a_named_lesson_is_sure_and_comes_first():
    decision = decide("λ")
    assert decision.sure and decision.lesson == decision.alternatives[0][0] == "why_lambda"
    assert len({lesson for lesson, _ in decision.alternatives}) == 3
