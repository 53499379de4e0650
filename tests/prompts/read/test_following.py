"""The learner's numbers through a conversation: they stay, they are handed over, and what is claimed is about them."""

from __future__ import annotations

from typing import Any

import pytest

from prompts.answer import Answer
from prompts.read.brief import named
from prompts.read.numbers import read_numbers
from prompts.tutor import Request, answer

OWN = "rewards=[0,0,1], values=[0.1,0.3,0.6], gamma=1, lambda=0.5: GAE advantages?"
ZH = "rewards=[0,0,1]，values=[0.1,0.3,0.6]，γ=1，λ=0.5，求 GAE 优势"
KL = "scores=[0,0,1], logp=[-0.3,-0.8,-1.5], ref_logp=[-0.5,-0.6,-1.5], beta=0.1: rewards?"


def _last(*messages: str) -> Answer:
    return answer(Request(messages))


@pytest.mark.parametrize(
    ("message", "lesson"),
    [
        ("let's move on to the sum of the advantages", "advantage_sum"),
        ("now the whitening of these", "whitening"),
        ("接着看白化", "whitening"),
        ("权重加起来是 1 吗", "gae_mixture"),
        ("哦哦，那接下来看看伸缩求和吧", "telescoping"),
        ("what is GAE in general?", "gae_mixture"),
        ("is the sum of the weights 1?", "gae_mixture"),
        ("these returns are what the critic is trained on, right?", "critic_target"),
    ],
)
def test_the_numbers_stay_for_another_lesson(message: str, lesson: str) -> None:
    found = _last(OWN, message)
    assert (found.lesson, found.error) == (lesson, None)
    assert found.params["rewards"] == (0, 0, 1) and found.params["lam"] == 0.5


@pytest.mark.parametrize("message", ["show it on the running example", "用默认的例子讲讲", "with the default numbers?"])
def test_the_running_example_takes_their_place_where_it_is_asked_for(message: str) -> None:
    found = _last(OWN, message)
    assert "rewards" not in found.params or found.params["from"]["rewards"] == "example"


@pytest.mark.parametrize(
    ("messages", "lesson", "params"),
    [
        (("what does the critic fit?", "do it with rewards=[0,1,1], values=[0.2,0.3,0.6]"), "critic_target",
         {"rewards": (0, 1, 1)}),
        (("critic 学的是什么目标", "同样的事，换成 rewards=[0,1,1]，values=[0.2,0.3,0.6]"), "critic_target",
         {"rewards": (0, 1, 1)}),
        (("how does the KL penalty enter the reward?", "do it with rewards=[0,0,1]"), "kl_reward", {}),
        ((KL, "do it with rewards=[0,0,2]"), "kl_reward", {"scores": (0, 0, 2)}),
        ((KL, "同样的事，换成 rewards=[0,1,1]"), "kl_reward", {"scores": (0, 1, 1)}),
        (("explain GRPO to me", "my four answers got 1, 0, 0 and 1. what are the advantages?"), "group_baselines",
         {"group_rewards": (1, 0, 0, 1)}),
    ],
)  # fmt: skip
def test_numbers_that_are_handed_over_are_for_the_lesson(
    messages: tuple[str, ...], lesson: str, params: dict[str, Any]
) -> None:
    found = _last(*messages)
    assert (found.lesson, found.error) == (lesson, None)
    assert {name: found.params[name] for name in params} == params


@pytest.mark.parametrize(
    ("changes", "rewards"),
    [
        (("append a token with reward 2 and value 0.4", "set its reward to 3"), (0, 0, 1, 3)),
        (("append a token with reward 2 and value 0.4", "drop that token again"), (0, 0, 1)),
        (("加一个 token，奖励 2，价值 0.4", "把刚加的 token 去掉"), (0, 0, 1)),
        (("加一个 token，奖励 2，价值 0.4", "刚才那个 token 不要了"), (0, 0, 1)),
        (("make the last reward 5", "ok now go back to the first numbers"), (0, 0, 1)),
        (("make the last reward 5", "改回第一组数"), (0, 0, 1)),
        (("whiten", "undo", "lam 0.7"), (0, 0, 1)),
    ],
)
def test_changes_of_what_was_spoken_of_last(changes: tuple[str, ...], rewards: tuple[float, ...]) -> None:
    assert _last(OWN, *changes).params["rewards"] == rewards


def test_an_estimator_is_named_and_no_more() -> None:
    assert _last(KL, "k2").params["kl"] == "k2"
    assert named("k2") == "kl_reward"


@pytest.mark.parametrize(
    ("messages", "verdict"),
    [
        ((OWN, "so R_t = A_t + V_t here is exactly MC return, right?"), "false"),
        ((OWN, "now lambda = 1", "so R_t = A_t + V_t here is exactly MC return, right?"), "true"),
        ((OWN, "is A_0 equal to G_0 - V_0 with these?"), "false"),
        ((OWN, "do the TD errors sum to G_0 - V_0 here?"), "true"),
        ((ZH, "最后一个 token 的优势最大吗"), "false"),
        ((ZH, "这里的回报 R_t 和蒙特卡洛回报不相等，对吧"), "true"),
        (("λ=1, γ=1", "so the returns are the Monte Carlo returns?"), "true"),
        (("λ=0.9, γ=1", "so the returns are the Monte Carlo returns?"), "false"),
        ((f"{KL} use k3", "is the KL here never below zero?"), "true"),
        ((OWN, "is R_t the Monte Carlo return in general?"), "false"),
        (("are the returns the Monte Carlo returns?",), "depends"),
    ],
)
def test_what_depends_is_decided_on_the_learners_numbers(messages: tuple[str, ...], verdict: str) -> None:
    assert _last(*messages).verdict in (verdict, None)


def test_both_are_said() -> None:
    page = _last(OWN, "do the TD errors sum to G_0 - V_0 here?").markdown
    assert page.index("On your numbers") < page.index("In general")


@pytest.mark.parametrize(
    "messages",
    [
        ("γ=0.9, λ=0.8",),
        (ZH,),
        ("试用数学归纳法证明 TD 误差之和等于回报与价值之差。",),
        ("wat does lamda do in gae",),
        ("pls defin reward return value advantage with subscripts",),
        ("r=[0,0,1], V=[.4,.6,.7], γ=1, λ=.9，从头算到尾",),
        ("is r_t for the action or for the transition?", "and when a tool is called?"),
        (OWN, "back to the first numbers"),
    ],
)
def test_who_claims_nothing_gets_no_verdict(messages: tuple[str, ...]) -> None:
    assert _last(*messages).verdict is None


@pytest.mark.parametrize("message", ["奖励之和是 1 吗", "the sum of the weights is 1", "average reward is 1"])
def test_a_number_of_a_sum_is_none_of_the_list(message: str) -> None:
    found = read_numbers(message)
    assert (found.params, found.claimed) == ({}, {})


def test_a_group_has_no_telescoping_sum() -> None:
    found = _last("GRPO advantages for group rewards 1 0 0 1", "now show me the telescoping sum")
    assert (found.lesson, found.error) == ("telescoping", None)
