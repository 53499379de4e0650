"""Slopes: differentiated on tensors, measured on exact numbers, and the two agree."""

from __future__ import annotations

import pytest

from engine.example import RUNNING
from engine.facts import DisagreementError, compute
from engine.quantities import gae, pipeline
from engine.quantities import surrogate as program
from engine.scenario import scenario
from engine.slopes import own_slopes, total_slopes


def test_slopes_are_measured_in_two_ways():
    assert compute(total_slopes(pipeline, ("rewards", "advantages"), "values"), RUNNING).numbers["rewards"] == 0
    with pytest.raises(DisagreementError):  # an advantage depends on later values too, so it has no slope of its own
        compute(own_slopes(pipeline, "advantages", "values"), RUNNING)
    found = compute(own_slopes(program, "terms", "new_logp"), RUNNING)
    assert found.checks[0].residual < 1e-12
    assert found.numbers["slopes"] == pytest.approx(compute(program, RUNNING).numbers["terms"])  # ∂ρA/∂log π is ρA


def test_masked_tokens_have_no_slope_and_an_untouched_fact_none_at_all():
    given = {"rewards": [0.5, 1.0, 9.0], "values": [0.2, 0.4, 9.0], "mask": [1, 1, 0], "gamma": 0.5, "lam": 0.5}
    found = compute(total_slopes(gae, ("deltas", "rewards", "returns"), "values"), scenario(given)).numbers
    assert found["rewards"] == 0
    assert found["deltas"] == pytest.approx(-2 + 0.5)  # −1 at each real token, γ where a next value follows
    assert found["returns"] == pytest.approx(2 + (-2 + 0.5) + 0.25 * -1)


def test_a_long_response_is_measured_in_decimals():
    given = {"rewards": [0.0] * 200, "values": [0.5] * 200, "gamma": 1.0, "lam": 0.5}
    found = compute(total_slopes(gae, ("deltas",), "values"), scenario(given))
    assert found.numbers["deltas"] == pytest.approx(-1)
