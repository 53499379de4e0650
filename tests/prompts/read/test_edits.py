"""Changes of an earlier scenario: read from words, applied to lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from prompts.read.numbers import Edit, edited, read_numbers

BEFORE = {"rewards": [0.0, 0.0, 1.0], "values": [0.3, 0.4, 0.6], "gamma": 1.0, "lam": 0.95}

CHANGES = [
    ("γ改成0.99呢", {"gamma": 0.99}),
    ("and if λ=0?", {"lam": 0.0}),
    ("λ=0呢", {"lam": 0.0}),
    ("what about gamma .9 and lambda .8", {"gamma": 0.9, "lam": 0.8}),
    ("那 λ 取 0.5 的话", {"lam": 0.5}),
    ("set lam from 0.95 to 0.9", {"lam": 0.9}),
    ("change the last reward to 2", {"rewards": [0.0, 0.0, 2.0]}),
    ("change the last reward from 1 to 2", {"rewards": [0.0, 0.0, 2.0]}),
    ("把最后一个奖励改成2", {"rewards": [0.0, 0.0, 2.0]}),
    ("make the second value 0.7", {"values": [0.3, 0.7, 0.6]}),
    ("把第二个价值从0.4改成0.5", {"values": [0.3, 0.5, 0.6]}),
    ("V[2] = .5", {"values": [0.3, 0.4, 0.5]}),
    ("set V_1 to 0.3", {"values": [0.3, 0.3, 0.6]}),
    ("values[1] += 1.0", {"values": [0.3, 1.4, 0.6]}),
    ("把 0.6 改成 2", {"values": [0.3, 0.4, 2.0]}),
    ("rewards become [0,0,2]", {"rewards": [0.0, 0.0, 2.0]}),
    ("奖励换成 0 1 1", {"rewards": [0.0, 1.0, 1.0]}),
    (
        "append one more token with reward 0.2 and value 0.5",
        {"rewards": [0, 0, 1, 0.2], "values": [0.3, 0.4, 0.6, 0.5]},
    ),
    ("再加一个token，奖励0.5，价值0.9", {"rewards": [0, 0, 1, 0.5], "values": [0.3, 0.4, 0.6, 0.9]}),
    ("append one more token: rewards become 0,0,0,1", {"rewards": [0, 0, 0, 1]}),
    ("drop the last token", {"rewards": [0.0, 0.0], "values": [0.3, 0.4]}),
    ("去掉最后一个token", {"rewards": [0.0, 0.0], "values": [0.3, 0.4]}),
    ("double the rewards", {"rewards": [0.0, 0.0, 2.0]}),
    ("奖励乘以3", {"rewards": [0.0, 0.0, 3.0]}),
    ("now double the last reward", {"rewards": [0.0, 0.0, 2.0]}),
    ("换成 k3", {"kl": "k3"}),
    ("keep everything but γ=.9", {"gamma": 0.9}),
    ("change the reward to 5", {"rewards": [0.0, 0.0, 5.0]}),
]


@pytest.mark.parametrize(("message", "changed"), CHANGES)
def test_a_change_is_made_and_nothing_else(message: str, changed: dict[str, object]) -> None:
    read = read_numbers(message)
    after = edited(BEFORE, read.edits)
    assert after == {**BEFORE, **changed}


@pytest.mark.parametrize(
    "message",
    [
        "why is γ set to 1 in RLHF",
        "为什么 λ 设成 0.95",
        "if V[1] is wrong by 3, which tokens suffer",
        "r=[0,0,1], V=[.3,.4,.6], γ=1",
        "what do λ=0 and λ=1 mean for the bias of the estimate",
        "our G_0 is 1 and V_0 is 0.3 and the sum of the advantages is 2.4",
        "V_{T-1} 该是 0 吗",
    ],
)
def test_talk_is_no_change(message: str) -> None:
    assert read_numbers(message).edits == ()


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (Edit("set_at", "values", 7, 0.1), "no_such_position"),
        (Edit("append", "scores", None, 0.1), "nothing_to_change"),
        (Edit("set", "values", None, 0.1), "which_position"),
        (Edit("replace", "", None, (9.0, 1.0)), "which_position"),
    ],
)
def test_a_change_of_what_is_not_there_is_refused(edit: Edit, code: str) -> None:
    with pytest.raises(EngineError, match=code):
        edited(BEFORE, (edit,))


@settings(derandomize=True, deadline=None)
@given(st.lists(st.floats(-9, 9), min_size=1, max_size=6), st.data())
def test_edits_touch_one_place_and_leave_the_given_untouched(values: list[float], data: st.DataObject) -> None:
    place = data.draw(st.integers(-len(values), len(values) - 1))
    before = {"values": list(values)}
    after = edited(before, (Edit("set_at", "values", place, 7.5),))["values"]
    assert before["values"] == values
    assert after[place] == 7.5
    assert [x for i, x in enumerate(after) if i != place % len(values)] == [
        x for i, x in enumerate(values) if i != place % len(values)
    ]
