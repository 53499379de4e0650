"""The iteration on the language model: run once, agreeing with the definitions, or a clear error."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import DisagreementError
from engine.models import checkpoint, observed
from engine.models.observed import Observed
from engine.models.quantities import Estimates
from engine.scenario import PARAMETERS, scenario


@pytest.fixture
def no_model(monkeypatch):
    monkeypatch.setenv("TELESCOPE_LM", "/no/such/folder")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    observed._observed.cache_clear()
    yield
    observed._observed.cache_clear()


@pytest.mark.usefixtures("no_model")
def test_no_model_is_a_value_and_found_out_once(monkeypatch):
    found = observed.observed(RUNNING)
    assert isinstance(found, EngineError) and found.code == "no_model"
    monkeypatch.setattr(checkpoint, "find", None)
    assert observed.observed(RUNNING) is found


@pytest.fixture(scope="module")
def found() -> Observed:
    found = observed.observed(RUNNING)
    assert isinstance(found, Observed)
    return found


@pytest.mark.model
def test_it_is_run_once(found):
    assert observed.observed(RUNNING) is found


@pytest.mark.model
def test_fields_have_the_shapes_of_their_roles(found):
    shapes = {field.name: field.shape for field in found.fields}
    length, places = len(found.scenario.tokens), shapes["input_ids"][1]
    assert shapes["logits"] == shapes["attention_mask"] == (1, places)
    by_token = set(shapes) - {"logits", "attention_mask", "input_ids"}
    assert {shapes[name] for name in by_token} == {(1, length)} and length < places


@pytest.mark.model
def test_it_is_a_first_iteration(found):
    numbers = found.numbers
    assert not any(numbers["kl"]) and numbers["rewards"] == numbers["scores"]
    assert numbers["scores"][-1] == sum(RUNNING.scores) and not any(numbers["scores"][:-1])
    assert numbers["ratio_least"][0] == numbers["ratio_largest"][0] == 1
    assert numbers["ratio_least"][-1] < 1 < numbers["ratio_largest"][-1]
    assert numbers["vf_loss"][-1] < numbers["vf_loss"][0]
    assert all(check.ok for check in found.facts.checks)
    assert {f"iteration.{name}" for name in ("kl", "rewards", "advantages")} <= {c.what for c in found.facts.checks}


@pytest.mark.model
def test_numbers_that_the_iteration_did_not_use_are_never_shown(found):
    spoiled = {**found.facts.numbers, "returns": [x + 1e-6 for x in found.facts.numbers["returns"]]}
    names = ("kl", "rewards", "deltas", "advantages", "returns", "whitened")
    used = Estimates(**{name: torch.tensor([found.facts.numbers[name]], dtype=torch.float64) for name in names})
    assert observed._agreeing(found.facts, used).numbers == found.facts.numbers
    with pytest.raises(DisagreementError):
        observed._agreeing(replace(found.facts, numbers=spoiled), used)


@pytest.mark.model
def test_what_is_too_long_is_said():
    found = observed.observed(RUNNING.model_copy(update={"tokens": ("多",) * 600}))
    assert isinstance(found, EngineError) and found.code == "text_too_long"


@pytest.mark.model
def test_numbers_without_a_text_are_shown_on_the_running_example(found):
    own = scenario(
        {
            "rewards": [0, 1],
            "values": [0, 0],
            **{name: getattr(RUNNING, name) for name in PARAMETERS if getattr(RUNNING, name) is not None},
        }
    )
    assert observed.observed(own).response == found.response == "".join(RUNNING.tokens)
