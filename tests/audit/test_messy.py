"""Worked text as it stands on pages: broken over lines, in several notations, cut off, with settings said twice."""

from __future__ import annotations

import pytest

from prompts.tutor import Request, answer

BROKEN = """三步的奖励:r1 = 0
, r2 = 1
, r3 = 2
,折扣因子 gamma = 0.5
,GAE参数 lambda = 0.8
。价值分别为:v1 = 0.5
, v2 = 1.0
, v3 = 1.5
。
- 计算
returns
:return_3 = r3 = 2
(最后一步)return_2 = r2 + gamma * return_3 = 1 + 0.5 * 2 = 2.0
return_1 = r1 + gamma * return_2 = 0 + 0.5 * 2.0 = 1.0
- 计算
advantages
(GAE):advantage_3 = r3 - v3 = 2 - 1.5 = 0.5
(最后一步)advantage_2 = 0.75 + 0.5 * 0.8 * 0.5 = 0.95
advantage_1 = 0.0 + 0.5 * 0.8 * 0.95 = {first}"""
GROUP = """Input: rewards = [1.0, 0.0, 1.0, 0.0]
Output: {stated}
Explanation: Mean = 0.5, Std = 0.5. Each reward is normalized: (1-0.5)/0.5 = 1.0 and (0-0.5)/0.5 = -1.0."""
CUT = """# r=[0, 1], V=[0.5, 1.0], not terminal
gamma = 0.5
lam = 0.5
last_value = 4.0
# δ_1 = 1 + 0.5*4.0 - 1.0 = 2.0
# A_1 = δ_1 = 2.0
# δ_0 = 0 + 0.5*1.0 - 0.5 = 0.0
# A_0 = δ_0 + 0.5*0.5*A_1 = 0.0 + 0.25*2.0 = {first}"""
SHIFTED = "γ = 0.5, rewards R_1 = 4, R_2 = 2, R_3 = 8.\nG_2 = 8\nG_1 = 2 + 0.5 × 8 = 6\nG_0 = 4 + 0.5 × 6 = {first}"
TWICE = """With λ = 1 nothing is trusted, and λ = 1 is noisy. Here rewards are [0, 0, 1] and values [0.3, 0.4, 0.6],
γ = 1 and λ = 0.5. The advantages are [{first}, 0.4, 0.4]. Is this right?"""
FILLED = """rewards = torch.tensor([1.0, 1.0])
values = torch.zeros(2)
gamma, lam = 0.5, 0.5
# A_1 = 1
# A_0 = 1 + 0.25 * 1 = {first}"""
AGAIN = """scores: [0, 0, 0, 2], KL: [0.2, 0.4, 0.2, 0.6], beta = 0.5
rewards: [-0.1, -0.2, -0.1, 1.7]. Is this right?
r_1 = {first}: for the first transition
r_2 = -0.2: for the second
"""
EXAMPLES = {  # text, the first advantage or return, one that is not
    "broken": (BROKEN, "0.38", "0.83"),
    "cut": (CUT, "0.50", "0.55"),
    "shifted": (SHIFTED, "7.0", "7.5"),
    "twice": (TWICE, "0.3", "0.45"),
    "filled": (FILLED, "1.25", "1.52"),
    "again": (AGAIN, "-0.1", "-0.7"),
}


def _audited(text):
    found = answer(Request((text,)))
    assert found.lesson == "audit", found.markdown
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_right_text_is_not_accused(name):
    text, right, _ = EXAMPLES[name]
    assert _audited(text.format(first=right)).verdict == "true"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_one_wrong_number_is_found(name):
    text, right, wrong = EXAMPLES[name]
    found = _audited(text.format(first=wrong))
    assert [one["correct"] for one in found.mistakes] == [pytest.approx(float(right))]


def test_what_comes_out_of_a_group_is_its_advantages():
    found = _audited(GROUP.format(stated="[1.0, -1.0, 1.0, -1.0]"))
    assert {one["cause"] for one in found.mistakes} == {"grpo_population"}
    assert _audited(GROUP.format(stated="[0.866, -0.866, 0.866, -0.866]")).verdict == "true"


@pytest.mark.parametrize("said", ["token 1 holds 62% and token 2 58%", "token 1 62%, token 2 58%"])
def test_the_place_of_a_token_is_no_share(said):
    text = f"r = [0, 0, 0, 1], V = [0.2, 0.3, 0.5, 0.6]. Credit shares: {said} of the credit. Is this right?"
    assert not answer(Request((text,))).mistakes


def test_what_cannot_be_checked_is_named():
    """A mean that is stated of nothing that is given."""
    found = answer(Request(("Check this: rewards = [0.0, 1.0]. Output: [-1.0, 1.0], mean = 0.5, std = 0.5.",)))
    assert found.error is None


def test_of_a_token_before_those_that_are_known_nothing_is_said():
    text = """δ_4 = 1 - 0.5 = 0.5, δ_3 = 0.5 - 0.25 = 0.25 (γ = 1, λ = 0.5)
A_4 = 0.5
A_3 = 0.25 + 0.5 * 0.5 = {last}
...
A_1 = 0.1 + 0.5 * 0.8 = 0.5
Is this right?"""
    right = _audited(text.format(last="0.5"))
    assert right.verdict == "true" and "0.5 ?" in next(x.text for x in right.closed if x.id == "pasted")
    assert [one["stated"] for one in _audited(text.format(last="0.6")).mistakes] == [0.6]


def test_a_sum_is_not_its_last_term():
    found = _audited(
        "r = [0, 0, 1], V = [0.3, 0.4, 0.6], γ = 1\nδ = [0.1, 0.2, {x}]\nδ_1 + δ_2 = 0.2 + 0.4 = 0.6".format(x="0.4")
    )
    assert found.verdict == "true"
