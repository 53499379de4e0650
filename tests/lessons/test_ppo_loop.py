"""ppo_loop: the fields of the rollout and what is logged, by hand; the learner's own iteration."""

from __future__ import annotations

import math
import statistics

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import policies

ID = "ppo_loop"


def _facts(**given):
    return lessons()[ID].show(policies.made(given)).facts.numbers


def test_the_updates_by_hand():
    found = _facts()
    ratio = [math.exp(new - old) for new, old in zip(RUNNING.new_logp, RUNNING.logp, strict=True)]
    terms = [min(r * a, min(max(r, 0.8), 1.2) * a) for r, a in zip(ratio, found["whitened"], strict=True)]
    assert found["after"]["pg_loss"] == pytest.approx(-statistics.mean(terms))
    assert found["after"]["approx_kl"] == pytest.approx(
        statistics.mean(old - new for new, old in zip(RUNNING.new_logp, RUNNING.logp, strict=True))
    )
    errors = []
    for v, old, r in zip(RUNNING.vpreds, RUNNING.values, found["returns"], strict=True):
        errors.append(max((v - r) ** 2, (min(max(v, old - 0.2), old + 0.2) - r) ** 2))
    assert found["after"]["vf_loss"] == pytest.approx(statistics.mean(errors) / 2)


def test_the_first_mini_step():
    first = _facts()["first"]
    assert first["ratio"] == [1] * 6
    assert first["pg_loss"] == pytest.approx(0, abs=1e-12)
    assert first["pg_clipfrac"] == first["approx_kl"] == first["vf_clipfrac"] == 0


def test_the_learners_iteration():
    """Transcript 004, with the numbers that its table should have had."""
    found = _facts(
        old_logp=[-0.12, -0.08, -0.15, -0.10, -0.05, -0.02],
        ref_logp=[-0.15, -0.10, -0.18, -0.12, -0.08, -0.03],
        values=[0.82, 0.85, 0.88, 0.90, 0.92, 0.95],
        scores=[0, 0, 0, 0, 0, 1],
        beta=0.01,
        gamma=1,
        lam=0.95,
    )
    assert found["rewards"] == pytest.approx([-0.0003, -0.0002, -0.0003, -0.0002, -0.0003, 0.9999])
    assert found["advantages"] == pytest.approx([0.155568, 0.132492, 0.108097, 0.09305, 0.077105, 0.0499], abs=1e-6)


@pytest.mark.parametrize("given", [{"rewards": [0, 1]}, {"values": [0, 1]}, {"old_logp": [-1, -2]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _facts(**given)


def test_pages():
    scored = {"rewards": [0, -0.1, 1], "values": [0.5, 0.6, 0.9]}
    cases = {
        "the running example": {},
        "learners": {**policies.MOVED["from scores"]},
        "from rewards": policies.MOVED["from rewards"],
        "no policy": scored,
        "padding": {**scored, "mask": [1, 1, 0]},
        "one real token": {**scored, "mask": [0, 1, 0]},
        "a hole": {**scored, "mask": [1, 0, 1]},
        "one token": {"rewards": [1], "values": [0.5], "logp": [-1], "ref_logp": [-1]},
        "a batch": {"rewards": [[0, 1], [1, 0]], "values": [[0.2, 0.3], [0.4, 0.1]], "gamma": 0.9},
        "a batch with a policy": {
            "scores": [[0, 1], [0, 0]],
            "values": [[0.2, 0.3], [0.4, 0.1]],
            "logp": [[-1, -2], [-1, -1]],
            "ref_logp": [[-1, -1], [-2, -1]],
            "mask": [[1, 1], [1, 0]],
        },
        "sixty-four": {"rewards": [0.01] * 64, "values": [0.3] * 64},
        "five hundred": {"rewards": [0.01] * 500, "values": [0.3 - t / 1000 for t in range(500)]},
        "zeros": {"rewards": [0, 0], "values": [0, 0], "gamma": 0, "lam": 0},
    }
    policies.check_pages(ID, cases)


def test_propositions():
    policies.check_propositions(ID)
