"""KL to reward: the rewards and estimators against their definitions."""

from __future__ import annotations

import math

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import pages

LESSON = lessons()["kl_reward"]
GIVEN = {
    "kl_list": {"scores": [0, 0, 1], "kl_values": [0.2, -0.1, 0.05], "beta": 0.5},
    "logs": {"scores": [0, 0, 1], "logp": [-0.6, -0.2, -0.9], "ref_logp": [-0.5, -0.4, -0.9], "beta": 0.1},
    "k3": {"scores": [0, 1], "logp": [-0.6, -0.2], "ref_logp": [-0.5, -0.4], "beta": 0.1, "kl": "k3"},
    "logs_only": {"logp": [-1.2, -0.3], "ref_logp": [-0.9, -0.8]},
    "kl_only": {"kl_values": [0.1, 0.2]},
    "one_token": {"scores": [1], "kl_values": [0.3]},
    "one_token_logs": {"scores": [1], "logp": [-0.3], "ref_logp": [-0.1]},
    "zeros": {"scores": [0, 0], "kl_values": [0, 0]},
    "beta_zero": {"scores": [0, 1], "kl_values": [0.3, -0.2], "beta": 0},
    "padded": {"scores": [0, 1, 0], "logp": [-0.3, -0.2, -5], "ref_logp": [-0.1, -0.4, -1], "mask": [1, 1, 0]},
    "hole": {"scores": [0, 0, 1], "kl_values": [0.3, 7, -0.2], "mask": [1, 0, 1]},
    "batch": {"scores": [[0, 1], [0, 0]], "logp": [[-0.3, -0.2], [-1, -2]], "ref_logp": [[-0.1, -0.4], [-1, -1]]},
    "long": {"scores": [0] * 63 + [1], "kl_values": [0.1, -0.1] * 32},
    "very_long": {"scores": [0] * 499 + [1], "logp": [-0.5] * 500, "ref_logp": [-0.4] * 500, "beta": 0.01},
}


def facts(name):
    return LESSON.show(completed(scenario(GIVEN[name]))[0]).facts.numbers


def test_the_learners_example():
    found = LESSON.show(RUNNING).facts.numbers
    assert found["rewards"] == pytest.approx([-0.01, -0.005, 0.005, -0.01, -0.02, 0.995])
    assert found["lowest"] == 2
    assert found["lowest_gain"] == pytest.approx(0.005)


def test_log_probabilities():
    found = facts("logs")
    log_ratio = [-0.1, 0.2, 0.0]
    assert found["k1"] == pytest.approx(log_ratio)
    assert found["k2"] == pytest.approx([d * d / 2 for d in log_ratio])
    assert found["k3"] == pytest.approx([math.exp(-d) + d - 1 for d in log_ratio])
    assert found["rewards"] == pytest.approx([0.01, -0.02, 1.0])
    assert found["reward_total"] == pytest.approx(0.99)


def test_the_chosen_estimator_is_the_one_taken_off():
    found = facts("k3")
    assert found["kl"] == pytest.approx(found["k3"])
    assert found["rewards"] == pytest.approx([s - 0.1 * k for s, k in zip([0, 1], found["k3"], strict=True)])


def test_the_vocabulary_by_enumeration():
    found = facts("kl_only")["constants"]
    p, q = found["policy"], found["reference"]
    assert sum(p) == pytest.approx(1) and sum(q) == pytest.approx(1)
    divergence = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    assert found["divergence"] == pytest.approx(divergence)
    assert found["mean"]["k1"] == pytest.approx(divergence)
    assert found["mean"]["k3"] == pytest.approx(divergence)
    assert abs(found["mean"]["k2"] - divergence) > 1e-3
    assert found["mean"]["abs"] > divergence


def test_the_pull_of_kl_in_the_reward_is_the_gradient_of_the_divergence():
    found = facts("kl_only")["constants"]
    p, q = found["policy"], found["reference"]

    def divergence(logits):
        total = sum(math.exp(z) for z in logits)
        return sum(math.exp(z) / total * math.log(math.exp(z) / total / b) for z, b in zip(logits, q, strict=True))

    start, h = [math.log(a) for a in p], 1e-6
    for b in range(len(p)):
        up, down = ([z + (h if i == b else 0) * sign for i, z in enumerate(start)] for sign in (1, -1))
        slope = (divergence(up) - divergence(down)) / (2 * h)
        assert found["in_reward"][b] == pytest.approx(slope, abs=1e-8)
        assert found["k2_in_loss"][b] == pytest.approx(slope, abs=1e-8)
        assert found["k1_in_loss"][b] == pytest.approx(0, abs=1e-12)
        assert found["k3_in_loss"][b] == pytest.approx(p[b] - q[b])


def test_the_sweep_over_beta():
    found = facts("kl_list")["grid"]
    for beta, total in zip(found["beta"], found["reward_total"], strict=True):
        assert total == pytest.approx(1 - beta * 0.15)


def test_what_is_missing_is_named():
    for given in ({"scores": [0, 1]}, {"logp": [-1, -1], "scores": [0, 1]}, {"rewards": [0, 1]}):
        with pytest.raises(EngineError, match="missing"):
            LESSON.show(completed(scenario(given))[0])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    found = pages(LESSON, GIVEN[name])
    assert all(found.values())
    assert "nan" not in "".join(found.values()).lower().replace("financ", "")
