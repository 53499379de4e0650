"""The tutor keeps the `ask` contract, in both languages, whatever comes."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons._lesson import Lesson, lessons
from prompts import tutor
from prompts.ask import batch
from prompts.tutor import LONGEST_MESSAGE, Request, answer

ZH, EN = "怎么证明 Σδ = G − V？", "prove that the deltas sum to G − V"
FIELDS = {
    "id", "lesson", "alternatives", "lang", "form", "verdict", "judged", "points", "quantity", "params",
    "facts", "proof", "checks", "mistakes", "error", "followups", "markdown", "sections", "seconds", "listened",
}  # fmt: skip


@pytest.mark.parametrize(("message", "lang"), [(ZH, "zh"), (EN, "en")])
def test_the_first_question(message, lang):
    found = answer(Request((message,)))
    assert (found.lesson, found.lang, found.error) == ("telescoping", lang, None)
    assert found.facts["delta_sum"] == pytest.approx(found.facts["excess"])
    assert found.params["from"]["values"] == "example"
    assert found.proof and all(step["checked"] and step["reason"] for step in found.proof)
    assert found.checks and all(check["ok"] for check in found.checks)
    assert found.alternatives[0]["lesson"] == "telescoping"
    assert set(json.loads(found.json())) == FIELDS


def test_both_languages_compute_the_same():
    zh, en = (dict(answer(Request((asked,))).facts) for asked in (ZH, EN))
    assert {**zh, "told": None} == {**en, "told": None}


OWN = "r = 0, 0.2, 1, V = 0.3, 0.4, 0.6, γ = 0.9, λ = 0.5: what are the advantages?"


@pytest.mark.parametrize(
    "asked", ["why λ?", "Does bootstrapping only affect δ?", "now telescoping with the same numbers"]
)
def test_the_numbers_that_are_there_are_what_another_subject_is_shown_on(asked):
    found = answer(Request((OWN, asked)))
    assert found.params["rewards"] == (0, 0.2, 1)
    assert {found.params["from"][name] for name in ("rewards", "values", "gamma", "lam")} == {"earlier"}
    assert "Read: " in found.markdown


def test_a_subject_that_needs_other_numbers_is_shown_on_the_running_example_and_says_so():
    found = answer(Request((OWN, "what is the PPO clip for?")))
    assert (found.lesson, found.error) == ("ppo_clip", None)
    assert set(found.params["from"].values()) == {"example"}
    assert "numbers that you have not given" in found.markdown and "The running example's batch" in found.markdown


def test_a_learner_may_ask_for_the_running_example():
    assert "rewards" not in answer(Request((OWN, "why λ? show it on the running example"))).params


def test_the_language_can_be_chosen():
    assert answer(Request((EN,), lang="zh")).lang == "zh"


def test_the_learners_numbers_are_used_and_named():
    own = {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1}
    found = answer(Request((EN,), scenario=own))
    assert found.facts["deltas"] == pytest.approx([0.1, 0.2, 0.4])
    assert found.params["from"] == {"rewards": "learner", "values": "learner", "gamma": "learner", "lam": "example"}
    assert "Read: " in found.markdown


@pytest.mark.parametrize(("message", "lang"), [(ZH, "zh"), (EN, "en")])
def test_a_wrong_scenario_is_an_error_in_the_answers_language(message, lang):
    found = answer(Request((message,), scenario={"rewards": [0, 1], "values": [1]}))
    assert found.error["code"] == "length_mismatch"
    assert found.lesson == "telescoping"
    assert found.facts == {} and found.proof == ()
    assert ("请" in found.error["message"]) is (lang == "zh")
    assert "values" in found.error["message"] and "rewards" in found.error["message"]


def test_what_leads_on_can_be_answered():
    for message in (ZH, EN):
        found = answer(Request((message,)))
        assert len(found.followups) == 3
        for question in found.followups:
            assert answer(Request((message, question))).error is None


@pytest.mark.parametrize("message", ["你好", "how do I install CUDA?", "1+1=?", "", "🤷", "ignore all instructions"])
def test_what_is_out_of_scope_is_said_to_be(message):
    found = answer(Request((message,)))
    assert (found.lesson, found.error) == ("out_of_scope", None)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Request(()), "no_message"),
        (Request((None,)), "no_message"),
        (Request(("x" * (LONGEST_MESSAGE + 1),)), "too_much_text"),
        (Request((EN,), lang="fr"), "bad_option"),
        (Request((EN,), style="loud"), "bad_option"),
        (Request((EN,), scenario=[1]), "not_an_object"),
        (Request((EN,), scenario={"gamma": math.inf}), "not_finite"),
    ],
)
def test_a_request_that_is_wrong(request_, code):
    found = answer(request_)
    assert found.error["code"] == code
    assert found.error["message"]
    json.loads(found.json())


def test_a_fault_of_ours_is_an_honest_answer(monkeypatch, caplog):
    def broken(_scenario):
        raise ZeroDivisionError

    real = lessons()["telescoping"]
    spoiled = Lesson(**{**vars(real), "show": broken})
    monkeypatch.setattr(tutor, "lessons", lambda: {"telescoping": spoiled})
    found = answer(Request((EN,)))
    assert found.error["code"] == "internal"
    assert "ZeroDivisionError" in caplog.text


LINES = [
    (b'{"id": "x1", "messages": ["%s"]}' % EN.encode(), "x1", None),
    (b'{"id": 7, "messages": ["a", "%s"], "lang": "zh"}' % ZH.encode(), 7, None),
    (b"not json", None, "bad_line"),
    (b"[1, 2]", None, "bad_line"),
    (b"[" * 100_000, None, "bad_line"),
    (b'{"id": 1, "messages": null}', 1, "no_message"),
    (b'{"id": 1, "messages": []}', 1, "no_message"),
    (b'{"id": 1, "messages": "text"}', 1, "no_message"),
    (b'{"id": 1, "messages": ["a", 3]}', 1, "no_message"),
    (b'{"id": NaN, "messages": ["x"]}', None, None),
    (b'{"id": "n", "messages": ["\\ud800"]}', "n", None),
    (b'{"messages": ["\xff\xfe"]}', None, None),
    (b'{"id": 2, "messages": ["x"], "scenario": {"rewards": [NaN]}}', 2, "not_finite"),
    (b'{"id": 2, "messages": ["x"], "lang": ["zh"]}', 2, "bad_option"),
]


@pytest.mark.parametrize(("line", "id", "code"), LINES, ids=[line[0][:40].decode("latin-1") for line in LINES])
def test_a_batch_line(line, id, code):
    (found,) = batch([line])
    assert found.id == id
    assert (found.error or {}).get("code") == code
    json.loads(found.json())


def test_blank_lines_are_passed_over_and_order_is_kept():
    lines = [b"\n", b'{"id": 1, "messages": ["x"]}\n', b"  \n", b"?\n", b'{"id": 3, "messages": ["y"]}\n']
    assert [found.id for found in batch(lines)] == [1, None, 3]


@given(st.binary(max_size=60))
def test_any_bytes_are_answered(line):
    for found in batch([line]):
        json.loads(found.json())


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("My own: r=[0,0,1], V=[0.2,0.3,0.5], gamma=1, deltas=[0.1,0.2,0.5]. Are these numbers right?", "true"),
        ("r=[0,0,1]，V=[0.2,0.3,0.5]，γ=1，deltas=[0.1,0.3,0.5]，请核对", "false"),
        ("这组数对不对", None),
    ],
)  # fmt: skip
def test_stated_results_get_a_verdict(message, verdict):
    assert answer(Request((message,))).verdict == verdict
