"""Iterations on the language model: their own numbers, agreeing with the definitions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import DisagreementError
from engine.models import Roles, begin, collect, encode_response, observed, seeded_head
from engine.models import runs as kept
from engine.models.observed import Observed
from engine.models.quantities import Estimates
from engine.models.trial import Trial
from engine.scenario import PARAMETERS, scenario
from tests.engine.models.conftest import SETTINGS

pytestmark = pytest.mark.model
QUICK = Trial(epochs=1, iterations=1)


def ran(asked=RUNNING, trial=None) -> Observed:
    found = kept.observed(asked, trial)
    assert isinstance(found, Observed)
    return found


@pytest.fixture(scope="module")
def found() -> Observed:
    return ran()


def test_fields_have_the_shapes_of_their_roles(found):
    shapes = {field.name: field.shape for field in found.fields}
    length, places = len(found.rounds[0].scenario.tokens), shapes["input_ids"][1]
    assert shapes["logits"] == shapes["attention_mask"] == (1, places)
    by_token = set(shapes) - {"logits", "attention_mask", "input_ids"}
    assert {shapes[name] for name in by_token} == {(1, length)} and length < places


def test_the_first_iteration_starts_from_the_reference(found):
    numbers = found.numbers
    assert not any(numbers["kl"]) and numbers["rewards"] == numbers["scores"]
    assert numbers["scores"][-1] == sum(RUNNING.scores) and not any(numbers["scores"][:-1])
    assert numbers["ratio_least"][0] == numbers["ratio_largest"][0] == 1
    assert numbers["ratio_least"][-1] < 1 < numbers["ratio_largest"][-1]
    assert numbers["vf_loss"][-1] < numbers["vf_loss"][0]
    assert min(numbers["vf_grad_norm"]) > 0 and min(numbers["pg_grad_norm"]) > 0
    assert all(x > 0 for x in numbers["entropies"])
    assert all(check.ok for check in found.checks)
    assert {f"iteration.{name}" for name in ("kl", "rewards", "advantages")} <= {c.what for c in found.checks}


def test_the_second_pays_for_its_distance_and_starts_at_one_again(found):
    first, second = found.numbers, found.numbers["later"][0]
    assert any(second["kl"]) and second["rewards"] != second["scores"]
    assert second["ratio_least"][0] == second["ratio_largest"][0] == 1
    assert second["values"] == first["vpreds"]
    assert second["ref_logp"] == first["ref_logp"]


def test_numbers_are_json(found):
    assert json.loads(json.dumps(found.numbers, allow_nan=False))["settings"]["epochs"] == 2


def test_each_value_is_read_one_position_before_its_token(found):
    round_ = found.rounds[0]
    values, labels = round_.facts.numbers["values"], round_.scenario.tokens
    *read, unused = round_.places
    assert [place.output for place in read] == values
    assert [place.value for place in read] == list(range(len(values)))
    assert [place.token for place in read[1:]] == list(labels[:-1])
    assert unused.value is None and unused.token == labels[-1]
    shapes = {field.name: field.shape for field in found.fields}
    assert unused.position == shapes["logits"][1] - 1


def test_a_value_needs_nothing_after_its_position(roles: Roles):
    """The hidden state that V_t is read from has seen the tokens before t and none after."""
    learners = begin(roles, SETTINGS, seeded_head(roles, 0))
    texts = ("是的，等于2！", "是的，等于5！")
    values = [collect(learners, ["1+1=?"], [encode_response(roles.tokenizer, x)], [1.0]).values[0] for x in texts]
    ids = [encode_response(roles.tokenizer, text) for text in texts]
    split = next(t for t, (a, b) in enumerate(zip(*ids, strict=True)) if a != b)
    torch.testing.assert_close(values[0][: split + 1], values[1][: split + 1], atol=1e-5, rtol=0)
    assert values[0][split + 1] != values[1][split + 1]


def test_numbers_that_the_iteration_did_not_use_are_never_shown(found):
    facts = found.rounds[0].facts
    spoiled = {**facts.numbers, "returns": [x + 1e-6 for x in facts.numbers["returns"]]}
    names = ("kl", "rewards", "deltas", "advantages", "returns", "whitened")
    used = Estimates(**{name: torch.tensor([facts.numbers[name]], dtype=torch.float64) for name in names})
    assert observed._agreeing(facts, used).numbers == facts.numbers
    with pytest.raises(DisagreementError):
        observed._agreeing(replace(facts, numbers=spoiled), used)


@pytest.mark.parametrize(
    ("trial", "code"),
    [
        (Trial(response="多" * 600), "text_too_long"),
        (Trial(prompt=""), "empty_text"),
        (Trial(response=" "), "empty_text"),
        (Trial(prompt="Tell me a joke.", response="No."), "no_rule"),
    ],
)
def test_what_cannot_be_run_is_said(trial, code):
    found = kept.observed(RUNNING, trial)
    assert isinstance(found, EngineError) and found.code == code


def test_numbers_that_are_none_are_never_shown(run):
    last = run.actor_steps[-1]
    lost = replace(run, actor_steps=(*run.actor_steps[:-1], replace(last, ratios=last.ratios / 0)))
    with pytest.raises(EngineError, match="diverged"):
        observed._round(lost, SETTINGS)


def test_the_learners_texts_and_settings_are_what_is_run():
    own = scenario({"gamma": 0.5, "lam": 0.25, "beta": 0.3, "eps": 0.1, "kl": "k3"})
    found = ran(own, Trial(prompt="What is 2+3?", response="5", epochs=1, iterations=2))
    round_ = found.rounds[1]
    assert (found.prompt, round_.response) == ("What is 2+3?", "5")
    assert round_.scenario.tokens == ("5", "<|im_end|>")
    assert found.numbers["settings"]["kl"] == round_.scenario.kl == "k3"
    assert round_.facts.numbers["kl"] and min(round_.facts.numbers["kl"]) >= 0
    last, r, v = (round_.facts.numbers[name] for name in ("advantages", "rewards", "values"))
    assert last[0] == pytest.approx(r[0] + 0.5 * v[1] - v[0] + 0.5 * 0.25 * last[1], abs=1e-12)


def test_a_prompt_without_a_response_is_answered_by_the_actor():
    found = ran(trial=replace(QUICK, prompt="What is 2+2?", seed=3))
    assert (
        found.rounds[0].response
        == ran(trial=replace(QUICK, prompt="What is 2+2?", sampled=True, seed=3)).rounds[0].response
    )


def test_a_score_of_the_learners_needs_no_rule():
    found = ran(trial=replace(QUICK, prompt="Tell me a joke.", response="No.", score=0.25))
    assert sum(found.numbers["scores"]) == 0.25


def test_numbers_without_a_text_are_shown_on_the_running_example():
    parameters = {name: getattr(RUNNING, name) for name in PARAMETERS if getattr(RUNNING, name) is not None}
    found = ran(scenario({"rewards": [0, 1], "values": [0, 0], **parameters}))
    assert found.rounds[0].response == "".join(RUNNING.tokens)
    assert found is ran()


def test_a_random_head_is_asked_for():
    found = ran(trial=replace(QUICK, seeded_head=True))
    assert not found.fitted and found.numbers["values"] != ran(trial=QUICK).numbers["values"]
