"""What can be computed again without a page of numbers: whitened lists, what a return is, numbers of earlier ones."""

from __future__ import annotations

from typing import Any

import pytest

from engine import quantities
from engine.scenario import scenario
from prompts.read.checkable import says_wrong
from prompts.tutor import Request, answer

FOUR: dict[str, Any] = {"rewards": [0.1, 0, -0.2, 1], "values": [0.2, 0.5, 0.4, 0.7], "gamma": 1, "lam": 0.9}
FACTS = dict(quantities.facts("gae", scenario(FOUR)).numbers)


def verdict(*messages: str, beside: Any = None) -> str | None:
    found = answer(Request(messages, scenario=beside))
    assert found.error is None, (messages, found.error)
    return found.verdict


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


# ---------------------------------------------------------------- which return


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("R_t = V_t + A_t is the Monte Carlo return", "false"),
        ("A_0 = sum (gamma*lam)^l delta = 'immediate reward + discounted sum of later rewards'", "false"),
        ("A_t = 当前奖励 + 未来奖励的折扣和", "false"),
        ("A_t = Σ_l (γλ)^l δ_{t+l}", "true"),
        ("A_t = Σ(γλ)^l δ", "true"),
    ],
)
def test_what_a_return_is_said_to_be_is_settled_at_the_learners_rates(message, due):
    assert verdict(message, beside=FOUR) in (due, None)


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


def test_a_whitened_number_of_one_token_is_found():
    row = dict(quantities.facts("whiten", scenario({"advantages": list(FACTS["advantages"])})).numbers)["whitened"]
    assert verdict(f"the whitened A_0 is {row[0]:.3f}", beside=FOUR) == "true"
    assert verdict(f"A_0 白化后是 {row[0] + 0.1:.3f}", beside=FOUR) == "false"
