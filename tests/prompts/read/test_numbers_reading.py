"""Messages and what they give: a table by theme, both languages; each row is (message, quantity, params, claimed)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenario import scenario
from prompts.read.numbers import read_numbers, wanted_facts, wanted_quantity

Row = tuple[str, str | None, dict[str, Any], dict[str, Any]]
RV = {"rewards": [0, 0, 2], "values": [0.1, 0.4, 0.7]}

GAE: list[Row] = [
    ("r = [0,0,2], V = [.1 .4 .7], gamma=1, lam .95", "gae", {**RV, "gamma": 1, "lam": 0.95}, {}),
    ("奖励是0,0,2，价值0.1、0.4、0.7，折扣0.99，λ取0.5", "gae", {**RV, "gamma": 0.99, "lam": 0.5}, {}),
    ("the critic said .1 .4 then .7 and the rewards of 0, 0 and 2 came in", "gae", RV, {}),
    ("gae([0,0,2], [.1,.4,.7], gamma=.9, lam=.8)", "gae", {**RV, "gamma": 0.9, "lam": 0.8}, {}),
    ('{"rewards": [0, 0, 2], "values": [0.1, 0.4, 0.7], "lam": 1}', "gae", {**RV, "lam": 1}, {}),
    ("r, V = [0,0,2], [.1,.4,.7]; gamma, lam = 1, .9", "gae", {**RV, "gamma": 1, "lam": 0.9}, {}),
    ("r = [0,0,2]; V = [.1,.4,.7]; γ=λ=1", "gae", {**RV, "gamma": 1, "lam": 1}, {}),
    ("rewards = [0]*2 + [2], values [0.1, 0.4, 0.7]", "gae", RV, {}),
    ("two zeros then 2 as rewards, values .1 .4 .7", "gae", RV, {}),
    ("奖励是两个0然后2，价值 0.1 0.4 0.7", "gae", RV, {}),
    ("values 0.1 0.4 0.7, a final reward of 2: advantages?", "gae", RV, {}),
    ("价值 0.1、0.4、0.7，奖励只有最后 2 分，优势？", "gae", RV, {}),
    ("r_0=0, r_1=0, r_2=2, V(s_0)=.1, V(s_1)=.4, V(s_2)=.7", "gae", RV, {}),
    ("rewrads 0 0 2, vlaues .1 .4 .7", "gae", RV, {}),
    ("r=[0,0,2] V=[.1,.4,.7]，蒙特卡洛优势是多少", "mc", RV, {}),
    ("r=[0,0,2], γ=.5: discounted return?", "reward_to_go", {"rewards": [0, 0, 2], "gamma": 0.5}, {}),
    ("λ=0, 0.5, 1 for r=[0,0,2], V=[.1,.4,.7]", "lambda_sweep", {**RV, "lams": [0, 0.5, 1]}, {}),
    ("n-step weights for r=[0,0,2], V=[.1,.4,.7], lam .5", "nstep_mixture", {**RV, "lam": 0.5}, {}),
    ("rewards are all zero except the last one which is 2, values .1 .4 .7", "gae", RV, {}),
    ("奖励全是0，只有最后一个是2，价值是.1 .4 .7", "gae", RV, {}),
    ("t=0: r=0, V=.1; t=1: r=0, V=.4; t=2: r=2, V=.7", "gae", RV, {}),
    ("   r    V\n0  0.0  0.1\n1  0.0  0.4\n2  2.0  0.7", "gae", RV, {}),
    ("r=[0,0,2] V=[.1,.4,.7] mask=110", "masked_gae", {**RV, "mask": [1, 1, 0]}, {}),
    ("r=[0,0,2] V=[.1,.4,.7] mask=[1,1,0], masked vs unmasked", "padding_leak", {**RV, "mask": [1, 1, 0]}, {}),
]

POLICY: list[Row] = [
    (
        "scores 0 0 1, logp -1 -.5 -.2, ref -1.1 -.4 -.2, β=.1",
        "kl_rewards",
        {"scores": [0, 0, 1], "logp": [-1, -0.5, -0.2], "ref_logp": [-1.1, -0.4, -0.2], "beta": 0.1},
        {},
    ),
    (
        "打分 [0,1]，每个 token 的 KL 为 [0.3,-0.1]，β 取 0.2，用 k2",
        "kl_rewards",
        {"scores": [0, 1], "kl_values": [0.3, -0.1], "beta": 0.2, "kl": "k2"},
        {},
    ),
    ("logp=[-1,-2], ref_logp=[-1.5,-1]", "kl_estimators", {"logp": [-1, -2], "ref_logp": [-1.5, -1]}, {}),
    (
        "old_log_prob=[-1,-2], ref_log_prob=[-1.5,-1], token_level_scores=[0,1], values=[.2,.3], kl_coef=.1",
        "pipeline",
        {"logp": [-1, -2], "ref_logp": [-1.5, -1], "scores": [0, 1], "values": [0.2, 0.3], "beta": 0.1},
        {},
    ),
    (
        "new logp -1 -2, old logp -1.2 -1.9, adv 1 -1: surrogate?",
        "surrogate",
        {"new_logp": [-1, -2], "old_logp": [-1.2, -1.9], "advantages": [1, -1]},
        {},
    ),
    (
        "旧策略的对数概率 [-1,-2]，新策略 [-1.2,-1.9]，优势 [1,-1]，裁剪范围 0.2",
        "clip",
        {"old_logp": [-1, -2], "new_logp": [-1.2, -1.9], "advantages": [1, -1], "eps": 0.2},
        {},
    ),
    (
        "ratio=[1.3, .7], A=[1,-1], clip_ratio_low=.2, clip_ratio_high=.28",
        "clip",
        {"ratio": [1.3, 0.7], "advantages": [1, -1], "eps_low": 0.2, "eps_high": 0.28},
        {},
    ),
    ("ratio 1.5 and A=-1, ε=0.2", "clip", {"ratio": [1.5], "advantages": [-1], "eps": 0.2}, {}),
    (
        "vpreds .5 1.2, old values .6, returns .9 1, cliprange_value .2",
        "value_loss",
        {"vpreds": [0.5, 1.2], "old_values": [0.6, 0.6], "returns": [0.9, 1], "cliprange_value": 0.2},
        {},
    ),
    (
        r"$\pi_{old}=0.5$, $\pi_{new}=0.25$, A=1, ε=.2",
        "clip",
        {"old_logp": [-0.6931472], "new_logp": [-1.3862944], "advantages": [1], "eps": 0.2},
        {},
    ),
    ("whiten these: 0.9, 0.1, 0.3", "whiten", {"advantages": [0.9, 0.1, 0.3]}, {}),
    (
        "masked_whiten([1,2,9], mask=[1,1,0])",
        "whiten",
        {"advantages": [1, 2, 9], "mask": [1, 1, 0]},
        {},
    ),
    ("GRPO for rewards 1 0 0 3", "grpo", {"group_rewards": [1, 0, 0, 3]}, {}),
    ("留一法：同一个问题四个回答得分 1、0、0、3", "rloo", {"group_rewards": [1, 0, 0, 3]}, {}),
    (
        "actor probabilities 0.5 and 0.25, reference probs 0.25 0.5",
        "kl_estimators",
        {"logp": [-0.6931472, -1.3862944], "ref_logp": [-1.3862944, -0.6931472]},
        {},
    ),
]

AUDITS: list[Row] = [
    ("r=[0,0,2] V=[.1,.4,.7] A=[1.9,1.6,1.3], right?", "gae", RV, {"advantages": [1.9, 1.6, 1.3]}),
    ("gae([0,0,2],[.1,.4,.7]) -> [1.9, 1.6, 1.3]", "gae", RV, {"advantages": [1.9, 1.6, 1.3]}),
    ("检查：白化 [1,2,3] 得到 [-1,0,1]", "whiten", {"advantages": [1, 2, 3]}, {"whitened": [-1, 0, 1]}),
    (
        "scores [0,1], kl [.1,.2], β .1, rewards [-.01,.98]: correct?",
        "kl_rewards",
        {"scores": [0, 1], "kl_values": [0.1, 0.2], "beta": 0.1},
        {"rewards": [-0.01, 0.98]},
    ),
    (
        "A=[.8,.5], V=[.4,.6], returns=[1.2,1.1], consistent?",
        "whiten",
        {"advantages": [0.8, 0.5], "values": [0.4, 0.6]},
        {"returns": [1.2, 1.1]},
    ),
    (
        "λ=1 gives [1.9,1.6,1.3], λ=0 gives [.3,.3,1.3] for r=[0,0,2], V=[.1,.4,.7]",
        "lambda_sweep",
        {**RV, "lams": [1, 0]},
        {"sweep": {"1": [1.9, 1.6, 1.3], "0": [0.3, 0.3, 1.3]}},
    ),
    ("RLOO [1,0,1] gives [.5,-1,.5], check", "rloo", {"group_rewards": [1, 0, 1]}, {"advantages": [0.5, -1, 0.5]}),
    ("r=[0,0,2] V=[.1,.4,.7] sum of deltas 1.9", "gae", RV, {"delta_sum": 1.9}),
]


def _same(found: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(_same(found[k], v) for k, v in expected.items())
    return found == expected or bool(found == pytest.approx(expected, abs=1e-6))


@pytest.mark.parametrize(("message", "quantity", "params", "claimed"), GAE + POLICY + AUDITS)
def test_message(message: str, quantity: str | None, params: dict[str, Any], claimed: dict[str, Any]) -> None:
    read = read_numbers(message)
    found = {k: v[0] if v and isinstance(v, list) and isinstance(v[0], list) else v for k, v in read.params.items()}
    assert read.error is None
    assert _same(found, {**found, **params}), found
    assert set(found) <= set(params) | {"gamma", "lam"}, found
    assert _same(read.claimed, claimed), read.claimed
    assert wanted_quantity(message, read) == quantity
    scenario(read.params)  # the door lets it in


NO_DATA = [
    "Does V(0) contain r(0)?",
    "V_0 和 r_0 是同一时刻吗",
    "why is A_t not δ_t",
    "1+1=2",
    "Is 17 * 23 = 391 correct?",
    "what changed in verl 0.9.1",
    "core_algos.py:98 在做什么",
    "explain it to a 12-year-old",
    "当我12岁",
    "I have 3 tokens",
    "what does PPO2 do",
    "at t=3 what is the state",
    "values = values[:, -response_length-1:-1]",
    "why logits[:, -T-1:-1]",
    "δ_t = r_t + γV_{t+1} − V_t",
    "k1 k2 k3 有什么区别",
    "since 2025-01-23",
    "G_0 − V_0",
    "clamp(-10,10) 有必要吗",
    "max_response_length=8192 batch_size=64",
    "γ^{T-1}",
    "see https://example.org/1/2/3",
    "A lecture on 2 topics",
]


@pytest.mark.parametrize("message", NO_DATA)
def test_indices_versions_and_lines_are_no_data(message: str) -> None:
    read = read_numbers(message)
    assert read.params == {}
    assert read.unnamed == []
    assert read.error is None


@pytest.mark.parametrize(
    "message", ["λ=1 is MC?", "γ=1 时 λ 还有用吗", "what do λ = 0 and λ = 1 mean", "is the ratio 1 at first"]
)
def test_parameters_without_lists_are_mentions(message: str) -> None:
    read = read_numbers(message)
    assert read.params
    assert set(read.mentions) == set(read.params)
    assert not read.data


def test_a_parameter_beside_lists_is_no_mention() -> None:
    assert read_numbers("r=[0,1], V=[.2,.3], λ=1").mentions == ()


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("rewards [nan, 1], values [.1, .2]", "not_finite"),
        ("r=[1e400, 0], V=[.1,.2]", "not_finite"),
        ("γ = 10^400, r=[0,1], V=[.1,.2]", "not_finite"),
        ("gamma -0.5, r=[0,1], V=[.1,.2]", "out_of_range"),
        ("λ 取 1.5，奖励 0 1，价值 0.1 0.2", "out_of_range"),
        ("r=[0,1,2], V=[.1,.2]", "length_mismatch"),
        ("logp=[0.3,-1], ref_logp=[-1,-1]", "positive_logp"),
        ("r=[], V=[.1]", "empty"),
        ("p_old=[0, .5], p_new=[.5,.5], A=[1,1]", "not_finite"),
        ("r=[?, 1], V=[.1,.2]", "not_a_number"),
        ("mask=[1,2], r=[0,1], V=[.1,.2]", "mask_not_binary"),
        ("r=[99999999999999999999, 1], V=[1,2]", "too_large"),
    ],
)
def test_the_door_refuses_what_is_passed_on(message: str, code: str) -> None:
    read = read_numbers(message)
    assert read.error is None
    with pytest.raises(ValueError, match=code):
        scenario(read.params)


def test_probabilities_are_noted() -> None:
    assert read_numbers("新策略概率 0.5 0.4，旧策略概率 0.4 0.5，优势 1 1").notes == ("probabilities_converted",)


def test_tokens_are_read() -> None:
    read = read_numbers('tokens = ["是", "，", "对"], r = [0,0,1], V=[.1,.2,.3]')
    assert read.params["tokens"] == ["是", "，", "对"]
    table = read_numbers("| token | r | V |\n|---|---|---|\n| 好 | 0 | .2 |\n| ！ | 1 | .3 |")
    assert table.params["tokens"] == ["好", "！"]


def test_mojibake_is_read() -> None:
    assert read_numbers("Î³=0.9, Î»=0.8, r=[0,1], V=[.2,.3]").params["gamma"] == 0.9


def test_residue_keeps_the_words_and_drops_the_lists() -> None:
    assert read_numbers("why is r=[0,0,1] with λ=1 like that").residue == "why is r=# with λ=1 like that"


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("just the δ please", ("deltas",)),
        ("只要优势", ("advantages",)),
        ("only the clip fraction", ("clipfrac",)),
        ("优势就行", ("advantages",)),
        ("give me everything", ()),
        ("只要 ratio 大于 1，优势就为正", ()),
        ("给我 δ 就够了", ("deltas",)),
        ("算优势只要 values 和 rewards 就够了吗？", ()),
        ("知道 rewards 就可以吗", ()),
    ],
)
def test_what_is_singled_out(message: str, facts: tuple[str, ...]) -> None:
    assert wanted_facts(message) == facts


@pytest.mark.parametrize(
    "message",
    [
        "Before the update the log-probs were [-1,-2], now they are [-0.9,-1.9], advantages [1,-1]",
        "The log-probs were [-1,-2] before the update and are [-0.9,-1.9] now; advantages [1,-1]",
        "logp: [-1,-2] before the update, [-0.9,-1.9] after the update, A=[1,-1], surrogate?",
        "After updating logp is [-0.9,-1.9], before it was [-1,-2]; A=[1,-1]. clip?",
        "更新前 logp 是 [-1,-2]，现在它们是 [-0.9,-1.9]，优势 [1,-1]",
    ],
)
def test_before_and_now_are_the_old_policy_and_the_new(message: str) -> None:
    given = read_numbers(message).params
    assert given["old_logp"] == [-1, -2]
    assert given["new_logp"] == [-0.9, -1.9]


@pytest.mark.parametrize("message", ["now normalize [1,-1,0.5]", "现在白化 [1,-1,0.5]", "now whiten [1, 2, 4]"])
def test_now_may_only_say_when(message: str) -> None:
    assert "new_logp" not in read_numbers(message).params


def test_what_follows_a_supposition_is_not_what_is_supposed() -> None:
    assert read_numbers("λ 取 1 的话是不是就是 0.7 了").params == read_numbers("λ 取 1 的话，是不是就是 0.7 了").params
    assert read_numbers("λ 取 1 的话是不是就是 0.7 了").params["lam"] == 1
