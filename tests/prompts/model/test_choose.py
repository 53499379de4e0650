"""Where the reading is not sure a writer may choose, among the candidates and nothing else."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from engine.errors import EngineError
from lessons._lesson import lessons
from prompts.model.choose import CANDIDATES, LONGEST_MESSAGE, chosen, decided
from prompts.read import read
from prompts.tutor import Request, answer
from tests.prompts.model.fake import Fake

STOP = threading.Event()
KNOWN = sorted(lessons())[: CANDIDATES + 1]
SCORES = [0.4, 0.2, 0.1, 0.1, 0.1, 0.1]
MESSAGE = "why is that so?"


def unsure(**changes):
    alternatives = tuple(zip(KNOWN, SCORES, strict=False))
    asked = replace(read([MESSAGE]), lesson=KNOWN[0], alternatives=alternatives, sure=False, quantity=None)
    return replace(asked, **changes)


@pytest.mark.parametrize("around", ["{}", "`{}`", " {}.\n", '"{}"', "- {}"])
def test_a_candidate_is_put_in_front(around):
    question = unsure()
    found = decided(Fake(around.format(KNOWN[1])), question, MESSAGE, STOP)
    assert (found.lesson, found.sure) == (KNOWN[1], True)
    assert found.alternatives[0] == (KNOWN[1], SCORES[0])
    assert sorted(id for id, _ in found.alternatives) == sorted(id for id, _ in question.alternatives)


@pytest.mark.parametrize(
    "reply", ["", "no_such_lesson", KNOWN[-1], f"{KNOWN[0]} or {KNOWN[1]}", "The lesson is it", "../"]
)
def test_whatever_is_no_candidate_is_refused(reply):
    assert decided(Fake(reply), unsure(), MESSAGE, STOP) == unsure()


@pytest.mark.parametrize("id", ["telescoping", "no_such_lesson"])
def test_an_id_outside_the_list_is_refused(id):
    assert chosen(id, ["why_gamma", "out_of_scope"]) is None
    assert chosen("why_gamma", ["why_gamma", "out_of_scope"]) == "why_gamma"


@pytest.mark.parametrize(
    "question",
    [
        unsure(sure=True),
        unsure(quantity="gae"),
        unsure(error=EngineError("empty", field="rewards")),
        unsure(alternatives=((KNOWN[0], 1.0),)),
    ],
    ids=["sure", "numbers say it", "error", "one candidate"],
)
def test_what_is_settled_is_not_asked(question):
    fake = Fake()
    assert decided(fake, question, MESSAGE, STOP) is question
    assert fake.asked == []


def test_it_is_asked_about_the_candidates_and_the_message_only():
    fake = Fake("")
    decided(fake, unsure(), "x" * 5 * LONGEST_MESSAGE, STOP)
    (asked,) = fake.asked
    assert [id for id in KNOWN if f"- {id}:" in asked] == KNOWN[:CANDIDATES]
    assert asked.count("x" * LONGEST_MESSAGE) == 1 and len(asked) < 3 * LONGEST_MESSAGE


def test_the_tutor_answers_with_the_lesson_that_was_chosen(monkeypatch):
    monkeypatch.setattr("prompts.tutor.read", lambda *_a, **_b: unsure())
    monkeypatch.setattr("prompts.tutor.writer", lambda: Fake("telescoping"))
    candidates = tuple((id, 0.2) for id in ("out_of_scope", "telescoping"))
    monkeypatch.setattr("prompts.tutor.read", lambda *_a, **_b: unsure(lesson="out_of_scope", alternatives=candidates))
    found = answer(Request((MESSAGE,)))
    assert found.lesson == found.alternatives[0]["lesson"] == "telescoping"
    assert found.proof
