"""group_baselines: the learners' groups by hand, groups of equal scores, and what verl and the theorems say."""

from __future__ import annotations

import statistics

import pytest

from engine.errors import EngineError
from lessons._lesson import lessons
from prompts.tutor import Request, answer
from tests.lessons import policies

ID = "group_baselines"
GROUPS = {
    "the running example": {},
    "two": {"group_rewards": [1, 0]},
    "equal": {"group_rewards": [5, 5, 5, 5]},
    "negative": {"group_rewards": [-1, -2, -3.5]},
    "several": {"group_rewards": [[1, 0], [0.5, 0.5, 1], [0, 0]]},
    "many groups": {"group_rewards": [[k, k + 1, 0.5] for k in range(9)]},
    "one hundred": {"group_rewards": [(7 * k) % 11 / 10 for k in range(100)]},
    "a list that stands alone": {"rewards": [2, 3, 7]},
    "a batch of scores": {"scores": [[0, 0, 1], [0, 0, 0]], "mask": [[1, 1, 1], [1, 1, 0]]},
}


def _facts(**given):
    return lessons()[ID].show(policies.made(given)).facts.numbers


@pytest.mark.parametrize("scores", [[1, 0, 0, 1], [2, 3, 7], [0, 0, 1, 3], [0.2, 0.9, 0.4], [1, 0]])
def test_by_hand(scores):
    found = _facts(group_rewards=scores)
    mean, std, n = statistics.mean(scores), statistics.stdev(scores), len(scores)
    assert found["advantages"] == pytest.approx([(s - mean) / std for s in scores], rel=1e-5)
    assert found["advantages_population"] == pytest.approx(
        [(s - mean) / statistics.pstdev(scores) for s in scores], rel=1e-5
    )
    assert found["baselines"] == pytest.approx([(sum(scores) - s) / (n - 1) for s in scores])
    assert found["rloo_advantages"] == pytest.approx([n / (n - 1) * (s - mean) for s in scores])


def test_reinforce_plus_plus_takes_all_groups_together():
    groups = [[1, 0], [0.5, 0.5, 1]]
    found = _facts(group_rewards=groups)["reinforce_plus_plus"]
    scores = [score for group in groups for score in group]
    mean, std = statistics.mean(scores), statistics.stdev(scores)
    assert [len(row) for row in found] == [2, 3]
    assert [x for row in found for x in row] == pytest.approx([(s - mean) / std for s in scores])


def test_rows_of_a_batch_are_responses():
    found = _facts(scores=[[0, 0, 1], [0, 0, 9]], mask=[[1, 1, 1], [1, 1, 0]])
    assert found["group_scores"] == [1, 0]
    assert found["rloo_advantages"] == pytest.approx([1, -1])


def test_equal_scores_are_no_error_and_teach_nothing():
    assert _facts(group_rewards=[3, 3, 3])["advantages"] == [0, 0, 0]


def test_a_group_of_one_is_an_error():
    with pytest.raises(EngineError, match="group_of_one"):
        _facts(group_rewards=[1])


@pytest.mark.parametrize("given", [{"rewards": [0, 1], "values": [0, 1]}, {"values": [0, 1]}])
def test_a_single_response_is_no_group(given):
    with pytest.raises(EngineError, match="missing"):
        _facts(**given)


def test_pages():
    policies.check_pages(ID, GROUPS)


def test_propositions():
    policies.check_propositions(ID)


@pytest.mark.parametrize("asked", ["GRPO", "RLOO"])
def test_each_column_holds_its_own_way_whichever_was_asked_for(asked):
    page = answer(Request((f"{asked} for rewards 1, 0, 0, 1",))).markdown
    assert "| 0 | 1 | 0.866024 | 0.666667 | 0.866025 |" in page


@pytest.mark.parametrize(("asked", "right"), [("test me on RLOO", "2/3"), ("quiz me on GRPO", "0.866024")])
def test_a_quiz_is_on_the_numbers_given_and_about_the_way_that_was_asked_for(asked, right):
    messages = (f"{asked} with group_rewards=[1,0,0,1], {'level 3' if right == '2/3' else 'hard'}", right)
    found = answer(Request(messages[:1]))
    assert found.params["group_rewards"] == (1, 0, 0, 1)
    assert found.params["from"]["group_rewards"] == "learner"
    assert found.facts["practice"]["right"]
