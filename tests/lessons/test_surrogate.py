"""surrogate: ρA by hand, the first step, and the world in which the surrogate promises too much."""

from __future__ import annotations

import math

import pytest

from engine.errors import EngineError
from lessons._lesson import lessons
from tests.lessons import policies

ID = "surrogate"


def _shown(**given):
    return lessons()[ID].show(policies.made(given))


def test_the_terms_by_hand():
    found = _shown(old_logp=[-0.7, -1.2, -0.3], new_logp=[-0.6, -1.5, -0.3], advantages=[2, 1, -1]).facts.numbers
    ratio = [math.exp(0.1), math.exp(-0.3), 1]
    terms = [2 * ratio[0], ratio[1], -1]
    assert found["ratio"] == pytest.approx(ratio)
    assert found["terms"] == pytest.approx(terms)
    assert found["surrogate"] == pytest.approx(sum(terms) / 3)
    assert found["loss"] == pytest.approx(-sum(terms) / 3)
    assert found["slopes"] == pytest.approx(terms)  # ∂ρA/∂log π is ρA


def test_the_learners_example_before_the_first_update():
    """Transcript 004: no new policy given, so every term is the advantage, and the mean is 0.44/6."""
    found = _shown(
        old_logp=[-0.12, -0.08, -0.15, -0.10, -0.05, -0.02],
        ref_logp=[-0.15, -0.10, -0.18, -0.12, -0.08, -0.03],
        advantages=[0.13, 0.10, 0.08, 0.05, 0.03, 0.05],
    )
    assert found.facts.numbers["ratio"] == [1] * 6
    assert found.facts.numbers["surrogate"] == pytest.approx(0.44 / 6)
    assert found.facts.numbers["whitened_surrogate"] == pytest.approx(0, abs=1e-12)
    assert found.mistakes["ratio_to_reference"].numbers["surrogate"] == pytest.approx(0.07514, abs=1e-5)


@pytest.mark.parametrize("given", [{"advantages": [1, 2]}, {"new_logp": [-1, -2], "old_logp": [-1, -1]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _shown(**given)


def test_pages():
    policies.check_pages(ID, {**policies.MOVED, **policies.RATIOS})


def test_propositions():
    policies.check_propositions(ID)
