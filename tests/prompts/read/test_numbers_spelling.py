"""Numbers in unusual dress: in words, in LaTeX, counted off, by their ends, by counts; and what follows from them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenario import LONGEST, PARAMETERS
from prompts.read.numbers import read_numbers
from prompts.tutor import Request, answer

SPELT = [
    ("What happens with λ at zero, one half and one?", {"lams": [0, 0.5, 1]}),
    ("λ 取零、取一半、取一各是什么？", {"lams": [0, 0.5, 1]}),
    ("λ 取 0.3、一半和一，优势差多少", {"lams": [0.3, 0.5, 1]}),
    ("compare lambda of nought, 0.25 and one", {"lams": [0, 0.25, 1]}),
    ("奖励 零 一 零，价值 零点二 零点五 负零点一", {"rewards": [0, 1, 0], "values": [0.2, 0.5, -0.1]}),
    ("rewards nothing, one, nothing and values a quarter, one half, three quarters", {"values": [0.25, 0.5, 0.75]}),
    ("gamma one, lambda point nine five, r 0 1, V .2 .3", {"gamma": 1.0, "lam": 0.95, "rewards": [0, 1]}),
    ("价值 三分之一、三分之二，奖励 0、1，λ 取百分之90", {"values": [1 / 3, 2 / 3], "lam": 0.9}),
    (r"$\lambda = \frac{3}{4}$, $\gamma = \tfrac12$, r = (0, 2), V = (1, 1)", {"lam": 0.75, "gamma": 0.5}),
    (r"r = \begin{bmatrix} 0 & 3 \end{bmatrix}^\top, V = \begin{bmatrix} 1 \\ 2 \end{bmatrix}",
     {"rewards": [0, 3], "values": [1, 2]}),
    ("rewards=0;3 values=0,25;0,5 lambda=0,9", {"rewards": [0, 3], "values": [0.25, 0.5], "lam": 0.9}),
    ("rewards are zero everywhere except 4 at the end; values .1 .2 .3", {"rewards": [0, 0, 4]}),
    ("only the last of the tokens has a reward, 3; values .1 .2 .3", {"rewards": [0, 0, 3]}),
    ("分数只有最后一个 token 是 2：[0, 2]，KL 0.1 0.3，β=0.1", {"scores": [0, 2], "kl_values": [0.1, 0.3]}),
    ("new_logp = old_logp = [-1, -2], advantages = [1, 0]", {"new_logp": [-1, -2], "old_logp": [-1, -2]}),
    ("compute gae: [0, 2], [.5, .25], 0.9, 0.4", {"rewards": [0, 2], "values": [0.5, 0.25], "gamma": 0.9, "lam": 0.4}),
    ("这两组数 0 2 和 0.5 0.25，算优势", {"rewards": [0, 2], "values": [0.5, 0.25]}),
    ("first: rewards [0,2], values [1,2]; second: rewards [3,0], values [2,1]",
     {"rewards": [[0, 2], [3, 0]], "values": [[1, 2], [2, 1]]}),
    ("ref -1 -2, actor -0.9 -2.2, reward model 1.5, beta 0.1", {"scores": [0, 1.5]}),
    ("scores 2 at the end, kl 0.05 per token, 3 tokens, β=0.1", {"scores": [0, 0, 2], "kl_values": [0.05, 0.05, 0.05]}),
]  # fmt: skip


@pytest.mark.parametrize(("message", "params"), SPELT)
def test_numbers_are_read_however_they_are_said(message: str, params: dict[str, Any]) -> None:
    found = read_numbers(message)
    assert found.error is None
    assert not [edit for edit in found.edits if edit.target not in PARAMETERS]
    for name, expected in params.items():
        nested = isinstance(expected, list) and isinstance(expected[0], list)
        assert found.params[name] == (expected if nested else pytest.approx(expected))


@pytest.mark.parametrize(
    ("message", "rewards", "note"),
    [
        ("δ = 0.5, 0.25, γ=1, λ=0.5: the advantages?", [0.5, 0.25], "from_deltas"),
        ("δ = 0.5, 0.25, V = 1, 2, γ=0.5: 优势？", [0.5, 2.25], "rewards_from_deltas"),
        ("G = 2, 1, V = 1, 1, γ=0.5: MC advantages?", [1.5, 1.0], "rewards_from_returns"),
        ("回报 2 和 1，价值 1.5 0.5，λ=1，γ=1，求优势", [1.0, 1.0], "advantages_from_returns"),
        ("advantages 0.5 0.5, values 1.5 0.5, λ=1 γ=1: the returns?", [1.0, 1.0], "returns_from_advantages"),
    ],
)
def test_what_is_given_in_place_of_rewards_leads_to_them(message: str, rewards: list[float], note: str) -> None:
    found = read_numbers(message)
    assert found.params["rewards"] == pytest.approx(rewards)
    assert found.notes == (note,)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("0.3, 0.4, 0.6", "unnamed_list"),
        ("算一下 [0.2, 0.5, 0.9]", "unnamed_list"),
        ("returns are 0.9, 0.95, 1. advantages?", "missing"),
        ("advantages 0.5 0.4 0.1, check them", "missing"),
    ],
)
def test_numbers_that_cannot_be_used_are_never_passed_over(message: str, code: str) -> None:
    found = answer(Request((message,)))
    assert found.error is not None
    assert found.error["code"] == code


def test_what_a_page_says_of_derived_numbers_stands_on_it() -> None:
    found = answer(Request(("δ = 0.5, 0.25, γ=1, λ=0.5: the advantages?",)))
    assert found.error is None
    assert found.facts["advantages"] == [0.625, 0.25]
    assert "TD errors alone" in found.markdown


@pytest.mark.parametrize(
    "message",
    [
        "1000000 got 1, 1000000 got 0, GRPO",
        "V = np.linspace(0, 1, 999999999), r = 0 1",
        "V = np.arange(0, 1, 1e-300), r = 0 1",
        "values from 0 to 1 in steps of 0.0000000001",
        "999999999 responses, 3 correct, GRPO",
    ],
)
def test_no_list_is_made_longer_than_any_that_is_read(message: str) -> None:
    assert all(len(x) <= LONGEST + 1 for x in read_numbers(message).params.values() if isinstance(x, list))


def test_a_power_beyond_every_number_is_refused() -> None:
    found = answer(Request(("r=[10^400, 1], V=[1,2], γ=1",)))
    assert found.error is not None
    assert found.error["code"] == "not_finite"
