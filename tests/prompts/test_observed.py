"""The iteration on the language model as a page tells it: its own numbers, or honestly none."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.models import observed
from engine.models.observed import Observed
from engine.notation import show
from lessons._lesson import LANGUAGES, Shown
from prompts.read.examples import questions
from prompts.read.form import form
from prompts.tell.blocks import Blocks
from prompts.tell.ground import emit, release
from prompts.tell.observed import BY_TOKEN, DIGITS, told
from prompts.tell.page import FORMS, ON_MODEL
from prompts.tell.values import Values
from prompts.tell.words import words
from prompts.tutor import Request, answer


def blocks(shown, language="en"):
    return Blocks(Values(language, RUNNING, {}, shown))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "reason",
    [EngineError("no_model", name="a/b", reason="OSError"), EngineError("missing_package", package="x", command="y")],
    ids=lambda error: error.code,
)
def test_without_a_model_the_page_says_so(reason, language):
    text = release(emit(blocks(Shown(iteration=lambda: reason), language).iteration()))
    assert text.startswith(words(language)["observed"]["absent"].split("{")[0])
    assert "|" not in text


def test_both_languages_have_the_same_words():
    zh, en = (words(language)["observed"] for language in LANGUAGES)
    assert zh.keys() == en.keys()


def test_a_lesson_without_an_iteration_cannot_tell_one():
    with pytest.raises(AssertionError):
        blocks(Shown()).iteration()


@pytest.mark.model
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_shows_every_field_token_and_number(language):
    found = observed.observed(RUNNING)
    assert isinstance(found, Observed)
    text = release(emit(told(found, language)))
    assert all(f"`{name}`" in text for name in [*(field.name for field in found.fields), *found.steps])
    for name in BY_TOKEN:
        assert all(show(x, DIGITS).text in text for x in found.facts.numbers[name])
    assert "/root" not in text and found.model in text.replace("&#45;", "-")


@pytest.mark.parametrize(
    "message",
    [
        "在语言模型上跑一遍",
        "能不能在真的模型上跑一下？",
        "真跑一轮给我看",
        "run it on a language model",
        "Run a real PPO iteration",
    ],
)
def test_the_wish_to_run_it_is_read(message):
    assert form(message) == ON_MODEL


def test_no_question_of_the_lessons_runs_the_model_unasked():
    asked = [example.text for example in questions()]
    assert len(asked) > 1000
    assert [text for text in asked if form(text) == ON_MODEL] == []
    assert all("model" not in blocks for blocks in FORMS.values())


@pytest.mark.parametrize(("message", "absent"), [("四个模型各输出什么？", False), ("在语言模型上跑一遍", True)])
def test_the_iteration_is_told_where_it_was_asked_for(monkeypatch, message, absent):
    no_model = EngineError("no_model", name="a/b", reason="OSError")
    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", lambda _: no_model)
    found = answer(Request(("一轮 PPO 里，四个模型各输出什么？", message)))
    assert found.lesson == "ppo_loop" and found.error is None
    assert (words("zh")["observed"]["absent"].split("{")[0] in found.markdown) is absent
    assert "model" not in found.facts


@pytest.mark.model
def test_what_was_run_is_among_the_facts():
    page = answer(Request(("一轮 PPO 里，四个模型各输出什么？", "在语言模型上跑一遍")))
    found = observed.observed(RUNNING)
    assert isinstance(found, Observed)
    assert page.form == "example" and page.facts["model"] == found.numbers
    assert "iteration.kl" in {check["what"] for check in page.checks}
