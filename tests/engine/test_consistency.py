"""What is given twice must agree: at the tolerance, in any row, for every pair of a list and its parts."""

from __future__ import annotations

import math

import pytest

from engine import consistency
from engine.errors import EngineError
from engine.scenario import scenario

AGREEING = (
    {"kl_values": [0.5, -0.25], "logp": [-1, -1.25], "ref_logp": [-1.5, -1.0]},
    {"kl_values": [0.125], "logp": [-1], "ref_logp": [-1.5], "kl": "k2"},
    {"kl_values": [math.exp(-0.5) - 1 + 0.5], "logp": [-1], "ref_logp": [-1.5], "kl": "k3"},
    {"ratio": [math.e], "new_logp": [-1], "old_logp": [-2]},
    {"rewards": [0.9, -0.1], "scores": [1, 0], "kl_values": [1, 1], "beta": 0.1},
    {"rewards": [[0.9], [-0.1]], "scores": [[1], [0]], "kl_values": [[1], [1]], "beta": 0.1},
    {"rewards": [7.0], "scores": [1], "kl_values": [1]},  # without β nothing follows
)


@pytest.mark.parametrize("given", AGREEING)
def test_agreeing_lists_pass(given):
    consistency.check(scenario(given))


@pytest.mark.parametrize(("given", "made"), [(g, next(iter(g))) for g in AGREEING[:-1]])
def test_a_changed_number_is_refused_where_it_stands(given, made):
    rows = given[made]
    last = len(rows) - 1
    spoiled = [*rows[:last], [rows[last][0] + 1] if isinstance(rows[last], list) else rows[last] + 1]
    with pytest.raises(EngineError, match="inconsistent") as refused:
        consistency.check(scenario({**given, made: spoiled}))
    assert refused.value.details["field"] == made
    assert refused.value.details["position"][0] == last


def test_rounding_is_no_contradiction():
    consistency.check(scenario({"ratio": [2.7182818], "new_logp": [-1], "old_logp": [-2]}))
