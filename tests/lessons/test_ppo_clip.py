"""ppo_clip: the four sign cases by hand, the clip fraction, dual clip, and the learners' own examples."""

from __future__ import annotations

import pytest
import torch

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import policies

ID = "ppo_clip"


def _facts(**given):
    return lessons()[ID].show(policies.made(given)).facts.numbers


@pytest.mark.parametrize(
    ("ratio", "advantages", "terms", "fraction"),
    [
        ([0.7, 1.0, 1.5], [1, 1, 1], [0.7, 1, 1.2], 1 / 3),
        ([1.5, 0.5], [1, -1], [1.2, -0.8], 1),
        ([1.4, 0.7, 0.9], [1, -1, 1], [1.2, -0.8, 0.9], 2 / 3),
        ([0.6, 1.1, 1.4], [-1, 2, 3], [-0.8, 2.2, 3.6], 2 / 3),
        ([1.5], [-1], [-1.5], 0),
    ],
)
def test_learners_examples(ratio, advantages, terms, fraction):
    found = _facts(ratio=ratio, advantages=advantages, eps=0.2)
    assert found["objective_terms"] == pytest.approx(terms)
    assert found["objective"] == pytest.approx(sum(terms) / len(terms))
    assert found["clipfrac"] == pytest.approx(fraction)


def test_the_gradient_is_what_torch_says():
    """Of the code that learners read, written out: the maximum of two losses."""
    found = lessons()[ID].show(RUNNING).facts.numbers
    new, old = torch.tensor(RUNNING.new_logp, dtype=torch.float64, requires_grad=True), torch.tensor(RUNNING.logp)
    ratio, advantages = (new - old).exp(), torch.tensor(found["advantages"])
    losses = torch.maximum(-advantages * ratio, -advantages * ratio.clamp(0.8, 1.2))
    assert found["loss"] == pytest.approx(losses.mean().item())
    (gradient,) = torch.autograd.grad(-losses.sum(), new)
    assert found["slopes"] == pytest.approx(gradient.tolist())


def test_dual_clip_limits_only_bad_tokens_that_are_far_away():
    found = _facts(ratio=[40, 2, 40], advantages=[-1, -1, 1], eps=0.2)
    assert found["dual_terms"] == pytest.approx([-3, -2, 1.2])


def test_the_range_may_be_asymmetric():
    found = _facts(ratio=[1.25, 0.79], advantages=[2, 2], eps_low=0.2, eps_high=0.28)
    assert found["objective_terms"] == pytest.approx([2.5, 1.58])
    assert found["upper"] == pytest.approx(1.28)


def test_one_bound_may_be_given_alone():
    found = _facts(ratio=[1.5, 0.5], advantages=[1, -1], eps=0.1, eps_high=0.3)
    assert found["objective_terms"] == pytest.approx([1.3, -0.9])


@pytest.mark.parametrize("given", [{"advantages": [1, 2]}, {"ratio": [1, 2]}, {"new_logp": [-1], "advantages": [1]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _facts(**given)


def test_pages():
    policies.check_pages(ID, {**policies.MOVED, **policies.RATIOS})


def test_propositions():
    policies.check_propositions(ID)
