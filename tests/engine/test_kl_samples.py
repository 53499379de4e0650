"""The KL estimators on a vocabulary that can be counted through: means, variances, and how each form pulls."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts import compute, exact_facts
from engine.kl_samples import Vocabulary, estimates, pulls
from engine.scenario import Scenario

weights = st.lists(st.integers(1, 20), min_size=3, max_size=3)


def vocabulary(p, q):
    return Vocabulary(*(tuple(x / sum(row) for x in row) for row in (p, q)))


@given(weights, weights)
def test_k1_and_k3_have_the_divergence_as_their_mean(p, q):
    words = vocabulary(p, q)
    found = compute(estimates(words), Scenario()).numbers
    divergence = sum(a * math.log(a / b) for a, b in zip(words.policy, words.reference, strict=True))
    assert found["divergence"] == pytest.approx(divergence, abs=1e-12)
    assert found["mean"]["k1"] == pytest.approx(divergence, abs=1e-12)
    assert found["mean"]["k3"] == pytest.approx(divergence, abs=1e-12)
    assert all(x >= 0 for name in ("k2", "k3", "abs") for x in found[name])
    assert all(x >= -1e-15 for x in found["variance"].values())


@given(weights, weights)
def test_in_the_loss_k2_pulls_like_kl_in_the_reward_and_k1_not_at_all(p, q):
    found = compute(pulls(vocabulary(p, q)), Scenario()).numbers
    assert found["k2_in_loss"] == pytest.approx(found["in_reward"], abs=1e-12)
    assert found["k1_in_loss"] == pytest.approx([0, 0, 0], abs=1e-12)
    assert sum(found["in_reward"]) == pytest.approx(0, abs=1e-12)


def test_k3_in_the_loss_pulls_differently():
    found = compute(pulls(vocabulary([9, 1, 1], [1, 1, 9])), Scenario()).numbers
    assert found["k3_in_loss"] != pytest.approx(found["in_reward"], abs=1e-3)


def test_a_step_against_the_gradient_goes_towards_the_reference():
    found = exact_facts(pulls(Vocabulary(policy=(0.5, 0.3, 0.2), reference=(0.4, 0.2, 0.4))), Scenario())
    for policy, reference, after in zip(found["policy"], found["reference"], found["stepped"], strict=True):
        assert abs(after - reference) < abs(policy - reference)
