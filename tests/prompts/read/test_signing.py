"""Statements on signs, comparisons and changes are tried on drawn cases; mirrored, their verdicts turn round."""

from __future__ import annotations

import time

import pytest

from engine import cases
from engine.cases import Setting
from engine.signs import settle
from lessons._lesson import LANGUAGES
from prompts.read.relation import relation
from prompts.read.signing import Signed, signed
from prompts.tutor import Request, answer

TURNED = {"true": "false", "false": "true", "depends": "depends"}
MIRRORS = [  # a statement, its opposite, the verdict on the first: never both true
    (
        "A<0 时，ratio 只要超过 1+ε，这个 token 的梯度就变成 0。",
        "A<0 时，ratio 只要低于 1-ε，这个 token 的梯度就变成 0。",
        "false",
    ),
    ("A>0 且 ratio 大于 1+ε 时，梯度为零", "A>0 且 ratio 小于 1-ε 时，梯度为零", "true"),
    (
        "A<0, ratio=1.5, eps=0.2: the gradient of that token vanishes",
        "A<0, ratio=0.5, eps=0.2: the gradient of that token vanishes",
        "false",
    ),
    ("new_logp 比 old_logp 大的 token，ratio 大于 1", "new_logp 比 old_logp 大的 token，ratio 小于 1", "true"),
    ("β 越大，k1 为正的 token 奖励越低", "β 越大，k1 为正的 token 奖励越高", "true"),
    (
        "At a token of negative k1 a larger β raises the reward.",
        "At a token of negative k1 a larger β lowers the reward.",
        "true",
    ),
    ("R_t < V_t exactly when A_t < 0", "R_t < V_t exactly when A_t > 0", "true"),
    ("δ_t 为正时 A_t 也可能为负", "δ_t 为正时 A_t 不可能为负", "true"),
    ("V_{t+1} 变大，δ_t 变大", "V_{t+1} 变大，δ_t 变小", "true"),
    ("Raising V_t lowers A_t.", "Raising V_t raises A_t.", "true"),
    ("A larger r_t raises A_t.", "A larger r_t lowers A_t.", "true"),
    ("奖励都为正时，V 沿回答单调下降", "奖励都为正时，V 沿回答单调上升", "true"),
    (
        "positive rewards: the value falls along the response",
        "positive rewards: the value rises along the response",
        "true",
    ),
    ("后面的 δ 都为正时，λ 越大 A_t 越大", "后面的 δ 都为正时，λ 越大 A_t 越小", "true"),
    ("k2 ≥ 0", "k2 < 0", "true"),
    ("ratio > 0", "ratio < 0", "true"),
    ("λ=0 时，δ_t 为负则 A_t 为负", "λ=0 时，δ_t 为负则 A_t 为正", "true"),
    ("If δ_t is positive at λ=0, A_t is positive.", "If δ_t is positive at λ=0, A_t is negative.", "true"),
    ("ref_logp 变大，r_t 变大", "ref_logp 变大，r_t 变小", "true"),
    ("logp 小于 ref_logp 的 token，奖励高于得分", "logp 小于 ref_logp 的 token，奖励低于得分", "true"),
]
DEPENDS = [
    "用 k1 时，KL 惩罚会让这个 token 的 reward 比 score 低吗？",
    "The k1 KL penalty with β > 0 lowers the reward of a token.",
    "A_t = δ_t + γλA_{t+1}，那 A_t 会比 δ_t 大吗？",
    "Is A_t larger than δ_t?",
    "A_t > δ_t",
    "Whitening flips the sign of a token's advantage.",
    "my token has a positive raw advantage, it stays positive after masked_whiten, right?",
    "vpred 离 old value 超过了 cliprange_value，value loss 对这个 token 的梯度就是 0",
    "vpred moved outside V_old ± cliprange_value, so it gives the critic no gradient anymore, right?",
    "if I push up the probability of a token, does its (unclipped) surrogate term go up?",
    "调大 kl_coef 会降低 r_t 吗",
    "Does raising λ raise A_t?",
    "γ 越小，G_t 越小",
    "ratio 比 1 大吗",
]
FALSE = [
    "概率比等于 1 的时候代理目标的梯度为零。",
    "ratio=1 的时候 surrogate 的梯度是 0",
    "delta_t > 0 just means the reward r_t was positive",
    "δ>0 则优势必然大于零",
    "δ 和 A 永远同号",
    "白化不改变优势的正负号",
    "β 越大，每个 token 的奖励都一定更低",
    "Raising λ always raises A_t.",
    "A_t is never negative.",
    "The KL penalty always lowers a token's reward.",
    "response 固定 10 个 token，每个 token 的奖励都是 −0.01，没有别的奖励，γ=1，那么真实的 V 会越往后越低",
    "pure KL cost, γ=1, no score: V gets more and more negative",
]
TRUE = [
    "sampled per-token log pi - log pi_ref can come out negative even though the true KL is never negative",
    "k1 can be negative",
    "A_t 可能小于 δ_t",
    "δ_t 为正不代表 A_t 为正",
    "A positive δ_t does not guarantee a positive A_t.",
    "Raising λ can lower A_t.",
    "Whitening can flip the sign of an advantage.",
    "ρ_t 不可能为负",
]
NONE = [
    "A_t is larger than the learning rate",
    "A_t > δ_t because the critic is good",
    "最近训练的优势比昨天的大",
    "A_t 和 R_t 都变大了一点，loss 也降了",
    "the gradient norm is larger than 1",
    "mostly A_t is positive",
    "回报低于 V，优势就是负的",  # which return?
    "the longer the answer the higher the score",
    "V_t equals r_t",
    "",
    "大",
]  # fmt: skip


def verdict(message: str) -> str | None:
    return answer(Request((message,))).verdict


@pytest.mark.parametrize(("message", "mirror", "due"), MIRRORS)
def test_a_mirrored_statement_turns_round(message, mirror, due):
    assert (signed(message).verdict, signed(mirror).verdict) == (due, TURNED[due])


@pytest.mark.parametrize(
    ("message", "due"),
    [(text, due) for due, texts in (("depends", DEPENDS), ("false", FALSE), ("true", TRUE)) for text in texts],
)
def test_verdicts(message, due):
    assert verdict(message) in (due, None)


@pytest.mark.parametrize("message", [*DEPENDS, *FALSE, *TRUE])
def test_they_are_read(message):
    assert relation(message) is not None


@pytest.mark.parametrize("message", NONE)
def test_what_is_not_wholly_understood(message):
    assert signed(message) is None


@pytest.mark.parametrize(
    "message", ["A" * 180 + ">", "越大" * 90, "a larger " * 20, "positive " * 20, "的" * 190 + "大"]
)
def test_nonsense_is_left_alone(message):
    started = time.process_time()
    assert signed(message) is None
    assert time.process_time() - started < 60  # it ends


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("message", [DEPENDS[0], FALSE[0], MIRRORS[1][0], MIRRORS[4][0], MIRRORS[11][0]])
def test_the_page_shows_what_was_tried(message, lang):
    page = answer(Request((message,), lang=lang)).markdown.split("\n\n")[1]
    assert "\\gamma" in page and "t = " in page


def test_what_is_tried_holds_as_it_is_supposed():
    found = signed(MIRRORS[4][0])
    assert isinstance(found, Signed)
    tried = settle(found.statement, found.supposed)
    assert tried == found.tried
    assert all(one.holds(*tried.good) for one in (*found.supposed.conditions, found.statement))


@pytest.mark.parametrize(
    ("setting", "holds"),
    [
        (Setting(rewards="positive"), lambda x: min(x["rewards"]) > 0),
        (
            Setting(rewards="negative", critic="exact"),
            lambda x: x["values"] == x["mc_returns"] and max(x["rewards"]) < 0,
        ),
        (Setting(rewards="right", penalty=False), lambda x: x["rewards"][-1] == 1 and not any(x["rewards"][:-1])),
        (Setting(critic="zero"), lambda x: x["advantages"][-1] == x["rewards"][-1]),
        (Setting(estimator="k3"), lambda x: min(x["kl_values"]) >= 0),
    ],
)
def test_cases_are_as_they_are_supposed(setting, holds):
    assert all(holds(case.response.lists) for case in cases.drawn(setting))


def test_only_what_follows_moves():
    case = cases.drawn(Setting())[0]
    moved = case.moved("rewards", 0, 1)
    before, after = case.response.lists, moved.response.lists
    assert after["advantages"][0] == before["advantages"][0] + 1
    assert after["advantages"][1:] == before["advantages"][1:]
    assert after["values"] == before["values"]
