"""λ: the sweep, the known world's closed forms against every course counted, and the best λ."""

from __future__ import annotations

import pytest

from engine.chance import walk
from engine.scenario import scenario
from engine.statements.worlds import moments
from lessons._lesson import lessons
from lessons.why_lambda.lesson import lams
from lessons.why_lambda.world import ERROR, ERRORS, FADE, LAMS, STEP, TOKENS, world
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["why_lambda"]


def shown(**given):
    return LESSON.show(completed(scenario(given))[0])


def test_the_learners_sweep():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], gamma=1, lams=[0, 0.5, 1]).facts.numbers
    assert found["sweep"]["0.5"] == pytest.approx([0.3, 0.4, 0.4])
    assert found["grid"]["first"] == pytest.approx([0.1, 0.3, 0.7])


def test_without_lams_of_the_learners_the_sweep_is_a_grid():
    found = shown(rewards=[0, 0, 1], values=[0.3, 0.4, 0.6], lam=0.8).facts.numbers
    assert "sweep" not in found
    assert found["grid"]["lams"] == [0, 0.5, 0.8, 1]


def test_one_lambda_of_the_learners_stands_between_the_ends():
    assert lams(shapes()["running"].merged({"lams": [0.3]})) == [0, 0.3, 1]


@pytest.mark.parametrize("error", ERRORS)
def test_the_closed_forms_are_what_counting_gives(error):
    counted = moments(walk(TOKENS, step=STEP, error=error, fade=FADE, first=1), LAMS)
    if error == ERROR:
        for (_, bias, variance, *_), mean, spread in zip(
            world().exact["rows"], counted["mean"], counted["variance"], strict=True
        ):
            assert (bias, variance) == (mean - type(mean)(1, 4), spread)
    best = {float(row[0]): row for row in world().exact["best"]}[error]
    at_ends = [float((m - STEP) ** 2 + v) for m, v in zip(counted["mean"], counted["variance"], strict=True)]
    assert float(best[3]) == pytest.approx(at_ends[0])
    assert float(best[4]) == pytest.approx(at_ends[-1])
    assert float(best[2]) <= min(at_ends) + 1e-12


def test_the_simulation_agrees():
    for _, _, _, closed, seen in world().numbers["rows"]:
        assert seen == pytest.approx(closed, rel=0.1)


def test_the_best_lambda_rises_with_the_critics_error():
    best = [row[1] for row in world().numbers["best"]]
    assert best == sorted(best) and best[0] == 0 < best[-1]
    assert len(LAMS) == len(world().numbers["rows"])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
