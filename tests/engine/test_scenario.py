"""One door: what is sensible passes unchanged, and each way to be wrong is named with its field and position."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import FRACTIONS, LARGEST, LISTS, LOG_PROBABILITIES, LONGEST, WIDEST, WIDTHS, scenario

finite = st.floats(-1000, 1000).map(lambda x: x + 0.0)


@given(st.lists(finite, min_size=1, max_size=9), st.floats(0, 1), st.floats(0, 1))
def test_what_is_sensible_passes_unchanged(numbers, gamma, lam):
    given = {"rewards": numbers, "values": numbers[::-1], "gamma": gamma, "lam": lam}
    found = scenario(given)
    assert found.given() == {**given, "rewards": tuple(numbers), "values": tuple(numbers[::-1])}
    assert found.length == len(numbers)
    assert not found.batched


def test_the_running_example_is_whole():
    assert RUNNING.length == len(RUNNING.tokens) == 6
    assert "".join(RUNNING.tokens) == "是的，等于2！"


def test_a_scenario_is_frozen():
    with pytest.raises(ValidationError):
        RUNNING.gamma = 0.5


def test_rows_make_a_batch_and_one_row_does_not():
    assert scenario({"rewards": [[1, 2], [3, 4]]}).batched
    assert scenario({"rewards": [[1, 2]]}).rewards == (1.0, 2.0)
    assert scenario({"rewards": [1, 2]}).rows("rewards") == ((1.0, 2.0),)


def test_parts_can_be_exchanged():
    changed = RUNNING.merged({"gamma": 0.5})
    assert (changed.gamma, changed.values) == (0.5, RUNNING.values)


REFUSED = [
    ({"rewards": [1, 2], "values": [1]}, "length_mismatch", "values", ()),
    ({"rewards": [[1, 2], [1, 2]], "values": [1, 2]}, "rows_mismatch", "values", ()),
    ({"rewards": [1, 2], "tokens": ["a"]}, "length_mismatch", "tokens", ()),
    ({"rewards": [[1, 2], [3]]}, "ragged", "rewards", (1,)),
    ({"rewards": [0, math.nan]}, "not_finite", "rewards", (1,)),
    ({"rewards": [[0, 1], [0, math.inf]]}, "not_finite", "rewards", (1, 1)),
    ({"gamma": math.nan}, "not_finite", "gamma", ()),
    ({"gamma": 1.2}, "out_of_range", "gamma", ()),
    ({"lam": -0.1}, "out_of_range", "lam", ()),
    ({"lams": [0, 2]}, "out_of_range", "lams", (1,)),
    ({"beta": -1}, "out_of_range", "beta", ()),
    ({"logp": [-0.5, 0.1]}, "positive_logp", "logp", (1,)),
    ({"mask": [1, 0.5]}, "mask_not_binary", "mask", (1,)),
    ({"mask": [[1, 1], [0, 0]]}, "nothing_valid", "mask", (1,)),
    ({"rewards": []}, "empty", "rewards", ()),
    ({"rewards": [[]]}, "empty", "rewards", (0,)),
    ({"rewards": [0] * (LONGEST + 1)}, "too_long", "rewards", ()),
    ({"rewards": [[0]] * (WIDEST + 1)}, "too_long", "rewards", ()),
    ({"rewards": [10**400]}, "too_large", "rewards", (0,)),
    ({"values": [2 * LARGEST]}, "too_large", "values", (0,)),
    ({"rewards": ["1"]}, "not_a_number", "rewards", (0,)),
    ({"rewards": [None]}, "not_a_number", "rewards", (0,)),
    ({"rewards": [True]}, "not_a_number", "rewards", (0,)),
    ({"rewards": [[1], 2]}, "not_a_list", "rewards", (1,)),
    ({"rewards": [1, [2]]}, "not_a_number", "rewards", (1,)),
    ({"rewards": "0,0,1"}, "not_a_list", "rewards", ()),
    ({"rewards": {"a": 1}}, "not_a_list", "rewards", ()),
    ({"kl": "k9"}, "unknown_kl", "kl", ()),
    ({"tokens": "abc"}, "wrong_type", "tokens", ()),
    ({"tokens": [1]}, "wrong_type", "tokens", ()),
    ({"prompt": 3}, "wrong_type", "prompt", ()),
    ({"reward": [1]}, "unknown_field", "reward", ()),
]


@pytest.mark.parametrize(("given", "code", "field", "position"), REFUSED, ids=[f"{r[1]}-{r[2]}" for r in REFUSED])
def test_what_is_wrong_is_named(given, code, field, position):
    with pytest.raises(EngineError) as refused:
        scenario(given)
    assert refused.value.code == code
    assert refused.value.details["field"] == field
    assert tuple(refused.value.details["position"]) == position


@pytest.mark.parametrize("nothing", [None, [], "x", 3])
def test_a_scenario_is_an_object(nothing):
    with pytest.raises(EngineError, match="not_an_object"):
        scenario(nothing)


junk = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*LISTS, *FRACTIONS, *WIDTHS, "kl", "tokens", "prompt"]), junk, max_size=4))
def test_whatever_comes_is_a_scenario_or_a_named_error(given):
    try:
        found = scenario(given)
    except EngineError as error:
        assert error.code
    else:
        assert all(x <= 0 for name in LOG_PROBABILITIES for x in (getattr(found, name) or ()) if isinstance(x, float))


def test_a_mask_may_be_true_and_false():
    assert scenario({"rewards": [1, 2], "mask": [True, False]}).mask == (1.0, 0.0)
