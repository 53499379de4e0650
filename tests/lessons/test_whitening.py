"""Whitening: the facts against Python's own statistics."""

from __future__ import annotations

import math
from statistics import mean, pstdev, stdev

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages

LESSON = lessons()["whitening"]
LONG_ENOUGH = [name for name in GIVEN if name != "one_token"]


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_advantages_alone_are_enough():
    given = [0.1, 0.3, 0.2, -0.1, 0.05]
    found = shown(advantages=given).facts.numbers
    assert found["std_sample"] == pytest.approx(stdev(given))
    assert found["std_population"] == pytest.approx(pstdev(given))
    assert found["whitened"] == pytest.approx([(a - mean(given)) / math.sqrt(stdev(given) ** 2 + 1e-8) for a in given])
    assert "returns" not in found
    assert all(pages(LESSON, {"advantages": given}).values())


def test_returns_take_the_raw_advantages():
    found = shown(advantages=[0.1, 0.3], values=[0.5, 0.6])
    assert found.facts.numbers["returns"] == pytest.approx([0.6, 0.9])
    wrong = found.mistakes["whiten_before_returns"].numbers["returns"]
    assert wrong == pytest.approx([0.5 - math.sqrt(0.5), 0.6 + math.sqrt(0.5)], abs=1e-5)


def test_padding_is_left_out():
    found = shown(advantages=[1, 2, 4, 99], mask=[1, 1, 1, 0]).facts.numbers
    assert found["whitened"][:3] == pytest.approx([-0.872872, -0.218218, 1.091089], abs=1e-6)
    assert found["whitened"][3] is None


def test_a_single_value_is_an_error():
    for given in (GIVEN["one_token"], {"advantages": [0.3]}):
        with pytest.raises(EngineError, match="one_value_has_no_sample_variance"):
            shown(**given)


def test_without_values_and_advantages_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        shown(rewards=[0, 1])


@pytest.mark.parametrize("name", LONG_ENOUGH)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_no_flip_is_claimed_where_there_is_none():
    told = pages(LESSON, {"advantages": [-1, 1]})
    assert "No token changes its sign here" in told["plain", "en"]
    assert "every whitened one is zero" in pages(LESSON, GIVEN["zeros"])["plain", "en"]
