"""A chat forgets its first turns; the exercise that is open stays the same."""

from __future__ import annotations

import pytest

from prompts.read.conversation import LONGEST_HISTORY, questions, turns
from prompts.read.turns import follow
from prompts.tutor import Request, answer


@pytest.mark.parametrize(("begin", "go_on"), [("quiz me", ("next", "hint")), ("考考我", ("下一题", "提示"))])
def test_an_exercise_outlives_what_is_forgotten(begin, go_on):
    history, messages = [], []
    for k in range(LONGEST_HISTORY // 2 + 4):
        messages.append(begin if k == 0 else go_on[k % 2])
        remembered = (*questions(turns(history)), messages[-1])
        kept, whole = follow(remembered), follow(tuple(messages))
        assert kept.practice is not None
        assert kept.practice.name == whole.practice.name
        assert kept.practice.exercise == whole.practice.exercise
        told = answer(Request(remembered)).markdown if go_on[k % 2] == go_on[0] or not k else "…"
        history += [{"role": "user", "content": messages[-1]}, {"role": "assistant", "content": told}]
    assert len(remembered) < len(messages)


@pytest.mark.parametrize(("begin", "give_up"), [("quiz me on GAE", "show me"), ("考我 GAE 的题", "看答案")])
def test_what_to_review_outlives_what_is_forgotten(begin, give_up):
    history = []
    for message in (begin, give_up, "next", "-77", "next", "hint", "1234", "ok", "ok"):
        history.append({"role": "user", "content": message})
        history.append({"role": "assistant", "content": answer(Request(questions(turns(history)))).markdown})
    before = follow(questions(history)).talk.practice.done
    assert len(before) == 3
    for _ in range(LONGEST_HISTORY):
        history += [{"role": "user", "content": "ok"}, {"role": "assistant", "content": "…"}]
        history = turns(history)  # a page sends back what it was sent
    assert follow(questions(history)).talk.practice.done == before
    assert turns(history) == history and len(history) <= LONGEST_HISTORY + 3 * 3


def test_what_is_asked_after_an_exhibit_is_about_it():
    assert answer(Request(("verl#1960", "why?"))).lesson == answer(Request(("verl#1960",))).lesson


@pytest.mark.parametrize(
    ("message", "lesson"),
    [
        ("quiz me on whitening, one at a time", "whitening"),
        ("practise GAE with me", "mc_vs_gae"),
        ("generate some practice questions on the clip", "ppo_clip"),
        ("围绕裁剪出几道题", "ppo_clip"),
        ("test me on eigenvalues", None),
        ("quiz me on chemistry", None),
    ],
)
def test_an_exercise_is_on_what_is_named_of_the_subject(message, lesson):
    begun = follow((message,)).practice
    assert (begun.lesson if begun else None) == lesson
