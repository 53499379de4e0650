"""Changes of earlier numbers: read from words in both languages, applied to lists, refused where they cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from prompts.read.numbers import read_numbers
from prompts.read.numbers.edits import Context, Edit, Place, applied, fitted, settled
from prompts.read.numbers.edits.edit import END, EVERY, TOKENS, WHOLE
from prompts.tutor import Request, answer

BEFORE: dict[str, Any] = {"rewards": [0.0, 0.0, 1.0], "values": [0.3, 0.4, 0.6], "gamma": 1.0, "lam": 0.95}
NOTHING = Context()

CHANGES = [
    ("γ改成0.99呢", {"gamma": 0.99}),
    ("and if λ=0?", {"lam": 0.0}),
    ("λ=0呢", {"lam": 0.0}),
    ("what about gamma .9 and lambda .8", {"gamma": 0.9, "lam": 0.8}),
    ("那 λ 取 0.5 的话", {"lam": 0.5}),
    ("set lam from 0.95 to 0.9", {"lam": 0.9}),
    ("now the same with lambda one", {"lam": 1.0}),
    ("λ 等于零呢", {"lam": 0.0}),
    ("γ 再减小 0.1", {"gamma": 0.9}),
    ("raise lambda to 0.99", {"lam": 0.99}),
    ("lower lambda by 0.05", {"lam": 0.9}),
    ("reduce gamma by 10%", {"gamma": 0.9}),
    ("halve λ", {"lam": 0.475}),
    ("change the last reward to 2", {"rewards": [0.0, 0.0, 2.0]}),
    ("change the last reward from 1 to 2", {"rewards": [0.0, 0.0, 2.0]}),
    ("change the last reward to 2 and the first value to .5", {"rewards": [0, 0, 2], "values": [0.5, 0.4, 0.6]}),
    ("把最后一个奖励改成2", {"rewards": [0.0, 0.0, 2.0]}),
    ("make the second value 0.7", {"values": [0.3, 0.7, 0.6]}),
    ("the second to last value should be 0.7", {"values": [0.3, 0.7, 0.6]}),
    ("把第二个价值从0.4改成0.5", {"values": [0.3, 0.5, 0.6]}),
    ("第二个价值改为 0.45，第三个改为 0.7", {"values": [0.3, 0.45, 0.7]}),
    ("V[2] = .5", {"values": [0.3, 0.4, 0.5]}),
    ("set V_1 to 0.3", {"values": [0.3, 0.3, 0.6]}),
    ("values[1] += 1.0", {"values": [0.3, 1.4, 0.6]}),
    ("把 0.6 改成 2", {"values": [0.3, 0.4, 2.0]}),
    ("swap the 0.4 for a 0.5", {"values": [0.3, 0.5, 0.6]}),
    ("rewards become [0,0,2]", {"rewards": [0.0, 0.0, 2.0]}),
    ("奖励换成 0 1 1", {"rewards": [0.0, 1.0, 1.0]}),
    (
        "append one more token with reward 0.2 and value 0.5",
        {"rewards": [0, 0, 1, 0.2], "values": [0.3, 0.4, 0.6, 0.5]},
    ),
    ("再加一个token，奖励0.5，价值0.9", {"rewards": [0, 0, 1, 0.5], "values": [0.3, 0.4, 0.6, 0.9]}),
    ("put a token in front with reward 2 and value 0.9", {"rewards": [2, 0, 0, 1], "values": [0.9, 0.3, 0.4, 0.6]}),
    ("在第一个和第二个之间插入一个 token，奖励 2，价值 0.9", {"rewards": [0, 2, 0, 1], "values": [0.3, 0.9, 0.4, 0.6]}),
    ("append one more token: rewards become 0,0,0,1", {"rewards": [0, 0, 0, 1]}),
    ("drop the last token", {"rewards": [0.0, 0.0], "values": [0.3, 0.4]}),
    ("去掉最后一个token", {"rewards": [0.0, 0.0], "values": [0.3, 0.4]}),
    ("drop the first two tokens", {"rewards": [1.0], "values": [0.6]}),
    ("只保留前两个 token", {"rewards": [0.0, 0.0], "values": [0.3, 0.4]}),
    ("double the rewards", {"rewards": [0.0, 0.0, 2.0]}),
    ("奖励乘以3", {"rewards": [0.0, 0.0, 3.0]}),
    ("奖励缩小 10 倍", {"rewards": [0.0, 0.0, 0.1]}),
    ("now double the last reward", {"rewards": [0.0, 0.0, 2.0]}),
    ("make the rewards ten times larger", {"rewards": [0.0, 0.0, 10.0]}),
    ("swap the first and last value", {"values": [0.6, 0.4, 0.3]}),
    ("把价值倒过来", {"values": [0.6, 0.4, 0.3]}),
    ("flip the sign of the last reward", {"rewards": [0.0, 0.0, -1.0]}),
    ("奖励全部清零", {"rewards": [0.0, 0.0, 0.0]}),
    ("mask out the last token", {"mask": [1.0, 1.0, 0.0]}),
    ("换成 k3", {"kl": "k3"}),
    ("keep everything but γ=.9", {"gamma": 0.9}),
    ("change the reward to 5", {"rewards": [0.0, 0.0, 5.0]}),
    ("undiscounted, with the last reward at 2 instead", {"gamma": 1.0, "rewards": [0.0, 0.0, 2.0]}),
]


def after(message: str, before: dict[str, Any]) -> dict[str, Any]:
    """The scenario once a message has been heard: what it sets and what it changes."""
    read = read_numbers(message)
    own = {name: x for name, x in read.params.items() if not isinstance(x, list)}
    return applied({**before, **own}, read.edits, NOTHING)[0]


@pytest.mark.parametrize(("message", "changed"), CHANGES)
def test_a_change_is_made_and_nothing_else(message: str, changed: dict[str, Any]) -> None:
    assert after(message, BEFORE) == {**BEFORE, **changed}


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
        "does doubling the rewards double the advantages?",
        "奖励翻倍时优势会翻倍吗",
        "how do I set gamma in verl",
        "do I have to add up the deltas?",
        "the last advantage is 0.4, right?",
        "add the KL penalty to the rewards",
        "不加 KL 的话，更新里用得到参考模型吗",
        "不设 KL 时，PPO 的损失里还剩下优势",
        "append a token, the number none won at A",
    ],
)
def test_talk_is_no_change(message: str) -> None:
    read = read_numbers(message)
    assert not [edit for edit in read.edits if edit.target != "gamma" and edit.target != "lam"]


# ---------------------------------------------------------------- phrased and applied, applied directly

ORDINALS = {"en": ("first", "second", "third", "fourth"), "zh": ("第一个", "第二个", "第三个", "第四个")}
NAMES = {"en": {"rewards": "reward", "values": "value"}, "zh": {"rewards": "奖励", "values": "价值"}}

PHRASES = {
    "set_at": {
        "en": (
            "change the {place} {name} to {x}",
            "set the {place} {name} to {x}",
            "what if the {place} {name} is {x}?",
            "the {place} {name} should be {x}",
            "make the {place} {name} {x}",
            "suppose the {place} {name} were {x} instead",
        ),
        "zh": (
            "把{place}{name}改成 {x}",
            "{place}{name}换成{x}呢",
            "如果{place}{name}是 {x} 呢",
            "{place}{name}应该是 {x}",
            "将{place}{name}设为{x}",
        ),
    },
    "add_at": {
        "en": (
            "add {x} to the {place} {name}",
            "increase the {place} {name} by {x}",
            "raise the {place} {name} by {x}",
        ),
        "zh": ("{place}{name}加 {x}", "把{place}{name}增加 {x}", "{place}{name}提高 {x}"),
    },
    "scale_all": {
        "en": ("multiply every {name} by {x}", "scale the {name}s by {x}", "multiply all the {name}s by {x}"),
        "zh": ("所有{name}乘以 {x}", "{name}都乘以 {x}", "{name}放大 {x} 倍"),
    },
    "drop": {
        "en": ("drop the {place} token", "remove the {place} token", "delete the {place} token please"),
        "zh": ("去掉{place} token", "把{place}token 删掉", "删除{place} token"),
    },
    "insert": {
        "en": (
            "insert a token before the {place} one with reward {x} and value {y}",
            "insert a token before the {place} token: reward {x}, value {y}",
        ),
        "zh": (
            "在{place} token 之前插入一个 token，奖励 {x}，价值 {y}",
            "在{place}前面插入一个 token，奖励为 {x}，价值为 {y}",
        ),
    },
}


def directly(kind: str, before: dict[str, Any], name: str, i: int, x: float, y: float) -> dict[str, Any]:
    """The change as plain list code."""
    lists = {n: list(v) for n, v in before.items() if isinstance(v, list)}
    if kind == "set_at":
        lists[name][i] = x
    elif kind == "add_at":
        lists[name][i] = float(f"{lists[name][i] + x:.12g}")
    elif kind == "scale_all":
        lists[name] = [float(f"{old * x:.12g}") for old in lists[name]]
    elif kind == "drop":
        lists = {n: v[:i] + v[i + 1 :] for n, v in lists.items()}
    else:
        lists = {n: [*v[:i], x if n == "rewards" else y, *v[i:]] for n, v in lists.items()}
    return {**before, **lists}


numbers = st.integers(1, 99).map(lambda n: n / 8)


@st.composite
def scenarios(draw: st.DrawFn) -> dict[str, Any]:
    length = draw(st.integers(4, 6))
    row = st.lists(st.integers(-40, 40).map(lambda n: n / 16), min_size=length, max_size=length)
    return {"rewards": draw(row), "values": draw(row), "gamma": 1.0, "lam": 0.95}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", PHRASES)
@settings(derandomize=True, deadline=None, max_examples=40)
@given(before=scenarios(), data=st.data())
def test_a_phrased_change_is_the_change_made_directly(
    kind: str, language: str, before: dict[str, Any], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["rewards", "values"]))
    i = data.draw(st.integers(0, 3))
    x, y = data.draw(numbers), data.draw(numbers)
    phrase = data.draw(st.sampled_from(PHRASES[kind][language]))
    message = phrase.format(place=ORDINALS[language][i], name=NAMES[language][name], x=f"{x:g}", y=f"{y:g}")
    assert after(message, before) == directly(kind, before, name, i, x, y), message


def test_that_comparison_can_fail() -> None:
    assert after("change the first reward to 2", BEFORE) != directly("set_at", BEFORE, "rewards", 1, 2.0, 0.0)


# ---------------------------------------------------------------- edits as values


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (Edit("set", "values", Place("at", 7), 0.1), "no_such_position"),
        (Edit("drop", TOKENS, Place("span", (0, 9))), "no_such_position"),
        (Edit("insert", "logp", END, (("logp", 0.1),)), "nothing_to_change"),
        (Edit("scale", "beta", WHOLE, 2.0), "nothing_to_change"),
        (Edit("set", "values", WHOLE, 0.1), "which_position"),
        (Edit("set", None, Place("value", 9.0), 1.0), "which_position"),
        (Edit("set", None, Place("at", 0), 1.0), "which_list"),
        (Edit("set", "values", Place("label", "好"), 1.0), "which_position"),
        (Edit("restore", "lam", WHOLE, "first"), "nothing_to_restore"),
    ],
)
def test_a_change_of_what_is_not_there_is_refused(edit: Edit, code: str) -> None:
    with pytest.raises(EngineError, match=code):
        applied(BEFORE, (edit,), NOTHING)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.floats(-9, 9), min_size=1, max_size=6), st.data())
def test_edits_touch_one_place_and_leave_the_given_untouched(values: list[float], data: st.DataObject) -> None:
    place = data.draw(st.integers(-len(values), len(values) - 1))
    before = {"values": list(values)}
    changed = applied(before, (Edit("set", "values", Place("at", place), 7.5),), NOTHING)[0]["values"]
    assert before["values"] == values
    assert changed[place] == 7.5
    rest = [i for i in range(len(values)) if i != place % len(values)]
    assert [changed[i] for i in rest] == [values[i] for i in rest]


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=6), st.integers(0, 1), st.integers(0, 1))
def test_changes_that_undo_each_other(values: list[float], i: int, j: int) -> None:
    before = {"rewards": values, "values": values}
    place, other = Place("at", i), Place("at", j)
    pairs = [
        (Edit("swap", "rewards", place, other), Edit("swap", "rewards", other, place)),
        (Edit("reverse", "rewards"), Edit("reverse", "rewards")),
        (Edit("negate", "rewards", EVERY), Edit("negate", "rewards", EVERY)),
        (Edit("scale", "rewards", EVERY, 4.0), Edit("scale", "rewards", EVERY, 0.25)),
        (
            Edit("insert", TOKENS, Place("gap_before", i), (("rewards", 1.0), ("values", 2.0))),
            Edit("drop", TOKENS, place),
        ),
    ]
    for there, back in pairs:
        assert applied(before, (there, back), NOTHING)[0] == before


def test_it_and_there_speak_of_what_was_changed_last() -> None:
    whiten = {"advantages": [1.0, 2.0, 4.0]}
    assert after("drop the 4 and put a 6 there", whiten) == {"advantages": [1.0, 2.0, 6.0]}
    changed, _, context = applied(BEFORE, read_numbers("change the last reward to 2").edits, NOTHING)
    assert applied(changed, read_numbers("actually make it 3").edits, context)[0]["rewards"] == [0, 0, 3]


# ---------------------------------------------------------------- what follows, and what does not fit


def test_what_followed_from_a_changed_list_is_left_to_be_computed_again() -> None:
    given = {"scores": [0.0, 1.0], "kl_values": [0.1, 0.2], "beta": 0.1, "rewards": [-0.01, 0.98]}
    assert "rewards" not in settled(given, ["scores"])[0]
    assert settled(given, ["scores"])[1] == ("recomputed",)
    assert "scores" not in settled(given, ["rewards"])[0]
    assert settled(given, ["values"]) == (given, ())


def test_lists_about_other_tokens_are_left_out() -> None:
    given = {"rewards": [0.0, 1.0], "mask": [1.0, 1.0, 0.0], "tokens": ["a", "b", "c"], "lam": 0.9}
    assert fitted(given, ["rewards"], ["mask"]) == {"rewards": [0.0, 1.0], "lam": 0.9}
    assert fitted(given, [], ["mask"]) == given


def test_a_token_that_is_put_in_is_none_of_the_padding() -> None:
    padded = {"rewards": [0.0, 1.0], "values": [0.1, 0.2], "mask": [1.0, 0.0]}
    assert after("append a token with reward 1 and value 2", padded)["mask"] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    "message",
    [
        "At the end of the response, setting the next value to 0 is harmless, isn't it?",
        "values / returns / advantages / token_level_rewards 四个变量分别是什么关系",
        "直接用累计回报减去 values 得到一个粗略优势，和 GAE 差在哪？",
        "rewards[i] holds the reward for the token one place before token i.",
        "λ→1 更信实际结果，λ→0 更信 critic，这中间的权衡能不能用一个例子讲明白",
        "logp = -0.7, ref logp = -0.5, beta = 0.1: the KL term makes this token's reward larger by 0.3.",
        "logp=-0.4，ref_logp=-0.6，β=0.1：KL 项会让这个 token 的奖励变大 0.3",
    ],
)
def test_a_sentence_that_speaks_of_a_change_is_no_change(message):
    assert answer(Request((message,))).error is None
