"""Figures in words: computed from what the sentence says itself, or left to others."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from prompts.read import read
from prompts.read.worded.arithmetic import reckoned
from prompts.read.worded.figure import figures
from prompts.read.worded.reader import worded
from prompts.tutor import Request, answer
from tests.reading import claims

FILE = Path(claims.__file__).with_name("figures.toml")
CLAIMS = tomllib.loads(FILE.read_text(encoding="utf-8"))["claim"]
LISTS = "r=[0,0,1], V=[0.3,0.4,0.6], γ=1, λ=0.95"


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim["text"] for claim in CLAIMS])
def test_a_statement_is_computed_from_what_it_says(claim):
    found = worded(claim["text"], {})
    assert found is not None
    assert found.holds == (claim["verdict"] == "true")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"{LISTS}: the middle token's GAE advantage is 0.58", "true"),
        (f"{LISTS}: the middle token's GAE advantage isn't 0.58", "false"),
        (f"{LISTS}: the middle token's GAE advantage is not 0.5 but 0.58", "true"),
        (f"{LISTS}: the three deltas add up to 1, not 0.7", "false"),
        (f"{LISTS}: the three deltas add up to 1; is that wrong?", "true"),
        (f"{LISTS}: A_2 is 0.4", "true"),  # from 0
        (f"{LISTS}: A_3 is 0.4", "true"),  # from 1
        (f"{LISTS}: the last advantage is above 0.3", "true"),
        (f"{LISTS}: 第一个优势小于 0.5", "false"),
        (f"{LISTS}: the first delta is zero and the last one 0.4", "false"),
        (f"{LISTS}: the first delta is 0.1 and the last one 0.4", "true"),
        ("λ=0.5，只剩 3 步，GAE 对 1、2、3 步优势的权重是 0.5、0.25、0.125", "false"),
        ("λ=0.9，还剩 3 步：权重 0.1、0.09、0.81", "true"),
        ("with lambda=0.5 and 4 tokens left the largest weight is on the 4-step advantage", "false"),
        ("γ=1，λ=0.95，6 个 token，只有最后奖励 1：这份奖励在第一个 token 的 A 里系数是 0.95^6", "false"),
        ("γ=0.99: a reward 100 tokens later counts 0.366", "true"),
        ("A=-1, ratio 0.5, eps .2: the objective is -0.8", "true"),
        ("GRPO 一组奖励 [1,0,0,1]，verl 里 advantage 大约是 ±0.866", "true"),
        ("RLOO with rewards [1,0,0]: the first response gets 2/3", "false"),
        ("10 prompt tokens + 4 response tokens: the slice [-5:-1] picks the 0-based positions 10..13", "false"),
        ("logp −0.5, ref −0.6, β .1, score 0 → reward −0.01", "true"),
        ("奖励 2 在 3 步之后，γ=0.5，现在值 0.25", "true"),
        (f"{LISTS}: 第一个优势比第三个小", "false"),
        ("γ=1、λ=0.95：最后奖励传回 12 个 token 的回答的第一个优势时只剩 0.57 左右", "true"),
        ("the log-prob falls by 0.3, so the ratio is 1.35", "false"),
    ],
)
def test_the_verdict_is_exact(text, verdict):
    found = worded(text, {})
    assert found is not None
    assert found.holds == (verdict == "true")


def test_subscripts_that_only_fit_from_one_are_said_to():
    assert answer(Request((f"{LISTS}: the three deltas, hm, A_3 is 0.4",))).error is None
    found = worded(f"{LISTS}: A_3 is 0.4", {})
    assert found is not None
    assert found.from_one


@pytest.mark.parametrize(
    "text",
    [
        f"{LISTS}: what is the first advantage, 0.5?",
        f"{LISTS}: compute the advantages",
        f"{LISTS}: is A_0 0.5 or 0.6?",
        f"{LISTS}: the first advantage is 0.58 whatever γ is, 0.3",
        "λ=0.95",
        "the advantage is 0.5",
        "λ=0.5 的时候，往后隔 k 步的 δ 的权重是 (γ/2)^k",
        "γ=0.9 和 λ=0.95 哪个大？",
        "the first of 10 tokens has a value of 0.5 and a reward of 0",
        f"{LISTS}: the first advantage is 0.6775, so the first token deserves most of the credit",
        "new_logp=-0.5，old_logp=-0.7，ratio 比 1+ε 大，约为 1.22",
        "r_5=-0.01，A_6=0.39，γ=1，λ=0.95，所以 A_5=-0.01+0.95×0.39≈0.36",  # and no V
        "With γ=1 and λ=0.9 the δ 3 steps ahead has weight 0.729, since 1 - 3·0.1 = 0.7",
        "γ=1，δ_0=0.1，V_0=0.3，A_0=0.5，所以 G_0=0.8",
        "γ=1、λ=0.9：2 步之后的 δ 权重是 0.81，因为每一步少 0.1",
        "log π=-0.8，log π_ref=-0.3，β=0.2：这一步 KL 项给出的是 +0.1 的奖励",
        "If the ratio is larger than 1 with new_logp=-0.5, then old_logp was -0.7",
        "r_5=0, V_5=0.5, V_6=0.6, γ=1: forgetting the bootstrap one gets δ_5 = -0.5",
        "r_5=0, V_5=0.5, V_6=0.6：漏掉 bootstrap 的话 δ_5 就会变成 -0.5",
        "γ=1，δ=[0.1,0.2,0.4]，V_0=0.3，误以为 G_0=0.7",
        "logp=-0.4，ref_logp=-0.6，β=0.1：KL 项不会让奖励变小 0.02",
        "logp=-0.4，ref_logp=-0.6，β=0.1：KL 项让奖励变小，不是变大，幅度 0.02",
        "new_logp=-0.5, old_logp=-0.7, ratio 不大于 1",
        "γ=0.99 over 100 steps leaves about .366, which is why the critic never sees the prompt",
        "λ=0.95，经过 20 步只剩 0.36 左右的优势",
        "Each token pays 0.1, γ=1; whitened, the true V rises",
        "每个 token 固定扣 0.02，γ=1：真实的 V 越往后越小",  # nearer to 0, or below it?
        "",
    ],
)
def test_what_is_not_certain_is_left_to_others(text):
    assert worded(text, {}) is None


@pytest.mark.parametrize(
    ("text", "lesson", "verdict", "told"),
    [
        (f"{LISTS}: the first delta is the largest", "why_not_delta", "false", r"\max(0.1,\ 0.2,\ 0.4) = 0.4"),
        ("λ=0.9，还剩 3 步，2 步优势的权重是 0.1", "gae_mixture", "false", r"0.1 \cdot 0.9^{1} = 0.09"),
        ("γ=0.9: a reward 2 tokens later is worth 0.81 now", "credit_assignment", "true", r"\gamma^{2} = 0.81"),
        ("ε=0.2，ratio=1.5 会被裁到 1.2", "ppo_clip", "true", "= 1.2"),
    ],
)
def test_the_page_opens_with_the_working(text, lesson, verdict, told):
    found = answer(Request((text,)))
    assert (found.error, found.lesson, found.verdict) == (None, lesson, verdict)
    assert told in "".join(found.markdown.split("\n\n")[:4])


def test_a_page_of_numbers_stays_an_audit():
    assert read((f"{LISTS}. The advantages are [0.7, 0.58, 0.4]. Right?",)).lesson == "audit"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1/3", Fraction(1, 3)),
        ("0.95^2", Fraction(361, 400)),
        ("0.3 + 0.4×0.5", Fraction(1, 2)),
        ("13%", Fraction(13, 100)),
        ("1/0", None),
        ("999999999^2000", None),
        ("0^(-1)", None),
        ("2^9999", None),
    ],
)
def test_arithmetic_is_exact_or_nothing(written, value):
    assert reckoned(written) == value


def test_a_sign_belongs_to_the_number_behind_it():
    assert [x.value for x in figures("A_3 = -0.1 + 0.45")] == [Fraction(7, 20)]


@pytest.mark.parametrize(
    ("written", "x", "agrees"),
    [
        ("0.58", 0.58, True),
        ("about 0.6", 0.58, True),
        ("0.6", 0.58, True),  # at the digits shown
        ("0.5", 0.58, False),
        ("1", 0.97, False),
        ("about 1", 0.97, True),
        ("-0.1", -0.15, False),  # nobody rounds towards zero
        ("-0.2", -0.15, True),
        ("1/3", 0.33, False),
        ("about 1/3", 0.33, True),
        ("±0.87", -0.866, True),
        ("> 0.5", 0.58, True),
        ("37%", 0.366, True),
    ],
)
def test_a_figure_agrees_at_the_digits_shown(written, x, agrees):
    assert figures(written)[0].agrees(x) == agrees


def test_what_is_said_of_another_list_is_not_taken_for_the_given_one():
    """The deltas add up to it, and the advantages do not."""
    assert answer(Request(("δ = [0.2, 0.1, 0.4] with γ=λ=1: the token advantages add up to 0.7.",))).verdict != "true"
    assert answer(Request(("δ = [0.2, 0.1, 0.4]: they add up to 0.7.",))).verdict == "true"


def test_a_whole_number_is_no_rounding_of_what_is_far_from_it():
    own = "γ=1, rewards=[0,0,1], values=[0.2,0.5,0.6]"
    assert answer(Request((f"{own}, λ=0.5, returns[0] is 1",))).verdict == "false"
    assert answer(Request((f"{own}, λ=1, returns[0] is 1",))).verdict == "true"


@pytest.mark.parametrize("row", ["1 1 0 0 0", "[1, 1, 0, 0, 0]", "[1 1 0 0 0]"])
def test_a_row_of_numbers_needs_no_brackets(row: str) -> None:
    found = worded(f"GRPO group rewards {row}: the third advantage is -0.73", {})
    assert found is not None and found.holds
