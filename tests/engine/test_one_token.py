"""One token with everything known: V is the mean, δ averages zero."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts import compute
from engine.one_token import OneToken, outlook
from engine.scenario import Scenario

NUMBERS = st.integers(-40, 40).map(lambda n: n / 8)


@given(
    st.tuples(NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(1, 7)
)
def test_the_mean_delta_is_zero_and_without_the_reward_it_is_the_mean_reward(rewards, after, gamma, eighths):
    p = (eighths / 8, 1 - eighths / 8)
    found = compute(outlook(OneToken(p, rewards, after), gamma), Scenario()).exact
    assert found["mean_delta"] == 0
    assert found["mean_delta_without_reward"] == found["mean_reward"]
    mean = sum(share * (r + gamma * v) for share, r, v in zip(p, rewards, after, strict=True))
    assert float(found["value"]) == pytest.approx(mean)
