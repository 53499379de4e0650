"""R = A + V: the facts against sums written out, the small world against its definition, the pages."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.fork import small_world
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["returns_identity"]


def test_the_running_example():
    found = LESSON.show(shapes()["running"]).facts.numbers
    assert found["returns"] == pytest.approx([0.821081, 0.861664, 0.896488, 0.919987, 0.95525, 0.995], abs=1e-6)
    assert found["mc_returns"] == pytest.approx([0.955, 0.965, 0.97, 0.965, 0.975, 0.995])


@pytest.mark.parametrize("name", GIVEN)
def test_both_ways_agree(name):
    found = LESSON.show(shapes()[name]).facts.numbers
    rows = [(found["returns"], found["lambda_returns"])]
    if isinstance(found["returns"][0], list):
        rows = list(zip(*rows[0], strict=True))
    for one, other in rows:
        kept = [(a, b) for a, b in zip(one, other, strict=True) if a is not None]
        assert [a for a, _ in kept] == pytest.approx([b for _, b in kept], abs=1e-9)


def test_the_small_world():
    found = small_world().numbers
    assert (found["good_end"], found["bad_end"]) == (0.75, 0.25)
    assert found["mean"] == found["q"] == 0.5
    assert found["mean_of_all"] == found["value"] == 0.375
    assert found["mean_with_wrong_critic"] == 0.625


def test_without_values_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        LESSON.show(completed(scenario({"rewards": [0, 1]}))[0])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_no_difference_is_claimed_where_there_is_none():
    for name in ("lam_one", "one_token", "zeros"):
        assert "discounted away" not in pages(LESSON, GIVEN[name])["plain", "en"]


def test_a_single_real_token_among_padding_has_its_pages():
    assert all(pages(LESSON, {"rewards": [1, 5], "values": [0.5, 9], "mask": [1, 0]}).values())
