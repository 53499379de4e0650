"""The iteration on the language model as a page tells it: its own numbers, or honestly none."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.models import observed
from engine.models.observed import Observed
from engine.notation import show
from lessons._lesson import LANGUAGES, Shown
from prompts.tell.blocks import Blocks
from prompts.tell.ground import emit, release
from prompts.tell.observed import BY_TOKEN, DIGITS, told
from prompts.tell.values import Values
from prompts.tell.words import words


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
