"""Equations said in words: quantities by their names, put together in words, equated, denied, under conditions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.equalities import settle
from prompts.read.equated.cutting import cut
from prompts.read.equated.reading import equated
from prompts.read.equated.templates import expanded
from prompts.read.relation import relation
from prompts.tutor import Request, answer

OPPOSITE = {"true": "false", "false": "true", "depends": "depends"}
# A statement, its mirror image, and the verdict on the statement.
MIRRORED = [
    (
        "Monte Carlo returns minus values gives exactly the GAE numbers no matter which λ you pick.",
        "Monte Carlo returns minus values doesn't always give the GAE numbers.",
        "false",
    ),
    (
        "在最后一个 token 上，不管 λ 取多少，GAE 与回报减价值都一样。",
        "在最后一个 token 上，GAE 与回报减价值不一样。",
        "true",
    ),
    (
        "Is it not so that Monte Carlo return minus value is exactly what GAE gives at λ=1?",
        "At λ=1 GAE differs from Monte Carlo return minus value.",
        "true",
    ),
    ("MC 优势和 GAE 优势算出来的数是一样的", "MC 优势和 GAE 优势算出来的数不一样", "depends"),
    (
        "把 rewards 从后往前按 γ 累加得到 G，再逐个减去 values，得到的正是 λ=1 的 GAE 优势。",
        "把 rewards 从后往前按 γ 累加得到 G，再逐个减去 values，得不到 λ=1 的 GAE 优势。",
        "true",
    ),
    (
        "verl 里的 returns（= advantages + values）就是 Monte Carlo 回报",
        "verl 里的 returns（= advantages + values）不是 Monte Carlo 回报",
        "depends",
    ),
    (
        "G_t 就是从第 t 个 token 起把后面的奖励不打折地直接加起来",
        "G_t 不是从第 t 个 token 起把后面的奖励不打折地直接加起来",
        "depends",
    ),
    (
        "γ 我还没定，直接把所有 δ 不打折加起来，会等于 G_0−V_0",
        "γ 我还没定，直接把所有 δ 不打折加起来，不等于 G_0−V_0",
        "depends",
    ),
    ("优势函数的定义是 A(s,a) = Q(s,a) − V(s)。", "优势函数的定义不是 A(s,a) = Q(s,a) − V(s)。", "true"),
    ("advantage 的定义就是 Q(s,a) 减掉即时奖励 r", "advantage 的定义不是 Q(s,a) 减掉即时奖励 r", "false"),
    (
        "critic 拟合的目标是 returns，也就是没有白化过的 advantages 加上 values",
        "critic 拟合的目标不是没有白化过的 advantages 加上 values",
        "true",
    ),
    (
        "Subtracting the values from the returns recovers the advantages.",
        "Subtracting the values from the returns doesn't recover the advantages.",
        "true",
    ),
    ("从 returns 里减去 values 就得到未白化的优势", "从 returns 里减去 values 得不到未白化的优势", "true"),
    ("returns 减 values 是白化后的优势", "returns 减 values 不是白化后的优势", "false"),
    (
        "Taking the values off the returns gives the rewards.",
        "Taking the values off the returns doesn't give the rewards.",
        "false",
    ),
    ("优势加上价值就是 critic 的目标", "优势加上价值不是 critic 的目标", "true"),
    (
        "The critic's target is the advantage plus the next value.",
        "The critic's target isn't the advantage plus the next value.",
        "false",
    ),
    ("GAE(1) 加 V 就是 G_t", "GAE(1) 加 V 不是 G_t", "true"),
    ("returns != values when λ = 0.5", "returns = values when λ = 0.5", "true"),
    (
        "my notes say delta_t = r_t + gamma*V_t - V_{t+1}. is that page right?",
        "my notes say delta_t = r_t + gamma*V_{t+1} - V_t. is that page right?",
        "false",
    ),
    (
        "δ_t 的定义是 r_t + γV_{t+1} − V_t，最后一个 token 上 V_{t+1} 取 0",
        "δ_t 的定义是 r_t + γV_t − V_{t+1}，最后一个 token 上 V_{t+1} 取 0",
        "true",
    ),
    (
        "By definition the advantage of token t is its reward minus the average reward over the response",
        "The advantage isn't the reward minus the average reward over the response",
        "false",
    ),
    ("R_t − V_t isn't the Monte Carlo advantage unless λ=1", "R_t − V_t isn't the raw advantage unless λ=1", "true"),
    ("λ=0 gives δ", "λ=0 doesn't give δ", "true"),
    ("λ=0 就是蒙特卡洛", "λ=0 不是蒙特卡洛", "false"),
    ("λ=1 is Monte Carlo", "λ=1 isn't Monte Carlo", "true"),
    ("把 λ 设成 1，GAE 退化成蒙特卡洛优势", "把 λ 设成 1，GAE 不等于蒙特卡洛优势", "true"),
    ("GAE(0) 等于一步 TD 误差", "GAE(0) 不等于一步 TD 误差", "true"),
    (
        "At λ = 0 the critic is fitted to the one-step TD target.",
        "At λ = 0 the critic is fitted to the Monte Carlo return.",
        "true",
    ),
    ("λ=0 时 critic 学的是蒙特卡洛回报", "λ=0 时 critic 学的是一步 TD 目标", "false"),
    ("With λ = 1 the returns equal the reward-to-go.", "With λ = 1 the returns differ from the reward-to-go.", "true"),
    ("λ=0.9 的 returns 就是真实回报", "λ=0.9 的 returns 不是真实回报", "false"),
    ("R_t is guaranteed to equal G_t", "R_t isn't always equal to G_t", "false"),
    ("returns 必然等于蒙特卡洛回报", "returns 不一定等于蒙特卡洛回报", "false"),
    ("GAE and return minus value are the same number whatever λ is.", "λ=0.5 时 GAE 不等于 G−V", "false"),
    ("无论 λ 多少，首个 token 的优势都是 G_0 − V_0", "λ=0.9 时首个优势不是 G_0−V_0", "false"),
    ("The last advantage is the last delta.", "The last advantage isn't the last delta.", "true"),
    ("最后一个优势就是最后一个 δ", "最后一个优势不是最后一个 δ", "true"),
    ("末位的优势等于末位奖励减末位价值", "末位的优势不等于末位奖励减末位价值", "true"),
    ("The last return is the last reward.", "The last return differs from the last reward.", "true"),
    ("the last advantage is the last reward", "the last advantage isn't the last reward", "false"),
    (
        "Adding up the advantages gives G_0 − V_0 at λ = 0.9.",
        "Adding up the advantages doesn't give G_0 − V_0 at λ = 0.9.",
        "false",
    ),
    ("γ=1、λ=0 时优势之和等于 G_0−V_0", "γ=1、λ=0 时优势之和不等于 G_0−V_0", "true"),
    (
        "The deltas and the advantages have the same sum at λ = 0.",
        "The deltas and the advantages differ at λ = 0.",
        "true",
    ),
    ("把 δ 按 γ 加权求和就是 G−V", "把 δ 按 γ 加权求和不是 G−V", "true"),
    ("The discounted sum of the deltas is G_0 − V_0.", "The discounted sum of the deltas isn't G_0 − V_0.", "true"),
    ("δ 的折扣和是 G−V", "δ 的折扣和不是 G−V", "true"),
    ("The discounted sum of the deltas is V − G.", "The discounted sum of the deltas is G − V.", "false"),
    ("At γ=0 the return is the reward.", "At γ=0 the return isn't the reward.", "true"),
    ("γ=0 时 MC 优势就是奖励减价值", "γ=0 时 MC 优势不是奖励减价值", "true"),
    (
        "The reward plus γ times G_{t+1} is G_t.",
        "The reward plus γ times G_{t+1} isn't G_t.",
        "true",
    ),
    ("TD 误差就是奖励加打折的下一个价值再减去价值", "TD 误差不是奖励加打折的下一个价值再减去价值", "true"),
    (
        "The TD error is the reward plus the discounted next value minus the value.",
        "The TD error is the value minus the reward.",
        "true",
    ),
    (
        "The Monte Carlo advantage is the reward less the value.",
        "The Monte Carlo advantage isn't the reward less the value.",
        "false",
    ),
    ("MC 优势是 reward-to-go 减 V", "MC 优势不是 reward-to-go 减 V", "true"),
    ("The MC advantage is the reward-to-go.", "The MC advantage isn't the reward-to-go.", "false"),
    ("Advantage means Q less V", "The advantage is V less Q", "true"),
    ("优势是动作价值减去状态价值", "优势是状态价值减去动作价值", "true"),
    ("优势就是 Q 加 V", "优势不是 Q 加 V", "false"),
    ("GAE 优势就是 δ 的 γλ 衰减和", "GAE 优势不是 δ 的 γλ 衰减和", "true"),
    ("rewards 是 scores 减去 KL 惩罚", "rewards 不是 scores 减去 KL 惩罚", "true"),
    ("The reward is the score plus the KL penalty.", "The reward is the score minus the KL penalty.", "false"),
    ("λ=0.95 时 V_t + A_t 等于 reward-to-go", "λ=0.95 时 V_t + A_t 不等于 reward-to-go", "false"),
    ("A_t and δ_t are the same at λ = 0", "A_t and δ_t are different at λ = 0", "true"),
    ("GAE 和 TD 误差永远相等", "GAE 和 TD 误差不总是相等", "false"),
    ("G−V 和 GAE 在 λ=1 时重合", "G−V 和 GAE 在 λ=1 时不一样", "true"),
    (
        "With a single token the advantage is the reward minus the value.",
        "With a single token the advantage differs from the reward minus the value.",
        "true",
    ),
    ("优势不是奖励减价值，而是回报 R_t 减价值", "优势不是回报 R_t 减价值，而是奖励减价值", "true"),
]
NOT_READ = [
    "The advantage is an estimate of Q minus V.",  # what is an estimate is not equal
    "δ 不只是奖励减价值",
    "returns are made of advantages and values",
    "A_t = 0 means R_t = V_t",
    "the deltas are the advantages of the weather",
    "回报减价值就是优势吗",  # of which return?
    "优势来自 returns 减 values",
    "G−V is the last δ.",
    "R_t − V_t gives A unless λ is one",
    "The reward-to-go is the sum of the remaining rewards",  # discounted, perhaps
    "优势之和等于得分",
    "The next value isn't in the TD error",
    "GAE 累加的是 δ，不是奖励",
    "A=δ at λ = 0 only, not at γ = 0",
    "",
]
QUANTITIES = [
    "the advantage",
    "GAE",
    "the reward",
    "the TD error",
    "δ_t",
    "returns",
    "the Monte Carlo return",
    "values",
]


@pytest.mark.parametrize(("statement", "mirror", "verdict"), MIRRORED)
def test_a_statement_and_its_mirror_image(statement, mirror, verdict):
    assert answer(Request((statement,))).verdict in (verdict, None)
    assert answer(Request((mirror,))).verdict in (OPPOSITE[verdict], None)
    assert relation(statement) is not None


@pytest.mark.parametrize("message", NOT_READ)
def test_what_is_left_to_others(message):
    assert equated(message) is None


@given(
    st.sampled_from(QUANTITIES), st.sampled_from(QUANTITIES), st.sampled_from(["equals", "is", "gives", "就是", "等于"])
)
def test_both_ways_round_is_one_equation(left, right, equates):
    one, other = equated(f"{left} {equates} {right}"), equated(f"{right} {equates} {left}")
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert settle(one.equality) == settle(other.equality)


@given(st.sampled_from(QUANTITIES), st.sampled_from(QUANTITIES))
def test_denying_turns_nothing_but_the_denial(left, right):
    one, other = equated(f"{left} equals {right}"), equated(f"{left} doesn't equal {right}")
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.equality == other.equality
        assert (one.denied, other.denied) == (False, True)


@pytest.mark.parametrize("tail", ["，跟 critic 没关系", " because the critic learns it"])
def test_what_begins_true_may_go_on_wrongly(tail):
    assert relation("The MC advantage equals the reward-to-go minus the value" + tail) is None


@given(st.sampled_from(QUANTITIES), st.sampled_from(QUANTITIES), st.text("xyz qj帽", min_size=2, max_size=6))
def test_a_word_that_is_not_known_ends_the_reading(left, right, word):
    if word.strip():
        assert equated(f"{left} equals {right} {word.strip()}q") is None


@given(st.text(max_size=120))
def test_any_text_is_read_or_left(text):
    equated(text)
    pieces = cut(text)
    assert pieces is None or all(piece.noun or piece.word for piece in pieces)


def test_templates():
    assert expanded(r"a(b|c|)d?") == {"ab", "abd", "ac", "acd", "a", "ad"}
    assert expanded(r"\(x\)[yz]") == {"(x)y", "(x)z"}


def test_a_capital_rate_is_a_rate():
    assert relation("Λ=0 时 A_t = δ_t") is not None
