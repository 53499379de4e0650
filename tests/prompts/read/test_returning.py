"""Earlier subjects are gone back to by name, parameters that were set first hold, a correction moves a change."""

from __future__ import annotations

from typing import Any

import pytest

from prompts.read.turns import Turn, follow

GAE = "r=[1,0,2], V=[.4,.2,.8], γ=1, λ=.7: advantages?"


def _after(*messages: str) -> Turn:
    turn = follow(messages)
    assert turn.error is None
    return turn


@pytest.mark.parametrize(
    ("messages", "lesson", "given"),
    [
        ((GAE, "what is whitening?", "let's go back to my numbers, λ=0.2"), "mc_vs_gae", {"lam": 0.2, "gamma": 1.0}),
        ((GAE, "白化是什么？", "回到刚才那组数，γ 改成 0.8"), "mc_vs_gae", {"gamma": 0.8, "lam": 0.7}),
        (
            ("rewards of a group: 5, 1, 3, GRPO?", GAE, "back to the group, with RLOO"),
            "group_baselines",
            {"group_rewards": [5.0, 1.0, 3.0]},
        ),
        (
            (GAE, "whiten the advantages 3, 1, 8", "再回到刚才的奖励，把最后一个奖励改成 7"),
            "mc_vs_gae",
            {"rewards": [1.0, 0.0, 7.0]},
        ),
        (("whiten 3, 1, 8", "为什么需要 λ", "说回白化，换成 3、1、9 呢"), "whitening", {"advantages": [3.0, 1.0, 9.0]}),
    ],
)
def test_an_earlier_subject_is_gone_back_to(messages: tuple[str, ...], lesson: str, given: dict[str, Any]) -> None:
    turn = _after(*messages)
    assert turn.lesson == lesson
    assert {name: turn.given[name] for name in given} == given


def test_going_back_in_a_list_of_changes_is_a_change() -> None:
    assert _after(GAE, "λ=0.1", "back to λ=0.7").given["lam"] == 0.7
    assert _after(GAE, "change the first reward to 5", "back to the original rewards").given["rewards"] == [1, 0, 2]


@pytest.mark.parametrize(
    "messages",
    [
        ("γ=0.9, λ=0.3", "rewards 1, 0 and values 0.5, 0.25, the advantages please"),
        ("参数：γ=0.9，λ=0.3", "奖励 1、0，价值 0.5、0.25，求优势"),
        ("gamma is 0.9", "and lambda 0.3", "r=[1,0], V=[.5,.25]"),
        ("以后都用 γ=0.9、λ=0.3", "什么是白化？", "奖励 1、0，价值 0.5、0.25，求优势"),
    ],
)
def test_parameters_that_are_set_first_hold_for_the_lists_that_come(messages: tuple[str, ...]) -> None:
    turn = _after(*messages)
    assert (turn.given["gamma"], turn.given["lam"]) == (0.9, 0.3)
    assert (turn.origin["gamma"], turn.origin["rewards"]) == ("earlier", "learner")


@pytest.mark.parametrize(
    ("change", "correction", "given"),
    [
        ("change the first reward to 9", "no, I meant the first value", {"values": [9, 0.2, 0.8]}),
        ("把最后一个奖励改成 9", "不对，我说的是第一个", {"rewards": [9, 0, 2]}),
        ("第二个奖励改成 9", "不是奖励，是价值", {"rewards": [1, 0, 2], "values": [0.4, 9, 0.8]}),
        ("add 1 to the last value", "sorry, I meant the last reward", {"rewards": [1, 0, 3]}),
        ("λ=0.1", "oops, I meant gamma", {"gamma": 0.1, "lam": 0.7}),
        ("set the last reward to 9", "wait, I meant set the last value to 9", {"values": [0.4, 0.2, 9]}),
    ],
)  # fmt: skip
def test_a_correction_moves_the_last_change(change: str, correction: str, given: dict[str, Any]) -> None:
    turn = _after(GAE, change, correction)
    assert {name: turn.given[name] for name in given} == given


@pytest.mark.parametrize(
    "message",
    [
        "multiply the rewards by 3: rewards 3, 0, 6",
        "奖励都乘 3，也就是奖励 3、0、6",
        "triple all rewards, so rewards = [3, 0, 6]",
    ],
)
def test_a_change_that_is_said_with_its_outcome_is_made_once(message: str) -> None:
    assert _after(GAE, message).given["rewards"] == [3, 0, 6]


@pytest.mark.parametrize(
    ("messages", "quantity"),
    [
        (("group rewards 2, 0, 4: RLOO?", "换成 GRPO"), "grpo"),
        ((GAE, "Monte Carlo instead", "now GAE again"), "gae"),
        ((GAE, "same numbers, but Monte Carlo: G_t and G_t - V_t"), "mc"),
    ],
)
def test_a_method_that_is_named_is_used(messages: tuple[str, ...], quantity: str) -> None:
    assert _after(*messages).quantity == quantity


@pytest.mark.parametrize(
    ("messages", "mask"),
    [
        ((GAE, "the mask of the last token is 0: mask 1 1 0"), [1, 1, 0]),
        ((GAE, "mask the last token", "unmask it"), [1, 1, 1]),
        ((f"{GAE} mask=[1,1,0]", "mask 换成全 1"), [1, 1, 1]),
        ((f"{GAE} mask=[1,1,0]", "set the mask to all ones"), [1, 1, 1]),
    ],
)
def test_a_mask_in_words(messages: tuple[str, ...], mask: list[float]) -> None:
    assert _after(*messages).given["mask"] == mask


def test_rewards_after_a_group_are_those_of_another_group() -> None:
    turn = _after("group rewards 4, 0, 2: RLOO?", "and with rewards 1, 1, 5?")
    assert turn.given["group_rewards"] == [1, 1, 5]
    assert turn.quantity == "rloo"
