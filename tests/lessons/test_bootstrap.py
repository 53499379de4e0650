"""Bootstrapping: the facts against sums written out, and the pages."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages

LESSON = lessons()["bootstrap"]


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_the_learners_example():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], gamma=1, lam=0.95)
    assert found.facts.numbers["deltas"] == pytest.approx([0.1, 0.2, 0.4])
    assert found.facts.numbers["advantages_by_value"][0] == pytest.approx([-1, 0.05, 0.0475])


def test_the_forgotten_bootstrap_of_the_transcripts():
    found = shown(rewards=[-0.01] * 5 + [0.99], values=[0.2, 0.25, 0.3, 0.35, 0.45, 0.6], gamma=1, lam=0.95)
    right = [0.607069, 0.596915, 0.586226, 0.574975, 0.5105, 0.39]
    assert found.facts.numbers["advantages"] == pytest.approx(right, abs=1e-6)
    wrong = found.mistakes["bootstrap_forgotten"].numbers["advantages"]
    assert wrong[-1] == pytest.approx(0.99) and wrong[0] != pytest.approx(right[0])


def test_with_values_alone_there_is_nothing():
    with pytest.raises(EngineError, match="missing"):
        shown(values=[0, 1])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_what_is_said_of_the_matrix_fits_it():
    told = {name: pages(LESSON, GIVEN[name])["plain", "en"] for name in GIVEN}
    assert "Everything else is zero: with" in told["lam_one"]
    assert "nobody looks ahead" in told["gamma_zero"]
    assert "only the token just before" in told["lam_zero"]
    assert "all earlier ones" in told["negative"]


def test_a_single_real_token_among_padding_has_its_pages():
    assert all(pages(LESSON, {"rewards": [1, 5], "values": [0.5, 9], "mask": [1, 0]}).values())
