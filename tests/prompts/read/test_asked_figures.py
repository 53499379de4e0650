"""What a token's numbers come to, where it is asked: by the scalar formulas, with the line of working."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import formulas
from prompts.read.figures import figures
from prompts.tutor import Request, answer

TENTHS = st.integers(-30, 30).map(lambda k: Fraction(k, 10))
RATES = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(9, 10)])
WAYS = (
    "r_t = {r}, V_t = {v}, V_{{t+1}} = {w}, γ = {g}，δ_t 是多少？",
    "r={r}, V(s)={v}, V(s')={w}, gamma {g}; what's delta?",
    "r_t={r} V(s_t)={v} V(s_{{t+1}})={w} γ={g} δ_t=?",
    "what is the TD error if r = {r}, V(s_t) = {v}, V(s_t+1) = {w} and γ = {g}?",
    "V_0={v}, V_1={w}, r_0={r}, gamma={g}: δ_0?",
)


@given(r=TENTHS, v=TENTHS, w=TENTHS, g=RATES, way=st.sampled_from(WAYS))
def test_a_delta_is_computed_however_its_states_are_written(r, v, w, g, way):
    found = figures(way.format(r=float(r), v=float(v), w=float(w), g=float(g)), {})
    assert found is not None and found.asks
    assert found.findings[-1].correct == formulas.td_error(r, v, w, g)


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("A_{t+1}=0.4, δ_t=0.1, γ=1, λ=0.95, A_t=?", 0.48),
        ("what is the ratio if old logp is -1.2 and new logp is -1.2?", 1),
        ("ratio=1.5, A=-2, eps=0.2，目标是多少？", -3),
        ("score=1, logp=-0.5, ref_logp=-0.9, beta=0.1, 求 reward", 0.96),
        ("last token: r=1, V=0.6, what's the advantage?", 0.4),
        ("A_3=0.2, V_3=0.5, R_3=?", 0.7),
    ],
)
def test_what_is_asked_follows(message, value):
    found = figures(message, {})
    assert found is not None and found.asks and float(found.findings[-1].correct) == pytest.approx(value)


@pytest.mark.parametrize(
    "message",
    [
        "r=[0,1], V=[0.2,0.5]: what is A_t?",  # lists have a page of their own
        "r_t=0.5, V_t=0.2: what is δ_t?",  # the next value is missing
        "r_t=0.5, V_t=0.2, V_{t+1}=0.3, what is my dog's age?",
    ],
)
def test_what_does_not_follow_is_left_to_others(message):
    assert figures(message, {}) is None


def test_the_working_is_told_step_by_step_and_judges_nothing():
    found = answer(Request(("r_t=0, V_t=0.4, V_{t+1}=0.7, A_{t+1}=0.2, γ=1, λ=0.5，求 A_t",)))
    assert found.verdict is None and found.error is None
    assert r"\(\delta_t = r_t + \gamma V_{t+1} - V_t = 0 + 1 \cdot 0.7 - 0.4 = 0.3\)" in found.markdown
    assert r"\(A_t = \delta_t + \gamma\lambda A_{t+1} = 0.3 + 1 \cdot 0.5 \cdot 0.2 = 0.4\)" in found.markdown
