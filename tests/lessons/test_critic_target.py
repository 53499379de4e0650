"""The critic's target and loss: against sums written out, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages

LESSON = lessons()["critic_target"]
OWN = {
    "all_given": {"vpreds": [0.5, 1.2, 0.1], "old_values": [0.6] * 3, "returns": [0.9] * 3, "cliprange_value": 0.2},
    "one_token": {"vpreds": [1.0], "old_values": [0.6], "returns": [0.9]},
    "no_range": {"vpreds": [1.0, 0.2], "old_values": [0.6, 0.2], "returns": [0.9, 0], "cliprange_value": 0},
    "on_target": {"vpreds": [0.3, 0.4], "values": [0.3, 0.4], "returns": [0.3, 0.4]},
    "rewards": {"rewards": [0, 1], "values": [0.5, 0.6], "vpreds": [0.7, 0.1], "gamma": 0.9},
    "padded": {"vpreds": [1, 2, 9], "old_values": [0, 2, 0], "returns": [1, 1, 7], "mask": [1, 1, 0]},
    "batch": {
        "vpreds": [[1, 2], [0, 0]],
        "old_values": [[0, 2], [1, 0]],
        "returns": [[1, 1], [0, 0.5]],
        "mask": [[1, 1], [1, 0]],
    },
}


def facts(given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


def test_the_golden_value_loss():
    found = facts(OWN["all_given"])
    assert found["vf_loss"] == pytest.approx(0.148333, abs=1e-6)
    assert found["vf_clipfrac"] == 0
    assert found["plain_loss"] == pytest.approx((0.16 + 0.09 + 0.64) / 6)


def test_the_clip_raises_the_loss_where_it_decides():
    found = facts({**OWN["all_given"], "vpreds": [0.5, 0.9, 0.1]})
    assert found["vf_clipfrac"] == pytest.approx(1 / 3)
    assert found["vf_loss"] == pytest.approx((0.16 + 0.01 + 0.64) / 6)
    assert found["plain_loss"] == pytest.approx((0.16 + 0.0 + 0.64) / 6)


def test_the_first_pass_of_a_logged_row():
    values, returns = [0.82, 0.85, 0.88, 0.9, 0.92, 0.95], [0.95, 0.95, 0.96, 0.95, 0.95, 1.0]
    found = facts({"values": values, "returns": returns, "cliprange_value": 0.5})
    assert found["vf_loss"] == pytest.approx(0.003267, abs=1e-6)
    assert found["vf_clipfrac"] == 0
    assert found["first_loss"] == pytest.approx(found["vf_loss"])


def test_the_pull_is_the_way_to_the_target_unless_the_clip_decides():
    found = facts({"vpreds": [0.1, 0.9, 0.6], "old_values": [0.5] * 3, "returns": [1] * 3, "cliprange_value": 0.2})
    assert found["pull"] == pytest.approx([0.9, 0, 0.4])


def test_other_targets():
    found = facts(OWN["rewards"])
    gamma, lam = 0.9, 0.95
    last = 1 - 0.1
    first = 0 + gamma * 0.1 - 0.7 + gamma * lam * last
    assert found["next_returns"] == pytest.approx([first + 0.7, 1])
    assert found["mc_returns"] == pytest.approx([0.9, 1])


def test_fitting_again_and_again_reaches_the_return():
    found = facts(OWN["one_token"])["constants"]
    assert found["first_value"][-1] == pytest.approx(found["goal"])
    assert found["last_value"][1] == pytest.approx(1)


def test_what_is_missing_is_named():
    for given in ({"rewards": [0, 1]}, {"values": [0, 1]}, {"vpreds": [0, 1], "returns": [0, 1]}):
        with pytest.raises(EngineError, match="missing"):
            facts(given)


@pytest.mark.parametrize("name", [*GIVEN, *OWN])
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, {**GIVEN, **OWN}[name]).values())


CLIPPED = {"vpreds": [0.6, 1.2], "old_values": [0.6, 0.6], "returns": [0.9, 1.5], "cliprange_value": 0.2}


@pytest.mark.parametrize("mask", [[0, 1, 1], [1, 0, 1]])
def test_the_token_that_is_shown_is_the_one_that_the_clip_decides(mask):
    """Masked positions are no tokens: the second real one is decided, wherever it stands."""
    lists = {name: iter(numbers) for name, numbers in CLIPPED.items() if isinstance(numbers, list)}
    spread = {name: [next(numbers) if m else 0.0 for m in mask] for name, numbers in lists.items()}
    found = LESSON.show(completed(scenario({**CLIPPED, **spread, "mask": mask}))[0]).facts.numbers
    assert (found["decided"], found["shown_at"]) == (1, 1)


def test_a_clip_that_decides_in_another_response_is_not_denied():
    given = {name: [[x[0], x[0]], x] for name, x in CLIPPED.items() if isinstance(x, list)}
    page = pages(LESSON, {**given, "cliprange_value": 0.2})["plain", "en"]
    assert "in the first response" in page and "25 %" in page
