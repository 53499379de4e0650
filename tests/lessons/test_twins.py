"""The code that learners paste: it runs, and gives what the engine gives."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch

from engine import quantities
from engine.facts import compute
from engine.scenario import Scenario, scenario
from lessons import _twin, _twins
from lessons._lesson import OUT_OF_SCOPE, lessons
from lessons._twin import Function
from prompts.read import completed, looked_at
from prompts.tell.cell import cell, code_of

LONGEST = 15
TAUGHT = sorted(set(lessons()) - {OUT_OF_SCOPE})
BATCHES = 20


def shown_code(id: str) -> tuple[Function, str, dict[str, Any]]:
    own = looked_at(lessons()[id], *completed(scenario({})))
    shown = lessons()[id].show(own)
    text, numbers = code_of(shown, own), shown.facts.numbers if shown.facts else {}
    twin = next(twin for twin in shown.twins if all(line in text for line in _twin.lines(twin)))
    return twin, text, {**numbers.get("first", {}), **numbers.get("counterexample", {}), **numbers}


@pytest.mark.parametrize("id", TAUGHT)
def test_a_lessons_code_is_short_and_gives_its_facts(id: str):
    twin, text, known = shown_code(id)
    assert len([line for line in text.splitlines() if line]) <= LONGEST
    names: dict[str, Any] = {}
    exec(text, names)  # noqa: S102  as a learner does
    met = [name for name in _twin.returned(twin) if name in known]
    assert met, "nothing of it is a fact"
    for name in met:
        assert torch.allclose(names[name].double(), torch.tensor(known[name]).double(), atol=1e-5), name


@pytest.mark.parametrize("id", ["value_includes_reward", "variance", "critic_slice"])
def test_what_one_lesson_alone_computes_agrees_on_random_responses(id: str):
    for seed in range(BATCHES):
        given = drawn(seed, rows=1, length=2 + seed % 7)
        own = Scenario(rewards=given.scores, values=given.values, gamma=given.gamma, lam=given.lam)
        facts = lessons()[id].show(own).facts
        assert facts is not None
        known = {**facts.numbers.get("first", {}), **facts.numbers}
        (twin,) = lessons()[id].show(own).twins
        results = _twin.run(twin, _twin.inputs(twin, facts.numbers, own) or {}).results
        assert all(_same(x, known[name]) for name, x in results.items()), (id, seed)


def drawn(seed: int, rows: int, length: int) -> Scenario:
    pick = random.Random(seed)

    def lists(low: float, high: float) -> list[list[float]]:
        return [[pick.uniform(low, high) for _ in range(length)] for _ in range(rows)]

    return scenario(
        {
            **{name: lists(-2, 2) for name in ("scores", "values", "vpreds", "old_values")},
            **{name: lists(-4, -0.01) for name in ("logp", "ref_logp", "new_logp")},
            "group_rewards": lists(-1, 1),
            "gamma": pick.uniform(0.5, 1),
            "lam": pick.uniform(0, 1),
            "beta": pick.uniform(0, 1),
            "eps": pick.uniform(0.05, 0.5),
            "cliprange_value": pick.uniform(0.05, 1),
        }
    )


def edges(own: Scenario) -> dict[str, float]:
    assert own.eps is not None
    return {"lower": 1 - own.eps, "upper": 1 + own.eps}


PROGRAMS: dict[Function, str] = {
    _twins.gae: "gae",
    _twins.monte_carlo: "gae",
    _twins.returns_to_go: "gae",
    _twins.lambda_returns: "gae",
    _twins.telescoping: "gae",
    _twins.sums: "gae",
    _twins.mixture: "nstep_mixture",
    _twins.pipeline: "pipeline",
    _twins.rewarded: "pipeline",
    _twins.kl_rewards: "pipeline",
    _twins.charged: "kl_rewards",
    _twins.estimators: "kl_estimators",
    _twins.probabilities: "probabilities",
    _twins.value_loss: "value_loss",
    _twins.whiten: "whiten",
    _twins.surrogate: "surrogate",
    _twins.surrogate_of_ratios: "surrogate",
    _twins.surrogate_whitened: "surrogate",
    _twins.clip: "clip",
    _twins.clip_whitened: "clip",
    _twins.groups: "grpo",
    _twins.two_policies: "pipeline",
}
WHITENED = (_twins.surrogate_whitened, _twins.clip_whitened)  # of several responses, whose advantages are made
AS_GIVEN = (_twins.surrogate, _twins.surrogate_of_ratios, _twins.clip)  # whatever the advantages are
OTHER = {"grpo_advantages": "advantages"}  # by what name the engine has it


@pytest.mark.parametrize("twin", PROGRAMS, ids=lambda twin: twin.__name__)
def test_a_twin_gives_what_the_engine_gives_on_random_batches(twin: Function):
    for seed in range(BATCHES):
        own = drawn(seed, rows=(2 if twin in WHITENED else 1) + seed % 4, length=2 + seed % 7)
        given = {"advantages": quantities.facts("gae", own).numbers["advantages"]} if twin in AS_GIVEN else {}
        assert not differing(twin, own.merged(given))


def differing(twin: Function, own: Scenario) -> list[str]:
    """The names under which twin and engine differ."""
    facts = {**quantities.facts(PROGRAMS[twin], own).numbers, **edges(own)}
    facts.setdefault("old_logp", _rows(own, "logp"))
    given = _twin.inputs(twin, facts, own)
    assert given is not None
    results = _twin.run(twin, given).results
    met = {name: facts[OTHER.get(name, name)] for name in results if OTHER.get(name, name) in facts}
    assert met, "nothing of it is the engine's"
    return [name for name, right in met.items() if not _same(results[name], right)]


def _rows(own: Scenario, name: str) -> Any:
    rows = [list(row) for row in own.rows(name)]
    return rows if own.batched else rows[0]


def _same(x: Any, right: Any) -> bool:
    found, known = torch.tensor(x, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    return torch.allclose(found.reshape(known.shape) if found.numel() == known.numel() else found, known, atol=1e-9)


def test_the_masked_twin_skips_holes_as_the_engine_does():
    pick = random.Random(3)
    for seed in range(BATCHES):
        own = drawn(seed, rows=3, length=6)
        mask = [[float(pick.random() < 0.7) for _ in range(5)] + [1.0] for _ in range(3)]
        given = own.merged({"mask": mask, "rewards": _rows(own, "scores")})
        facts = compute(quantities.gae, given).numbers
        results = _twin.run(_twins.masked_gae, _twin.inputs(_twins.masked_gae, {}, given) or {}).results
        for name in ("advantages", "returns"):
            known = [[x or 0.0 for x in row] for row in facts[name]]
            assert _same(results[name], known), name


def test_a_twin_that_is_wrong_is_noticed():
    def off(rewards: Any, values: Any, gamma: float, lam: float) -> tuple[Any, ...]:
        deltas = rewards - values
        advantages = deltas * gamma * lam
        return deltas, advantages

    PROGRAMS[off] = "gae"
    try:
        assert differing(off, drawn(1, rows=2, length=4)) == ["deltas", "advantages"]
    finally:
        del PROGRAMS[off]


def test_beside_a_line_stands_what_it_assigned_each_time():
    text = cell(_twins.gae, {"rewards": [0.0, 1.0], "values": [0.5, 0.5]}, scenario({"gamma": 1.0, "lam": 0.5}))
    assert "deltas = rewards + gamma * next_values - values  # [0, 0.5]" in text
    assert "later = deltas[..., t] + gamma * lam * later  # 0.5, 0.25" in text
    assert "gamma, lam = 1.0, 0.5" in text


def test_of_a_response_with_padding_the_real_tokens_are_put_in():
    numbers = {"rewards": [[0.0, 1.0, None], [1.0, 1.0, 1.0]], "values": [[0.5, 0.5, None], [0.0, 0.0, 0.0]]}
    own = scenario({"gamma": 1.0, "lam": 1.0})
    assert _twin.inputs(_twins.gae, numbers, own) == {
        "rewards": [0.0, 1.0], "values": [0.5, 0.5], "gamma": 1.0, "lam": 1.0,
    }  # fmt: skip
    found = _twin.inputs(_twins.whiten, {"advantages": numbers["rewards"]}, own)
    assert found == {"advantages": [0.0, 1.0, 1.0, 1.0, 1.0]}


def test_without_an_input_there_is_no_cell():
    assert cell(_twins.gae, {"rewards": [0.0]}, scenario({})) == ""
    assert cell(_twins.groups, {"group_rewards": [[1.0], [0.0, 1.0]]}, scenario({})) == ""
