"""Facts are computed twice; where the two differ there are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import kernels, quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import DisagreementError, compute, quick_facts, work
from engine.scenario import scenario
from tests.responses import fractions, responses


@given(responses(), fractions, fractions, st.booleans())
def test_tensors_and_exact_numbers_agree(response, gamma, lam, padded):
    rewards, values = ([float(x) for x in row] for row in response)
    mask = {"mask": [1] * (len(rewards) - 1) + [0]} if padded and len(rewards) > 1 else {}
    found = quantities.facts(
        "gae", scenario({"rewards": rewards, "values": values, "gamma": float(gamma), "lam": float(lam), **mask})
    )
    assert all(check.ok for check in found.checks)
    assert found.numbers["delta_sum"] == pytest.approx(found.numbers["excess"], abs=1e-9)
    if mask:
        assert found.numbers["advantages"][-1] is None


RATES = {"gamma": 1.0, "lam": 0.95, "beta": 0.1}


def test_the_running_example():
    facts = quantities.facts("gae", RUNNING).numbers
    assert facts["rewards"] == pytest.approx([-0.01, -0.005, 0.005, -0.01, -0.02, 0.995])
    assert facts["deltas"] == pytest.approx([0.04, 0.045, 0.055, 0.09, 0.13, 0.395])
    assert facts["advantages"] == pytest.approx([0.621081, 0.611664, 0.596488, 0.569987, 0.50525, 0.395], abs=1e-6)
    assert facts["T"] == 6
    assert facts["delta_sum"] == pytest.approx(0.755)


def test_a_batch_gives_rows():
    one = {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1, "lam": 0.95}
    two = {**one, "rewards": [one["rewards"], [1, 0, 0]], "values": [one["values"], [0.5, 0.2, 0.1]]}
    batch = quantities.facts("gae", scenario(two)).numbers
    assert batch["advantages"][0] == pytest.approx(quantities.facts("gae", scenario(one)).numbers["advantages"])
    assert len(batch["delta_sum"]) == 2


def test_a_long_response_is_computed_in_decimals():
    length = 1000
    facts = quantities.facts(
        "gae", scenario({"rewards": [0.1] * length, "values": [0.5] * length, "gamma": 0.99, "lam": 0.95})
    )
    assert all(check.ok for check in facts.checks)


def test_a_mask_hides_tokens_and_nothing_else():
    given = {"rewards": [0, 1, 5], "values": [0.5, 0.5, 9], "gamma": 0.9, "lam": 0.5, "mask": [1, 1, 0]}
    facts = quantities.facts("nstep_mixture", scenario({**given, "group_rewards": [1, 0]})).numbers
    assert facts["advantages"][2] is facts["mixture"][2] is None
    assert sum(facts["weights"]) == pytest.approx(1)
    assert quantities.facts("rloo", scenario({**given, "group_rewards": [1, 0]})).numbers["advantages"] == [1, -1]


def test_floats_are_quick_and_nearly_right():
    quick = quick_facts(quantities.gae, RUNNING)
    assert quick["advantages"] == pytest.approx(quantities.facts("gae", RUNNING).numbers["advantages"])


def test_a_missing_list_is_named():
    with pytest.raises(EngineError, match="missing: field='values'"):
        quantities.facts("gae", scenario({"rewards": [1], "gamma": 1, "lam": 1}))


def test_a_difference_is_an_error(monkeypatch):
    right = kernels.td_errors
    monkeypatch.setattr(kernels, "td_errors", lambda *a, **k: right(*a, **k) + 1e-8)
    with pytest.raises(DisagreementError, match="deltas"):
        quantities.facts("gae", RUNNING)


def test_a_missing_number_is_a_difference(monkeypatch):
    right = kernels.td_errors
    monkeypatch.setattr(kernels, "td_errors", lambda *a, **k: right(*a, **k)[:, 1:])
    with pytest.raises(DisagreementError):
        compute(lambda x: {"deltas": x.on.td_errors(x["values"], x["values"], x.mask, gamma=1.0)}, RUNNING)


def test_working_is_the_same_program():
    worked = work(quantities.gae, RUNNING)
    assert [x.value for x in worked["advantages"]] == quantities.facts("gae", RUNNING).exact["advantages"]
    assert worked["advantages"][5].line("text") == "A₅ = δ₅ + γλ·A₆ = 0.395 + 1·0.95·0 = 0.395"


@pytest.mark.parametrize(("mask", "whitened"), [([1, 0], False), ([1, 1], True), ([[1, 0], [1, 0]], True)])
def test_the_pipeline_whitens_where_more_than_one_token_counts(mask, whitened):
    lists = {"rewards": [0.0, 1.0], "values": [0.5, 0.25], "kl_values": [0.1, 0.2]}
    given = {name: [x, x] if isinstance(mask[0], list) else x for name, x in lists.items()}
    found = quantities.facts("pipeline", scenario({**given, "mask": mask, **RATES}))
    assert ("whitened" in found.numbers) == whitened


def test_facts_stand_beside_others_and_keep_their_own():
    one = quantities.facts("mc", scenario({"rewards": [0, 1], "values": [0.5, 0.5], "gamma": 1}))
    two = quantities.facts("gae", scenario({"rewards": [0, 3], "values": [0.5, 0.5], "gamma": 1, "lam": 0}))
    both = one.beside(two)
    assert both.numbers["mc_returns"] == both.exact["mc_returns"] == [1, 1]
    assert both.numbers["deltas"] == [0, 2.5]
    assert [check.what for check in both.checks].count("mc_returns") == 1
    assert both.used == {"rewards", "values", "gamma", "lam"}


def test_facts_of_a_counterexample_stand_under_its_name():
    found = quantities.facts("reward_to_go", scenario({"rewards": [0, 1], "gamma": 1})).under("late")
    assert found.numbers["late"]["mc_returns"] == found.exact["late"]["mc_returns"] == [1, 1]
    assert {check.what for check in found.checks} == {"late.rewards", "late.T", "late.mc_returns"}


def test_a_number_that_only_one_side_has_is_a_disagreement():
    def program(x):
        return {"one": [1.0, None if x.on is kernels else 2.0]}

    with pytest.raises(DisagreementError, match="one"):
        compute(program, scenario({"rewards": [1]}))


@pytest.mark.parametrize(
    ("quantity", "given", "code", "field"),
    [
        ("nstep_mixture", {"rewards": [0] * 65, "values": [0] * 65, "gamma": 1, "lam": 1}, "too_long", "rewards"),
        ("value_loss", {"vpreds": [1], "old_values": [1], "cliprange_value": 0.5}, "missing", "returns"),
    ],
)
def test_what_cannot_be_computed_is_named(quantity, given, code, field):
    with pytest.raises(EngineError) as refused:
        quantities.facts(quantity, scenario(given))
    assert (refused.value.code, refused.value.details["field"]) == (code, field)


def test_advantages_alone_can_be_whitened_and_have_no_returns():
    assert "returns" not in quantities.facts("whiten", scenario({"advantages": [1, 2]})).numbers
    found = quantities.facts("whiten", scenario({"advantages": [1, 2], "values": [1, 1]})).numbers
    assert found["returns"] == [2, 3]
