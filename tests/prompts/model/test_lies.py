"""A lie in each field and in each kind of sentence: caught where the table says so, and the table is today's."""

from __future__ import annotations

import pytest

from prompts.model.lock import objection
from tests.prompts.model import lies
from tests.prompts.model.lies import HONEST, RETOLD, SENTENCES, WRITTEN, dropped, hear, in_fields, report, told, wrongly

TRUE = [
    (fact["lang"], sentence, fact["says"], fact.get("message", ""))
    for fact in SENTENCES
    for sentence in (*fact["true"], fact["says"])
]


def test_an_honest_reply_is_taken_as_it_is():
    heard = hear({}, "same")
    assert dropped(heard) == []
    assert heard.question.lesson == HONEST["lesson"] and heard.question.points[0].asked == lies.ASKED


@pytest.mark.parametrize("planted", in_fields(), ids=lambda one: f"{one.field}: {one.what}")
def test_a_lie_in_a_field_is_dropped_and_the_rest_stands(planted):
    heard = hear(planted.reply)
    assert planted.caught in dropped(heard) or not planted.caught
    assert heard.question.lesson == HONEST["lesson"] and heard.question.assertion is None and not heard.said
    assert heard.question.quantity is None and heard.question.form == "plain"


@pytest.mark.parametrize("lie", list(told()), ids=lambda lie: f"{lie.language}: {lie.kind}")
def test_a_lie_in_a_sentence_is_caught_as_the_table_says(lie):
    assert lie.found == lie.caught


@pytest.mark.parametrize(("language", "sentence", "fact", "message"), TRUE)
def test_what_a_fact_says_may_be_said(language, sentence, fact, message):
    assert objection(sentence, [fact], language, message) is None


def test_most_of_what_is_true_may_be_said_in_other_words():
    assert len(wrongly()) <= 0.2 * len(RETOLD)


def test_the_table_is_todays():
    assert WRITTEN.read_text(encoding="utf-8") == report(), "python -m tests.prompts.model.lies"
