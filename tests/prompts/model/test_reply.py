"""A reply is read field by field: what has its form stands, whatever the rest is."""

from __future__ import annotations

import json
import threading
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.model.asking import REPAIR, Talk
from prompts.model.connection import NoReplyError
from prompts.model.reply import About, Answered, Compared, Heard, answers, fields, parsed
from prompts.model.standing import figures, standing
from tests.prompts.model.fake import TOKENS, Fake

FIELDS = (*Heard.model_fields, *Answered.model_fields)
TURNS = [{"role": "user", "content": "?"}]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Sure! Here it is:\n```json\n{"a": {"b": "}"}}\n```\nAnything else?', {"a": {"b": "}"}}),
        ('{broken {"a": 1}', {"a": 1}),
        ('<think>{"a": 2}?</think>{"a": 1}', {"a": 1}),
        ("[1, 2]", None),
        ("", None),
        ("{" * 5000, None),
        ('{"a": NaN}', {"a": pytest.approx(float("nan"), nan_ok=True)}),
    ],
)
def test_the_object_in_a_text(text, found):
    assert parsed(text) == found


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.sampled_from([*FIELDS, "asked", "facts", "say", "name"]), x),
    )
)
def test_whatever_is_in_the_fields_it_is_read_and_dropped(data):
    given = data if isinstance(data, dict) else {"points": data, "calls": data}
    (heard, dropped), (answered, also) = fields(given, Heard), fields(given, Answered)
    assert isinstance(answered.points, list) and heard.about in get_args(About) and isinstance(heard.answer, str)
    assert {*dropped, *also} <= {*FIELDS}


def test_one_bad_item_leaves_the_others():
    data = {"points": [{"asked": "a", "facts": [1]}, {"asked": 2, "facts": [1]}], "lesson": "x"}
    found, dropped = fields(data, Answered)
    assert [point.asked for point in found.points] == ["a"] and dropped == ("points",)
    assert fields(data, Heard)[0].lesson == "x"


def test_there_is_an_answer_for_every_pair_or_none():
    assert answers({"answers": ["same", "more"]}, 2) == ["same", "more"]
    for bad in ({"answers": ["same"]}, {"answers": ["maybe", "same"]}, {}, {"answers": "same"}):
        assert answers(bad, 2) is None


# ---------------------------------------------------------------- asked, repaired once, given up


def talk(*replies):
    fake = Fake(*replies)
    return Talk(fake, threading.Event()), fake


def test_what_is_no_json_is_asked_for_once_more():
    asking, fake = talk("I would rather chat.", '{"answers": ["same"]}')
    assert asking.ask(TURNS, Compared, 10) == {"answers": ["same"]}
    assert [turn["content"] for turn in fake.asked[1]] == [f"{REPAIR}\n\nI would rather chat."]
    assert (asking.calls, asking.tokens) == (2, 2 * TOKENS)


def test_and_then_given_up():
    asking, fake = talk("no", "no", "no")
    with pytest.raises(NoReplyError, match="broken"):
        asking.ask(TURNS, Compared, 10)
    assert len(fake.asked) == 2


def test_no_more_is_asked_once_the_time_is_over(monkeypatch):
    monkeypatch.setattr("prompts.model.asking.ALL", 0.0)
    asking, fake = talk("{}")
    with pytest.raises(NoReplyError, match="late"):
        asking.ask(TURNS, Compared, 10)
    assert not fake.asked


# ---------------------------------------------------------------- words that stand in a message


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("the loss is -0.03", "the *loss* is -0.03."),
        ("The Loss is −0.03.", "the *loss* is -0.03."),
        ("is it broken", "Is it broken?"),
        ("the loss is 0.03", None),
        ("it is broken", None),
        ("", None),
        ("?", None),
    ],
)
def test_words_are_found_as_they_stand_there(words, found):
    assert standing(words, "Hi, the *loss* is -0.03. Is it broken?") == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("[0, 100, 200]", [0, 100, 200]),
        ("0 100 200", [0, 100, 200]),
        ("100, 0, 200", None),
        ("-.5", [-0.5]),
        (".5", None),
        ("1e-3", [0.001]),
        ("", None),
        ("none", None),
        ("0, 0, 0, 100, 200", [0, 0, 0, 100, 200]),
        ("0, 200, 200", None),
        ("7", None),
    ],
)
def test_numbers_are_found_with_their_signs_in_their_order(value, found):
    assert figures(value, "rewards [0, 100, 200], loss -.5 at lr １e−3 of a 7B in k7") == found


@pytest.mark.parametrize("form", [Heard, Answered])
def test_the_schema_names_every_field_and_no_other(form):
    schema = form.model_json_schema()
    assert schema["additionalProperties"] is False and set(schema["required"]) == set(form.model_fields)
    json.dumps(schema)
