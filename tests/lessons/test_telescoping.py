"""Telescoping: the two sides on numbers of every shape."""

from __future__ import annotations

import pytest

from lessons._lesson import lessons
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["telescoping"]


@pytest.mark.parametrize("name", GIVEN)
def test_both_sides_agree_and_every_shape_has_its_pages(name):
    found = LESSON.show(shapes()[name]).facts.numbers
    assert found["delta_sum"] == pytest.approx(found["excess"], abs=1e-9)
    assert all(pages(LESSON, GIVEN[name]).values())


def test_two_sums_are_called_different_only_where_they_are():
    assert "happen to agree" in pages(LESSON, GIVEN["zeros"])["plain", "en"]
    assert "where the true excess is" in pages(LESSON, GIVEN["negative"])["plain", "en"]
