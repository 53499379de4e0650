"""δ and the advantage: the facts against sums written out, the small world against its definition, the pages."""

from __future__ import annotations

import pytest

from lessons._lesson import lessons
from lessons.why_not_delta.lesson import STEP, worlds
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["why_not_delta"]


def test_the_learners_example():
    found = LESSON.show(shapes()["lam_one"]).facts.numbers
    assert found["deltas"] == pytest.approx([0.1, 0.2, 0.4])
    assert found["later"] == pytest.approx([0.6, 0.4, 0])


@pytest.mark.parametrize("name", [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name])
def test_what_is_heard_later_is_the_decayed_next_advantage(name):
    case = shapes()[name]
    found = LESSON.show(case).facts.numbers
    after = [*found["advantages"][1:], 0]
    assert found["later"] == pytest.approx([case.gamma * case.lam * a for a in after], abs=1e-9)


def test_the_small_world():
    found = worlds().numbers
    assert found["exact"]["mean"] == pytest.approx([STEP, STEP])
    assert found["exact"]["variance"][0] == 0 < found["exact"]["variance"][1]
    assert found["wrong"]["mean"][0] > found["truth"]
    assert found["wrong"]["mean"][1] == pytest.approx(found["truth"])
    assert found["blind"]["mean"] == pytest.approx([0, STEP])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_nothing_is_said_to_be_lost_where_nothing_is():
    for name in ("lam_zero", "one_token", "zeros", "gamma_zero"):
        assert "would be lost" not in pages(LESSON, GIVEN[name])["plain", "en"]
