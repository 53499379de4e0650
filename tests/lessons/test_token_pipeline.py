"""token_pipeline: six lists, by the definitions; the order of the stages; what learners claim of them."""

from __future__ import annotations

import statistics

import pytest

from engine.errors import EngineError
from engine.example import BOTH, RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons import everywhere

ID = "token_pipeline"


def test_the_lists_by_their_definitions():
    found = lessons()[ID].show(RUNNING).facts.numbers
    rewards, deltas, advantages = _by_definition(0)
    both = [*advantages, *_by_definition(1)[2]]
    mean, std = statistics.mean(both), statistics.stdev(both)
    assert found["rewards"] == pytest.approx(rewards)
    assert found["deltas"] == pytest.approx(deltas)
    assert found["advantages"] == pytest.approx(advantages)
    assert found["returns"] == pytest.approx([a + v for a, v in zip(advantages, RUNNING.values, strict=True)])
    assert found["whitened"] == pytest.approx([(a - mean) / std for a in advantages], abs=1e-5)  # ε
    assert (found["mean"], found["responses"]) == (pytest.approx(mean), 2)


def _by_definition(i: int) -> tuple[list[float], list[float], list[float]]:
    """Rewards, δ and advantages of one of the example's responses."""
    rewards = [s - 0.1 * kl for s, kl in zip(BOTH.rows("scores")[i], BOTH.rows("kl_values")[i], strict=True)]
    values = [*BOTH.rows("values")[i], 0]
    deltas = [r + values[t + 1] - values[t] for t, r in enumerate(rewards)]
    return rewards, deltas, [sum(0.95**k * d for k, d in enumerate(deltas[t:])) for t in range(6)]


def test_verls_own_numbers():
    """SEMANTICS 1c: produced by the real package."""
    given = {"scores": [0, 0, 1], "logp": [-0.5, -0.7, -0.2], "ref_logp": [-0.6, -0.5, -0.3], "beta": 0.1}
    own = completed(scenario({**given, "values": [0.5, 0.6, 0.9], "gamma": 1, "lam": 0.95}))[0]
    found = lessons()[ID].show(own).facts.numbers
    assert found["kl"] == pytest.approx([0.1, -0.2, 0.1])
    assert found["rewards"] == pytest.approx([-0.01, 0.02, 0.99])
    assert found["advantages"] == pytest.approx([0.475225, 0.4055, 0.09])
    assert found["whitened"] == pytest.approx([0.738804, 0.399120, -1.137924], abs=1e-6)


def test_the_mistake_changes_only_the_critics_targets():
    shown = lessons()[ID].show(RUNNING)
    wrong = shown.mistakes["whiten_before_returns"].numbers
    assert wrong["advantages"] == pytest.approx(shown.facts.numbers["advantages"])
    expected = [a + v for a, v in zip(shown.facts.numbers["whitened"], RUNNING.values, strict=True)]
    assert wrong["returns"] == pytest.approx(expected)


@pytest.mark.parametrize("given", [{"rewards": [0, 1]}, {"scores": [0, 1], "values": [1, 1]}, {"values": [1, 2]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        lessons()[ID].show(completed(scenario(given))[0])


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID)


def test_verdicts_follow_the_numbers():
    judge = {id: p.judge for id, p in lessons()[ID].facts.items()}
    scored = completed(scenario({"scores": [0.5, 1], "kl_values": [0, 0.1], "beta": 0.1, "values": [0, 0]}))[0]
    assert judge["only_the_last_token_is_scored"](scored, denied=False).verdict == "depends"
    silent = completed(scenario({"scores": [0, 1], "kl_values": [0, 0], "beta": 0.1, "values": [0, 0]}))[0]
    assert judge["every_token_has_a_reward"](silent, denied=False).verdict == "depends"
