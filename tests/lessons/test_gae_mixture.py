"""GAE as a weighted mean: the weights and estimates against their definitions, long responses, the pages."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine import sequences
from engine.facts import compute
from engine.readings.exact import rational
from lessons._lesson import lessons
from lessons.gae_mixture.lesson import by_steps
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["gae_mixture"]
ALONE = [name for name in GIVEN if "mask" not in GIVEN[name] and "batch" not in name and "score" not in name]


def test_the_learners_example():
    found = LESSON.show(shapes()["running"].merged({})).facts
    assert "weights" in found.numbers and "mixture" in found.numbers
    given = {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1.0, "lam": 0.95}
    from engine.scenario import scenario
    from prompts.read import completed

    found = LESSON.show(completed(scenario(given))[0]).facts.numbers
    assert found["weights"] == pytest.approx([0.05, 0.0475, 0.9025])
    assert found["n_step_advantages"] == pytest.approx([0.1, 0.3, 0.7])
    assert found["mixture"] == pytest.approx([0.651, 0.58, 0.4])
    assert found["first"]["mixture"] == pytest.approx(0.651)


@pytest.mark.parametrize("name", ALONE)
def test_each_estimate_is_the_n_step_return_less_the_value(name):
    case = shapes()[name]
    found = compute(by_steps, case).exact
    rewards, values = ([rational(x) for x in case.rows(part)[0]] for part in ("rewards", "values"))
    for n in (1, 2, case.length):
        if n <= case.length:
            told = sequences.n_step_return(rewards, values, rational(case.gamma), 0, n) - values[0]
            assert float(found["n_step_advantages"][n - 1]) == pytest.approx(float(told), abs=1e-9)


@pytest.mark.parametrize("name", GIVEN)
def test_the_mean_is_gae(name):
    facts = LESSON.show(shapes()[name]).facts
    row = facts.numbers["advantages"]
    row = row[0] if isinstance(row[0], list) else row
    first = next(x for x in row if x is not None)
    assert facts.numbers["first"]["mixture"] == pytest.approx(first, abs=1e-9)
    assert facts.numbers["first"]["weight_sum"] == pytest.approx(1)


def test_the_mean_number_of_steps():
    lam, tokens = Fraction(4, 5), 6
    found = compute(by_steps, shapes()["running"].merged({"lam": 0.8})).exact
    assert found["mean_steps"] == (1 - lam**tokens) / (1 - lam)
    assert found["horizon"] == 5
    assert "horizon" not in compute(by_steps, shapes()["running"].merged({"lam": 1.0})).exact


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())


def test_an_induction_upwards_is_told_upwards():
    told = pages(LESSON, {})
    assert "First for" in told["plain", "en"] and "when no step is taken" in told["plain", "en"]
    assert "先看" in told["plain", "zh"]
