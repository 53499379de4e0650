"""Turns that check, drop or ask again on the numbers of earlier ones."""

from __future__ import annotations

import pytest

from prompts.read import read
from prompts.tutor import Request, answer

OWN = "r=[0,0,1], V=[0.2,0.5,0.6], γ=1, λ=0.9"
RETURNS = "[0.914, 0.96, 1]"


@pytest.mark.parametrize("asked", [f"and returns {RETURNS}?", f"那 returns {RETURNS} 对吗？"])
def test_results_are_checked_on_the_earlier_numbers(asked):
    found = answer(Request((OWN, asked)))
    assert found.verdict == "true"
    assert found.facts["rewards"] == [0, 0, 1]
    after = answer(Request((OWN, asked, "whiten the advantages")))
    assert after.facts["advantages"] == pytest.approx([0.714, 0.46, 0.4])


def test_results_that_are_off_are_said_to_be():
    assert answer(Request((OWN, "and returns [0.9, 0.9, 1]?"))).verdict == "false"


@pytest.mark.parametrize(
    "dropped",
    ["drop that token again and use γ 0.5", "remove the last token and γ 0.5", "去掉最后一个 token，γ 用 0.5"],
)
def test_a_token_goes_and_a_parameter_is_set(dropped):
    longer = (OWN, "append one more token with reward 0 and value 0.9", dropped)
    assert answer(Request(longer)).facts["deltas"] == pytest.approx([0.05, -0.2, 0.4])


@pytest.mark.parametrize("checked", [f"check it with {OWN}", f"verify that on {OWN}", f"用 {OWN} 验证一下"])
def test_what_is_checked_on_numbers_stays_the_subject(checked):
    asked = ("is the total excess of a response the sum of its A_t?", checked)
    assert read(asked).lesson == read((*asked, "why?")).lesson == "advantage_sum"


@pytest.mark.parametrize(
    "wish",
    [
        f"{OWN}，比较 λ=0、0.5、1 三种情况的优势",
        "把这些 advantage 白化一下",
        "same rewards with RLOO",
        "back to plain Monte Carlo",
    ],
)
def test_a_wish_is_no_claim(wish):
    assert answer(Request((OWN, wish))).verdict is None


@pytest.mark.parametrize(
    ("asked", "then", "lesson"),
    [
        ("whiten 0.5, -0.2, 0.9, 0.1", "does that divide by n or by n-1 in the variance?", "whitening"),
        ("RLOO for group rewards 1, 0, 0", "does either of them need a critic?", "group_baselines"),
    ],
)
def test_what_that_stands_for_stays_the_subject(asked, then, lesson):
    assert read((asked, then)).lesson == lesson


CLIPPED = "new_logp=[-0.2,-1,-0.6], old_logp=[-0.6,-0.8,-0.6], advantages=[0.5,0.3,-0.4], ε=0.1, clipped objective?"


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        ("Is the total excess G_0 - V_0 equal to Σ γ^t δ_t?", "true"),
        ("Does the sum of all A_t equal the total excess G_0 − V_0?", "depends"),
        ("总超额 G_0 − V_0 就是 A_0 吗", "depends"),
    ],
)
def test_the_excess_beside_its_formula_is_one_number(asked, verdict):
    assert answer(Request((asked,))).verdict in (verdict, None)
