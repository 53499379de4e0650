"""English answers tell the running example in English: the same numbers, and no Chinese but the learner's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine.example import RUNNING, TEXTS
from lessons._lesson import lessons
from prompts.answer import Answer
from prompts.functions.asked import DrawScenario
from prompts.functions.picture import draw
from prompts.tutor import Request, answer

CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
FORMS = ("plain", "full", "simple", "quiz")
NO_NUMBERS = ("prompt", "tokens")


def texts(x: Any) -> Iterator[str]:
    """Every string of an answer."""
    if isinstance(x, str):
        yield x
    elif isinstance(x, Mapping):
        yield from (found for pair in x.items() for found in texts(pair))
    elif isinstance(x, tuple | list):
        yield from (found for entry in x for found in texts(entry))


def chinese(found: Answer) -> list[str]:
    figures = [[one.title, one.seen, one.data, one.tokens, one.places, one.names] for one in found.figures]
    unfolded = [section.folded for section in found.closed]
    return [text for text in texts([json.loads(found.json()), figures, unfolded]) if CHINESE.search(text)]


def asked(id: str, form: str, lang: str = "en") -> Answer:
    messages = (lessons()[id].question["en"], *(["quiz me"] if form == "quiz" else []))
    return answer(Request(messages, lang, style=form if form in ("full", "simple") else "plain"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("id", sorted(lessons()))
def test_no_english_answer_holds_chinese(id, form):
    assert not chinese(asked(id, form))


def test_chinese_would_be_noticed():
    assert chinese(asked("gae_mixture", "plain", "zh"))


@pytest.mark.parametrize("id", sorted(lessons()))
def test_the_numbers_are_those_of_the_chinese_example(id):
    en, zh = (json.loads(asked(id, "plain", lang).json()) for lang in TEXTS)
    assert (en["params"], en["facts"]) == (zh["params"], zh["facts"])


def told(*messages: str, **given: Any) -> tuple[Mapping[str, Any], str]:
    found = answer(Request(messages, **given))
    return found.params, found.markdown


def test_a_session_in_two_languages_keeps_its_numbers_and_turns_its_words():
    first, page = told("把第三个 token 的奖励改成 2，算 GAE")
    params, after = told("把第三个 token 的奖励改成 2，算 GAE", "Show me the table of that in English")
    assert params["rewards"] == first["rewards"] and params["values"] == first["values"]
    assert "等于" in page and not CHINESE.search(after) and params["tokens"] == TEXTS["en"].rows[0]


def test_what_an_edit_leaves_of_the_response_is_told_in_english():
    params, page = told("remove the third token and compute gae")
    assert params["tokens"] == ("Yes", ",", " is", " 2", "!") and not CHINESE.search(page)


@pytest.mark.parametrize("prompt", [{}, {"prompt": RUNNING.prompt}])
def test_the_learners_own_tokens_stay(prompt):
    own = {"tokens": ["是", "等于"], "rewards": [0, 1], "values": [0.2, 0.6], **prompt}
    params, page = told("compute GAE, as a table", scenario=own)
    assert params["tokens"] == ("是", "等于") and "等于" in page


def test_a_picture_names_the_tokens_in_its_language():
    en, zh = (draw(DrawScenario(lang=lang)) for lang in ("en", "zh"))
    assert en["numbers"] == zh["numbers"] and "等于" in zh["svg"] + zh["alt"]
    assert "Yes" in en["svg"] and not CHINESE.search(en["svg"] + en["alt"])
