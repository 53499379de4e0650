"""What a lesson says first: of its subject by the kind of question, and of what is seen in a run; and nothing else."""

from __future__ import annotations

import pytest

from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read import openings, read
from prompts.read.asked import known
from prompts.read.openings import KINDS, SEEN, asked, seen
from prompts.read.understanding import told, understand
from prompts.tutor import Request, answer

ASKED = [
    ("What is advantage whitening?", "whitening", "what"),
    ("为什么要做白化？", "whitening", "why"),
    ("Is whitening necessary?", "whitening", "is"),
    ("不做白化会怎样？", "whitening", "if"),
    ("λ 一般取多少？", "why_lambda", "which"),
    ("Why do we use lambda in GAE?", "why_lambda", "why"),
    ("What is γ?", "why_gamma", "what"),
    ("What is the KL penalty for?", "kl_reward", "why"),
    ("GRPO 是什么？", "group_baselines", "what"),
    ("Why does GRPO need no critic?", "group_baselines", "why"),
    ("PPO 有了奖励模型为什么还要 critic？", "ppo_loop", "why"),
    ("What if we drop the reference model?", "reference_policy", "if"),
    ("How large should ε be?", "ppo_clip", "which"),
    ("为什么 δ 加起来会抵消？", "telescoping", "why"),
]
SAYS_MORE = [
    "",
    "why?",
    "为什么",
    "Why do we whiten advantages per minibatch in CleanRL?",
    "为什么白化之后有的优势变号了？",
    "What is the advantage of GAE over plain REINFORCE for long responses?",
    "为什么 critic 的学习率比 actor 大？",
    "Is KL in the reward the same as KL in the loss?",
]
SHOWS = [
    ("My policy loss is negative, is something broken?", "surrogate"),
    ("训练几百步后 actor loss 一直是 0，正常吗", "surrogate"),
    ("ratio 一直是 1，是不是没在学", "surrogate"),
    ("clipfrac stays at 0, what should I look at?", "ppo_clip"),
    ("裁剪比例一上来就是 1", "ppo_clip"),
    ("My KL is negative, what is going on?", "kl_reward"),
    ("reward 一直涨，KL 也一直涨，怎么看？", "kl_reward"),
    ("the critic loss does not go down", "critic_target"),
    ("优势全是负的，怎么回事？", "definitions"),
]


def test_openings_are_of_facts_that_are_there_and_of_kinds_that_are_known():
    tables = list(openings.tables())
    for lesson, table in tables:
        assert set(table) <= {"names", "also", "beside", *KINDS} or set(table) == {SEEN, "tells"}, lesson
        facts = [fact for key in (*KINDS, "tells") for fact in table.get(key, ())]
        assert set(openings.full(lesson, facts)) <= set(known().facts), lesson
    assert {lesson for lesson, table in tables if "why" in table} >= set(lessons()) - {
        OUT_OF_SCOPE,
        "audit",
    }, "each says why"


@pytest.mark.parametrize(("question", "lesson", "kind"), ASKED)
def test_a_subject_is_opened_by_the_kind_of_question(question, lesson, kind):
    found = asked(question)
    assert found is not None and (found.lesson, found.kind) == (lesson, kind)
    assert read([question]).lesson == lesson
    if found.facts:
        first = told(understand(question).points[0])
        assert tuple(near.fact for near in first[: len(found.facts)]) == found.facts


@pytest.mark.parametrize("question", SAYS_MORE)
def test_what_says_more_is_answered_by_the_nearest_fact(question):
    assert asked(question) is None


def test_questions_after_single_facts_hardly_ever_open_a_lesson():
    questions = [(fact, text) for fact, words in known().facts.items() for text in words.asked]
    others = [text for fact, text in questions if (found := asked(text)) and found.facts and fact not in found.facts]
    assert len(others) <= 0.003 * len(questions), others


@pytest.mark.parametrize(("message", "lesson"), SHOWS)
def test_what_is_seen_is_told_of_and_changes_no_numbers(message, lesson):
    question = read([message])
    assert question.lesson == lesson and not question.own_numbers
    first = [near.fact for near in told(question.points[0])]
    assert first[: question.points[0].leads] == list(seen(message).facts)


def test_where_much_more_is_said_the_nearest_fact_leads():
    message = "My KL is negative. " + "I train with eight rollouts per prompt and one epoch over them. " * 3
    found = seen(message)
    assert found is not None and not found.leads
    assert all(point.leads == 1 for point in understand(message).points)


def test_all_facts_of_an_opening_are_told_and_the_rest_stands_below():
    page = answer(Request(("Why do we whiten advantages?",))).markdown
    facts = lessons()["whitening"].facts
    places = [
        page.index(facts[id].says["en"][:40]) for id in ("keeps_updates_of_one_size", "whitening_is_better_than_raw")
    ]
    assert places == sorted(places) and places[0] == 0


def test_without_facts_the_lessons_own_words_come_first():
    page = answer(Request(("What is the KL penalty?",))).markdown
    assert page.startswith("Every token pays its KL")
