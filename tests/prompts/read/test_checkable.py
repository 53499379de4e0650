"""What can be computed again without a page of numbers: shares, sums, one token, whitened lists, what a column is."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import quantities
from engine.scenario import scenario
from prompts.read.checkable import checkable, says_wrong
from prompts.read.relation import relation
from prompts.read.sums import sums
from prompts.tutor import Request, answer

FOUR: dict[str, Any] = {"rewards": [0.1, 0, -0.2, 1], "values": [0.2, 0.5, 0.4, 0.7], "gamma": 1, "lam": 0.9}
FACTS = dict(quantities.facts("gae", scenario(FOUR)).numbers)
MC = dict(quantities.facts("mc", scenario(FOUR)).numbers)["mc_returns"]
KL = {"logp": [-0.5, -0.2, -0.9], "ref_logp": [-0.7, -0.6, -1.0]}


def verdict(*messages: str, beside: Any = None) -> str | None:
    found = answer(Request(messages, scenario=beside))
    assert found.error is None, (messages, found.error)
    return found.verdict


def printed(row: list[float]) -> str:
    return f"[{', '.join(f'{x:.3f}' for x in row)}]"


# ---------------------------------------------------------------- shares


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("token 0 gets 72.9% of the last reward", "true"),
        ("token 1 receives 72.9 % of the final reward", "true"),  # from one: that makes it right
        ("the second token gets 81% of the last reward", "true"),
        ("the first token holds 90% of the final reward", "false"),
        ("token 0 has 73% and token 1 81% of the final reward", "true"),
        ("token 1 holds 70% of all future rewards, token 4 directly 40% of the last reward", "false"),
        ("第 3 个 token 拿到最后奖励的 90%", "true"),
        ("最后一个 token 分到全部奖励的 70%", "false"),
        ("the final reward enters A_0 with weight .729", "true"),
        ("最后的奖励在 A_1 里的权重是 0.9", "false"),
        ("the weight of δ_3 in A_1 is .81", "true"),
        ("δ_2 在 A_0 里的系数是 0.9", "false"),
    ],
)
def test_the_share_of_a_token_is_a_weight(message, due):
    assert verdict(message, beside=FOUR) == due


@pytest.mark.parametrize(
    "message",
    [
        "A_3 = .27 means that token 3 got 90% of the reward",
        "token 5's +.31 is 95% of the last reward",
        "优势 0.42 说明 token 2 拿到了最后奖励的 81%",
    ],
)
def test_an_advantage_is_no_share(message):
    found = answer(Request((message,)))
    assert found.verdict == "false"
    assert len(found.mistakes) == 1
    assert f"{found.mistakes[0]['correct']:.2f}" in found.markdown


def test_a_share_is_asked_of_what_was_spoken_of():
    setup = "r=[0.1,0,-0.2,1], V=[.2,.5,.4,.7], γ=1, λ=.9. how much of the last reward does the third token get?"
    assert verdict(setup, "does it get 90 %?") == "true"
    assert verdict(setup, "does it get 77 %?") == "false"


def test_the_weights_are_the_powers_of_gamma_lambda():
    chance = random.Random(3)
    for _ in range(6):
        length, lam = chance.randint(2, 9), chance.randint(50, 99) / 100
        t = chance.randrange(length)
        beside = {"rewards": [0.0] * length, "values": [0.1] * length, "gamma": 1, "lam": lam}
        weight = 100 * lam ** (length - 1 - t)
        right, wrong = (
            f"token {t} gets {weight + off:.1f}% of the last reward, token 0 {100 * lam ** (length - 1):.1f}%"
            for off in (0, -7)
        )
        assert verdict(right, beside=beside) == "true", right
        assert verdict(wrong, beside=beside) == "false", wrong


# ---------------------------------------------------------------- sums


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("An equal split gives each of 8 tokens +.13.", "true"),
        ("splitting a reward of .9 equally over 4 tokens gives .3 each", "false"),
        ("把 1 分平分给 5 个 token，每个 0.2", "true"),
        ("把奖励平均分给 5 个 token，每个 30%", "false"),
        (".25+.25+.5 adds up to the reward 1.", "true"),
        ("the shares .2, .3 and .4 add up to 1", "false"),
        ("0.5、0.3、0.2 加起来是 1", "true"),
        ("the mean of the six terms = 1.8/6 = 0.3", "true"),
        ("average of the terms = .52/4 = .12", "false"),
        ("5 prompt ids + 7 response ids = input_ids of 12", "true"),
        ("提示 5 个 token 加回复 7 个 token 一共 13 个 token", "false"),
        ("ratio = exp(-0.9 - (-1.2)) = 1.350", "true"),
        ("0.9^4 = 0.729", "false"),
        (".3 is 40% of .75", "true"),
        ("'4 tokens: [a, b, c]', a_4 = c", "false"),
        ("3 个 token：[我, 爱, 你]", "true"),
    ],
)
def test_a_message_that_does_its_own_arithmetic(message, due):
    assert verdict(message) == due


def test_the_computed_number_stands_beside_the_stated_one():
    found = answer(Request(("average of the terms = .52/4 = .12",)))
    assert [(m["stated"], m["correct"], m["cause"]) for m in found.mistakes] == [(0.12, 0.13, "arithmetic")]
    assert "`.52 / 4`" in found.markdown
    assert "0.13" in found.markdown
    counted = answer(Request(("'4 tokens: [a, b, c]'",)))
    assert [(m["where"], m["correct"], m["cause"]) for m in counted.mistakes] == [("T", 3, "count")]


def test_sums_that_are_right_at_the_digits_shown_are_right():
    chance = random.Random(11)
    for _ in range(60):
        a, b, c = (chance.randint(1, 99) / 100 for _ in range(3))
        value = a + b * c
        for off, right in ((0.0, True), (0.01, False)):
            (one,) = sums(f"A = {a} + {b}*{c} = {value + off:.4f}")
            assert (abs(float(one.claim.correct) - one.claim.stated) <= one.claim.tolerance) is right


@pytest.mark.parametrize(
    "message",
    [
        "γ=1, λ=0.95",
        "V_1 + .3 = .7",
        "0/1 rewards at γ=1 make V a chance of success",
        "(1−λ)Σλ^{n−1} + λ^{N−1} = 1",
        "1/(1-gamma) = 100 steps",
        "x^2 - 5x + 6 = 0",
        "advantages.sum() == G[0] - V[0]",
        "V=[.1,.2] + A=[.3,.4] = [.4,.6]",
    ],
)
def test_what_is_no_sum(message):
    assert sums(message) == ()


@pytest.mark.parametrize(
    "message", ["1 − 1 = 0, so no advantage is left at λ = 1", "1/(1-.95)=20，所以只看 20 步", "17 * 23 = 391"]
)
def test_a_right_sum_does_not_carry_what_is_concluded_from_it(message):
    assert checkable((message,), None, {}) is None


# ---------------------------------------------------------------- numbers of tokens that are worked with


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("δ_2 + δ_3 = .4", "true"),
        ("δ_1 + δ_2 = .9", "false"),
        ("δ_2 + γλ·A_3 = .37", "true"),
        ("A_3 = delta_3 = .3 leaves out nothing", "true"),
        ("A_0 = delta_0 = .4 misses -.1 = delta_1", "true"),
        ("A_0 = delta_0 = .4 misses .2 = delta_1", "false"),
        ("(γλ)^3 = .729", "true"),
        ("γλ = .8", "false"),
        ("the rewards add up to .9", "true"),
        ("价值的平均是 0.45", "true"),
        ("the largest value is .6", "false"),
    ],
)
def test_numbers_of_tokens_are_worked_with(message, due):
    assert verdict(message, beside=FOUR) == due


# ---------------------------------------------------------------- one token


@pytest.mark.parametrize(
    ("message", "due", "correct"),
    [
        ("one row says V=0.4, raw A=0.5, return=0.7. is that consistent?", "false", 0.9),
        ("这一行 V=0.2，A=0.5，returns=0.7，对得上吗", "true", None),
        ("最后一个 token 的 score=1，β=0.2，k1=−0.3，同事写 reward=0.94，他算得对吗", "false", 1.06),
        ("score 0.5, beta 0.1, k1 0.2, so the reward is 0.48", "true", None),
        ("The last delta is only .3 because the critic already expected .7.", "true", None),
        ("最后一步的 δ 只有 0.3，因为 critic 已经预期 0.6", "false", 0.4),
        ("for the last token r = 0.8 and V = .6, so delta = .2", "true", None),
        ("r_t=0, V_t=.3, V_{t+1}=.6, γ=.5 so δ_t=.3", "false", 0.0),
        ("logp=-0.5, ref_logp=-0.9, so k1 = -0.4", "false", 0.4),
        ("with γ=1 I have G_0 − V_0 = 0.3 but Σδ = 0.4, can both be right?", "false", 0.3),
    ],
)
def test_numbers_of_one_token(message, due, correct):
    found = answer(Request((message,)))
    assert (found.error, found.verdict) == (None, due)
    assert [m["correct"] for m in found.mistakes] == ([] if correct is None else [pytest.approx(correct)])


# ---------------------------------------------------------------- lists


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("whitened [1,3,8] = [-.83,-.28,1.11]", "true"),
        ("whitened [1,3,8] = [-1.02,-.34,1.36]", "false"),
        ("Both [1,3,8] and [2,6,16] whiten to [-.83,-.28,1.11]", "true"),
        ("Both [1,3,8] and [2,4,16] whiten to [-.83,-.28,1.11]", "false"),
        ("[1,3,8] 和 [2,4,16] 白化后都是 [-.83,-.28,1.11]", "false"),
    ],
)
def test_whitened_lists_beside_names_that_mean_nothing_here(message, due):
    assert verdict(message, beside={"first": [1, 3, 8], "population_variant": [-1.02, -0.34, 1.36]}) == due


def test_the_population_is_named():
    found = answer(Request(("whitened [1,3,8] = [-1.02,-.34,1.36]",), scenario={"population_variant": [-1, 0, 1]}))
    assert {m["cause"] for m in found.mistakes} == {"whiten_population"}


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("my whitened advantages average 0.2 over the valid tokens, so something must be wrong, right?", "true"),
        ("白化后的优势均值是 0.15", "false"),
        ("the advantages returned by compute_gae_advantage_return have mean .05", "false"),
        ("the whitened advantages have a standard deviation of 1.0", "true"),
    ],
)
def test_whitened_numbers_have_mean_zero_and_deviation_one(message, due):
    assert verdict(message) == due


@pytest.mark.parametrize(
    "message",
    [
        "白化把均值移到 0",
        "The raw advantages have mean 0.3, whitening takes it away",
        "批均值 0.5 时，0.2 的优势白化后为负",
    ],
)
def test_what_whitening_does_is_no_measurement(message):
    assert checkable((message,), None, {}) is None


@pytest.mark.parametrize(
    ("message", "beside", "due"),
    [
        ("all sampled KL positive", KL, "true"),
        ("采样的 KL 全部为负", KL, "false"),
        ("old and ref log-probs pasted: all KL samples positive", {"k1": [0.1, 0.2]}, "true"),
        ("every advantage is positive", FOUR, "true"),
        ("所有 δ 都是正的", FOUR, "false"),
        ("all values are below .6", FOUR, "false"),
    ],
)
def test_what_is_said_of_all_of_a_list(message, beside, due):
    assert verdict(message, beside=beside) == due


# ---------------------------------------------------------------- which return


def test_a_column_is_the_return_that_it_is():
    target, sampled = FACTS["returns"], MC
    for row, due in ((target, "false"), (sampled, "true")):
        ends = f"{row[0]:.3f} .. {row[-1]:.3f}"
        assert verdict(f"V + A is 'the actual cumulative return' (column {ends})", beside=FOUR) == due
        assert verdict(f"{printed(row)} are the true discounted returns", beside=FOUR) == due
        assert verdict(f"回报 {printed(row)} 就是实际拿到的累计奖励", beside=FOUR) == due


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("R_t is defined as sum gamma^k r_{t+k} and also as V_t + A_t", "false"),
        ("R_t = V_t + A_t is the Monte Carlo return", "false"),
        ("回报定义为 sum gamma^k r_{t+k}，也等于 V_t + A_t", "false"),
        ("A_0 = sum (gamma*lam)^l delta = 'immediate reward + discounted sum of later rewards'", "false"),
        ("A_t = 当前奖励 + 未来奖励的折扣和", "false"),
        ("A_t = Σ_l (γλ)^l δ_{t+l}", "true"),
        ("A_t = Σ(γλ)^l δ", "true"),
    ],
)
def test_what_a_return_is_said_to_be_is_settled_at_the_learners_rates(message, due):
    assert verdict(message, beside=FOUR) == due


@pytest.mark.parametrize("message", ["A_t = 0 means R_t = V_t", "A_t = 0 时 R_t = V_t"])
def test_two_equations_are_no_chain(message):
    assert relation(message) is None


# ---------------------------------------------------------------- said to be wrong


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("有人写 r=[0,2]、V=[0.5,1.5]、γ=1 时 δ=[1,0.5]，这是算错了吧", "false"),
        ("有人写 r=[0,2]、V=[0.5,1.5]、γ=1 时 δ=[1,0.7]，这是算错了吧", "true"),
        ("r=[0,2], V=[.5,1.5], γ=1: δ=[1,.5] must be wrong, right?", "false"),
        ("r=[0,1,0] with gamma=lam=1, the page gives returns=[1,1,0]. is it ok, whatever the values were?", "true"),
        ("奖励 [0,1,0]，γ=λ=1，回报写成 [1,0,0]，对吗", "false"),
    ],
)
def test_right_numbers_are_not_wrong(message, due):
    assert verdict(message) == due


@pytest.mark.parametrize("message", ["哪里错了", "which one is wrong?", "有没有错？", "are these wrong?", "谁错了"])
def test_asking_what_is_wrong_says_nothing_wrong(message):
    assert not says_wrong(message)


def test_a_number_of_an_earlier_scenario_is_asked_about():
    setup = "r=[0.1,0,-0.2,1], V=[.2,.5,.4,.7], γ=1, λ=.9. compute the advantages"
    assert verdict(setup, "is A_2 .37?") == "true"
    assert verdict(setup, "is A_2 .47?") == "false"


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("the values go from .2 to .7", "true"),
        ("价值从 0.2 到 0.8", "false"),
        ("the values range from .2 to .7", "true"),
        ("优势介于 0.1 到 0.9 之间", "false"),
        ("λ=.5 gives the third token 50% of the last reward", "true"),
        ("the whitened A_3 is -.40", "false"),
    ],
)
def test_ends_of_a_list_and_settings_in_passing(message, due):
    assert verdict(message, beside=FOUR) == due


def test_a_whitened_number_of_one_token_is_found():
    row = dict(quantities.facts("whiten", scenario({"advantages": list(FACTS["advantages"])})).numbers)["whitened"]
    assert verdict(f"the whitened A_0 is {row[0]:.3f}", beside=FOUR) == "true"
    assert verdict(f"A_0 白化后是 {row[0] + 0.1:.3f}", beside=FOUR) == "false"


def test_a_whole_number_is_shown_as_it_was_written():
    found = answer(Request(("5 prompt ids + 7 response ids = 13 ids",)))
    assert "13.0" not in found.markdown
    assert (found.mistakes[0]["stated"], found.mistakes[0]["correct"]) == (13, 12)
