"""Figures that a message states: computed from what it says, or left to others."""

from __future__ import annotations

import math
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import sequences
from prompts.read import read
from prompts.read.figures import figures
from prompts.read.figures.figure import reckoned
from prompts.tutor import Request, answer
from tests.reading import claims

FILE = Path(claims.__file__).with_name("figures.toml")
CLAIMS = tomllib.loads(FILE.read_text(encoding="utf-8"))["claim"]
LISTS = "r=[0,0,1], V=[0.3,0.4,0.6], γ=1, λ=0.95"
STANDING = {"rewards": [0.0, 0.0, 1.0], "values": [0.3, 0.4, 0.6], "gamma": 1.0, "lam": 0.95}
TENTHS = st.integers(-9, 9).map(lambda k: Fraction(k, 10))
RATES = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(0), Fraction(9, 10)])
RESPONSES = st.integers(2, 4).flatmap(
    lambda n: st.tuples(st.lists(TENTHS, min_size=n, max_size=n), st.lists(TENTHS, min_size=n, max_size=n))
)


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim["text"] for claim in CLAIMS])
def test_a_statement_is_computed_from_what_it_says(claim):
    found = figures(claim["text"], {})
    assert found is not None
    assert found.holds == (claim["verdict"] == "true")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (f"{LISTS}: the second GAE advantage is 0.58", True),
        (f"{LISTS}: the second GAE advantage isn't 0.58", False),
        (f"{LISTS}: the second GAE advantage is not 0.5 but 0.58", True),
        (f"{LISTS}: the deltas add up to 0.7, not 1", True),
        (f"{LISTS}: the deltas add up to 1; is that wrong?", True),
        (f"{LISTS}: A_2 is 0.4", True),  # from 0
        (f"{LISTS}: A_3 is 0.4", True),  # from 1
        (f"{LISTS}: 第一个优势小于 0.5", False),
        (f"{LISTS}: 第一个优势比第三个小", False),
        (f"{LISTS}: the first delta is 0.1 and the last one 0.4", True),
        ("RLOO with rewards [1,0,0]: the first response gets 1", True),
        ("0.13+0.95*0.395=0.505, r_3 = 0, V_3 = 0.47", None),  # of nothing
    ],
)
def test_the_verdict_is_exact(text, holds):
    found = figures(text, {})
    assert (found.holds if found is not None else None) == holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("那第一个优势是 0.8 吗", False),
        ("如果 λ=1，第一个优势是 0.7 吗？", True),
        ("the second δ is negative", False),
        ("the sum of the advantages is 1.631", True),
        ("so is A_1 .58?", True),
        ("the last reward is 2", None),  # a change, perhaps
    ],
)
def test_numbers_that_were_spoken_of_before_decide(text, holds):
    found = figures(text, STANDING)
    assert (found.holds if found is not None else None) == holds


def test_subscripts_that_only_fit_from_one_are_said_to():
    found = figures(f"{LISTS}: A_3 is 0.4", {})
    assert found is not None and found.from_one


@pytest.mark.parametrize(
    "text",
    [
        f"{LISTS}: what is the first advantage, 0.5?",
        f"{LISTS}: compute the advantages",
        f"{LISTS}: is A_0 0.5 or 0.6?",
        f"{LISTS}: the first advantage is 0.58 whatever γ is, 0.3",
        f"{LISTS}: the advantage is 0.58",  # which?
        f"{LISTS}: the first advantage of the twin is 0.58",
        "λ=0.95",
        "V_t = 0.4 and the reward is 0.1",
        "logp = -0.5, ref_logp = -0.7, β = 0.1: k1 is 0.2 and the entropy 0.3",
        "",
    ],
)
def test_what_is_half_understood_is_nothing(text):
    assert figures(text, {}) is None


def _row(row):
    return f"[{', '.join(_x(x) for x in row)}]"


def _x(x):
    return f"{float(x):.6f}".rstrip("0").rstrip(".")


@settings(max_examples=60, deadline=None)
@given(RESPONSES, RATES, RATES, st.booleans(), st.integers(0, 3))
def test_lists_that_follow_hold_and_one_wrong_number_does_not(response, gamma, lam, chinese, at):
    rewards, values = response
    advantages = sequences.gae_advantages(sequences.deltas(rewards, values, gamma), gamma, lam)
    wrong = [x + (k == at % len(advantages)) for k, x in enumerate(advantages)]
    for row, holds in ((advantages, True), (wrong, False)):
        told = (
            f"r={_row(rewards)}，V={_row(values)}，γ={_x(gamma)}，λ={_x(lam)}，优势是 {_row(row)}。"
            if chinese
            else f"rewards {_row(rewards)}, values {_row(values)}; at gamma {_x(gamma)} and lambda {_x(lam)} "
            f"the advantages are {_row(row)}."
        )
        found = figures(told, {})
        assert found is not None
        assert found.holds == holds


@settings(max_examples=60, deadline=None)
@given(RESPONSES, RATES, st.integers(0, 3))
def test_two_lambdas_of_one_sentence_are_read_apart(response, gamma, at):
    rewards, values = response
    deltas = sequences.deltas(rewards, values, gamma)
    t = at % len(deltas)
    zero, one = (sequences.gae_advantages(deltas, gamma, Fraction(lam))[t] for lam in (0, 1))
    told = f"r={_row(rewards)}，V={_row(values)}，γ={_x(gamma)}：λ=0 时 A_{t}={_x(zero)}，λ=1 时 A_{t}="
    right, wrong = figures(told + _x(one), {}), figures(told + _x(one + Fraction(1, 2)), {})
    assert right is not None and right.holds
    assert wrong is None or not wrong.holds


@settings(max_examples=60, deadline=None)
@given(st.integers(-30, -1), st.integers(-30, -1), st.integers(1, 30))
def test_a_number_of_one_token_holds_where_it_is_what_the_formula_gives(new, old, adv):
    ratio = math.exp((new - old) / 10)
    told = f"old log prob = {old / 10}, new log prob = {new / 10}, A = {adv / 10}: the ratio is"
    told += " {:.4f} and the surrogate is {:.4f}"
    right = figures(told.format(ratio, ratio * adv / 10), {})
    wrong = figures(told.format(ratio, ratio * adv / 10 + 1), {})
    assert right is not None and wrong is not None
    assert (right.holds, wrong.holds) == (True, False)


@pytest.mark.parametrize("written", ["0.2 + 0.5×0.2", "1/3", "0.9^5", "-0.1 + 0.45", "10%"])
def test_arithmetic_is_exact(written):
    plain = written.replace("×", "*").replace("^", "**").replace("%", "/100")
    assert float(reckoned(written)) == pytest.approx(eval(plain, {}))  # noqa: S307


@pytest.mark.parametrize("written", ["9^9^9^9", "1/0", "0^-1", "2**", "9999^2000"])
def test_what_has_no_value_or_no_end_is_none(written):
    assert reckoned(written) is None


def test_the_page_opens_with_the_computed_number():
    found = answer(Request((f"{LISTS}: the second advantage is 0.5",)))
    assert found.verdict == "false" and "0.58" in found.markdown
    question = read([f"{LISTS}: the second advantage is 0.5"])
    assert question.worded is not None and question.judged is not None
