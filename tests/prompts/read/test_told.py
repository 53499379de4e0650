"""Claims with figures, told clause by clause or number by number: right ones hold, one wrong number does not."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import sequences
from prompts.read.worded.basis import Basis
from prompts.read.worded.reader import worded
from prompts.tutor import Request, answer

TENTHS = st.integers(-9, 9).map(lambda k: Fraction(k, 10))
RATES = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(0), Fraction(9, 10)])
RESPONSES = st.integers(2, 4).flatmap(
    lambda n: st.tuples(st.lists(TENTHS, min_size=n, max_size=n), st.lists(TENTHS, min_size=n, max_size=n))
)


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
        found = worded(told, {})
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
    right, wrong = worded(told + _x(one), {}), worded(told + _x(one + Fraction(1, 2)), {})
    assert right is not None
    assert right.holds
    assert wrong is None or not wrong.holds


@given(RESPONSES, RATES, RATES)
def test_what_follows_is_what_the_engine_computes(response, gamma, lam):
    rewards, values = map(tuple, response)
    basis = Basis({"rewards": rewards, "values": values}, gamma, lam)
    deltas = sequences.deltas(rewards, values, gamma)
    advantages = sequences.gae_advantages(deltas, gamma, lam)
    assert basis.of("deltas") == deltas
    assert basis.of("advantages") == advantages
    assert basis.of("returns") == sequences.critic_targets(advantages, values)
    assert basis.of("excess") == sequences.mc_advantages(sequences.mc_returns(rewards, gamma), values)[:1]
    of_deltas = Basis({"deltas": tuple(deltas)}, None, None, gamma * lam)
    assert of_deltas.of("advantages") == advantages


@settings(max_examples=60, deadline=None)
@given(st.integers(-30, -1), st.integers(-30, -1), st.integers(1, 30))
def test_a_number_of_one_token_holds_where_it_is_what_the_formula_gives(new, old, adv):
    ratio = math.exp((new - old) / 10)
    told = f"old log prob = {old / 10}, new log prob = {new / 10}, A = {adv / 10}: the ratio is"
    told += " {:.4f} and the term is {:.4f}"
    right, wrong = (
        worded(told.format(ratio, ratio * adv / 10), {}),
        worded(told.format(ratio, ratio * adv / 10 + 1), {}),
    )
    assert right is not None
    assert wrong is not None
    assert (right.holds, wrong.holds) == (True, False)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.integers(1, 9), RATES)
def test_the_same_reward_at_every_token_makes_the_value_fall(tokens, tenth, gamma):
    worth = sequences.mc_returns([Fraction(tenth, 10)] * tokens, gamma)
    told = f"每个 token 固定奖励 {tenth / 10}，回答 {tokens} 个 token，γ={_x(gamma)}，"
    told += "真实的 V 从 {} 到最后一个 token 前的 {}"
    right, wrong = (
        worded(told.format(_x(worth[0]), _x(worth[-1])), {}),
        worded(told.format(_x(worth[0] + 1), _x(worth[-1])), {}),
    )
    assert right is not None
    assert wrong is not None
    assert (right.holds, wrong.holds) == (True, False)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("λ=0.5、剩三个 token 时，一、二、三步估计的权重是 0.5、0.25、0.25。", "true"),
        ("r = [0, 0, 1], V = [0.2, 0.4, 0.6], γ = λ = 1: the advantages add up to 1.8 although the response beat V_0 "
         "by 0.8 only.", "true"),
        ("δ = [0.3, 0.1, 0.4] with γ=λ=1: the token advantages add up to 0.8.", "false"),
        ("r=[0,0,3]，V=[1,2,2]，γ=1 时，回报减价值得 [2,1,1]。", "true"),
        ("old log prob = -0.5，new log prob = -0.3，ratio = (-0.3)/(-0.5) = 0.6", "false"),
        ("new_logp − old_logp = 0.1 的时候，ratio 大约是 1.105", "true"),
        ("p_old = 0.2, p_new = 0.3: ratio 1.5", "true"),
        ("λ=0.9、γ=1，最后一步的 δ 传到倒数第三个 token 时系数是 0.81", "true"),
        ("gamma = 0.9 and a single reward of 1 at step t+3, nothing else: G_t = 0.81.", "false"),
        ("一切都是确定的，γ=1，还剩三个奖励 r_t=0.2、r_{t+1}=0.3、r_{t+2}=0.5，那么准确的 V_t = 0.8。", "false"),
        ("A<0, ratio=1.5, eps=0.2: clip kicks in and the gradient of that token vanishes", "false"),
        ("r = [-0.1, 0.5, 1], γ = 1: the second return, 1.5, is larger than the first, 1.4.", "true"),
        ("r=[0,0,0]，V=[0.4,0.6,0.2]，γ=1，三个 δ 里有两个是负的。", "true"),
        ("β 从 0.1 提到 0.2，一个 KL=0.3 的 token 的惩罚从 0.03 变成 0.06。", "true"),
    ],
)  # fmt: skip
def test_the_verdict_is_computed(text, verdict):
    assert answer(Request((text,))).verdict in (verdict, None)


@pytest.mark.parametrize(
    "text",
    [
        "r=[0,1]，V=[0.5,0.5]：优势是 [0.5, 0.5]。为什么？",
        "r=[0,1], V=[0.5], γ=1, λ=1: the advantages are [0.5, 0.5]",
        "ratio 0.5, A = 2, and the reward model has 7 layers",
        "the value falls from 2 to 1",
    ],
)
def test_what_does_not_fit_is_left_to_others(text):
    assert worded(text, {}) is None


OWN = "r=[0,0,1], V=[0.2,0.4,0.3], γ=1, λ=0.95: compute the deltas"


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("so the second delta is negative, right?", "true"),
        ("so the first delta is negative, right?", "false"),
        ("最后一个 δ 是正的吗", "true"),
        ("第一个 δ 是负的，对吧", "false"),
        ("A_0 > A_1, right?", "true"),
        ("A_1 > A_0, right?", "false"),
        ("is the last advantage the largest?", "false"),
    ],
)
def test_one_token_of_earlier_numbers(message: str, verdict: str) -> None:
    found = answer(Request((OWN, message)))
    assert found.verdict in (verdict, None)
    assert found.facts["deltas"] == pytest.approx([0.2, -0.1, 0.7])


def test_what_is_read_is_never_out_of_scope() -> None:
    found = answer(Request((OWN, "A_0 > A_1 always")))
    assert (found.verdict, found.lesson != "out_of_scope") == ("false", True)
