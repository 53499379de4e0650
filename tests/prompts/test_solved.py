"""Answers that solve for an unknown: the solution opens, is put back, and stands in the fields."""

from __future__ import annotations

import pytest

from engine.example import LAM
from prompts.tutor import Request, answer


def ask(*messages: str, **more):
    return answer(Request(messages, **more))


@pytest.mark.parametrize("message", ["which λ gives A_0 = 0.651?", "λ 取多少时 A_0 = 0.651？"])
def test_a_single_solution(message):
    found = ask(message)
    assert found.error is None
    assert (found.lesson, found.quantity, found.form, found.verdict) == ("why_lambda", "gae", "numbers", None)
    assert found.params["from"]["lam"] == "solved"
    assert found.params["lam"] == found.facts["solutions"][0] == pytest.approx(0.96196338)
    assert found.facts["advantages"][0] == pytest.approx(0.651)
    low, high = found.facts["interval"][0]
    assert low < found.params["lam"] < high
    assert all(check["ok"] for check in found.checks)
    assert any(check["what"].startswith("solved") for check in found.checks)
    assert all(step["checked"] for step in found.proof)
    opening = next(line for line in found.markdown.splitlines() if "0.651" in line)
    assert "0.962" in opening


@pytest.mark.parametrize("message", ["is there any λ with A_0 = 2?", "有没有 λ 能让 A_0 = 2？"])
def test_no_solution_is_said_with_the_range(message):
    found = ask(message)
    assert found.facts["solutions"] == found.facts["interval"] == []
    assert "lam" not in found.params
    assert "0.755" in found.markdown
    assert "0.04" in found.markdown


@pytest.mark.parametrize("message", ["for which V_1 is A_0 negative?", "V_1 多大时 A_0 变成负的？"])
def test_a_sign_is_answered_by_an_interval(message):
    found = ask(message)
    assert found.facts["interval"] == [[None, pytest.approx(-12.17161065625)]]
    assert found.params["from"]["values"] == "example"
    assert "-12.17" in found.markdown


def test_the_learners_numbers_are_taken_from_the_message_and_from_before():
    given = "rewards [0,0,1], values [0.2,0.5,0.7], gamma 0.9"
    alone = ask(f"{given}: which lambda gives A_0 = 0.3?")
    later = ask(f"{given}, lambda 1: what are the advantages?", "which lambda gives A_0 = 0.3?")
    assert alone.params["from"] == {"rewards": "learner", "values": "learner", "gamma": "learner", "lam": "solved"}
    assert later.params["from"] == {"rewards": "earlier", "values": "earlier", "gamma": "earlier", "lam": "solved"}
    assert alone.facts["solutions"] == later.facts["solutions"]
    assert (
        ask(
            "which lambda gives A_0 = 0.3?", scenario={"rewards": [0, 0, 1], "values": [0.2, 0.5, 0.7], "gamma": 0.9}
        ).facts["solutions"]
        == alone.facts["solutions"]
    )


def test_gamma_and_lambda_together():
    given = "rewards [0,0,1], values [0.2,0.5,0.7]"
    found = ask(f"find (γ, λ) that fit these advantages: [0.580, 0.386, 0.3], {given}")
    assert found.facts["solutions"] == [[0.9, LAM]]
    assert found.params["from"]["gamma"] == found.params["from"]["lam"] == "solved"
    none = ask(f"find (γ, λ) that fit these advantages: [0.4, 0.35, 0.3], {given}")
    assert none.facts["solutions"] == []
    assert none.facts["interval"] == {}
    assert not {"gamma", "lam"} & set(none.params)


@pytest.mark.parametrize("message", ["which γ makes A_5 = 0.2?", "γ 取多少时 A_5 = 0.2？"])
def test_what_has_no_part_in_it_is_said_to_have_none(message):
    found = ask(message)
    assert found.facts["solutions"] == []
    assert "0.395" in found.markdown


def test_a_token_that_is_not_there_is_an_error():
    for message in ("which V_9 makes A_0 = 0?", "V_1 取多少时 A_9 = 0？"):
        found = ask(message)
        assert found.error is not None
        assert found.error["code"] == "no_such_token"


def test_what_was_wished_of_a_result_is_not_given_to_the_next_question():
    later = ask("λ 取多少时 A_0 等于 0.5？", "那 γ=0.9 的话优势是多少？")
    assert later.error is None
    assert "advantages" not in later.params
    assert later.params["gamma"] == 0.9
    assert later.params["lam"] == LAM
