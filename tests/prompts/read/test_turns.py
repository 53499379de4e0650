"""A conversation turn by turn: languages, choices, forms, and what is remembered of the numbers."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engine.scenario import LISTS
from prompts import chat
from prompts.answer import Answer
from prompts.read.form import again, asks_why, form
from prompts.read.language import of_conversation
from prompts.read.leaning import asks_again, chosen, refers_back, supposes
from prompts.read.turns import Turn, follow, next_turn
from prompts.tell.leading import leads

NUMBERS = "rewards=[0,0,1], values=[0.3,0.4,0.6], gamma=1, lam=0.95: GAE advantages?"


@pytest.mark.parametrize(
    ("messages", "language"),
    [
        (["为什么要用 λ？", "lambda=0?"], "zh"),
        (["为什么要用 λ？", "GRPO"], "zh"),
        (["why λ?", "γ=0.9"], "en"),
        (["λ=0?"], "en"),
        (["reward-to-go：rewards = [1, 2]，gamma = 1"], "zh"),
        (["为什么要用 λ？", "in English please", "λ=0?"], "en"),
        (["为什么要用 λ？", "in English please", "那 γ 呢，为什么取 1"], "zh"),
        (["why λ?", "answer in Chinese from now on", "and what is γ for?"], "zh"),
        (["why λ?", "请用中文回答", "and what is γ for?", "in English please"], "en"),
        (["为什么要用 λ？", "why not?"], "en"),
    ],
)
def test_the_language_of_a_conversation(messages: list[str], language: str) -> None:
    assert of_conversation(messages) == language


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("the second one", 1), ("2", 1), ("2.", 1), ("第二个", 1), ("选2", 1), ("第1个吧", 0), ("the first", 0),
        ("option 3", 2),
        ("我问的是第三个", 2), ("the last one", 2), ("b", 1), ("4", None), ("what does the second one mean", None),
        ("第二个价值改成 2", None), ("no", None),
    ],
)  # fmt: skip
def test_a_choice_is_picked(message: str, place: int | None) -> None:
    assert chosen(message, 3) == place


def test_a_picked_choice_is_the_subject_with_the_numbers_that_were_there() -> None:
    unsure = replace(follow([NUMBERS]), alternatives=(("whitening", 0.4), ("why_gamma", 0.3)), sure=False)
    picked = next_turn(unsure, "第二个")
    assert (picked.lesson, picked.sure, picked.given) == ("why_gamma", True, unsure.given)


def test_where_nothing_was_offered_a_number_is_no_choice() -> None:
    assert next_turn(Turn(alternatives=(("whitening", 0.9), ("why_gamma", 0.1))), "2").lesson != "why_gamma"


@pytest.mark.parametrize("heading", ["next", "instead"])
def test_the_chat_offers_questions_beside_the_page_and_not_at_its_end(
    heading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = ("Why λ?", "Why γ?")
    end = "\n\n" + leads(questions, "en", heading)
    told = Answer("why_lambda", (), "en", "plain", f"A page.{end}\n", followups=questions, end=end)
    monkeypatch.setattr(chat, "answer", lambda _request: told)

    async def last() -> list[chat.Turn]:
        return [told async for told in chat.tell("why?", [], 1, 0.95)][-1]

    told = asyncio.run(last())[-1]
    assert told["content"].strip() == "A page."
    assert told["options"] == [{"value": question} for question in (*questions, "quiz me")]


@pytest.mark.parametrize(
    "message", ["are you sure?", "你确定吗？", "不对吧", "does that hold for returns too?", "再算一遍"]
)
def test_a_doubt_stays_with_the_subject_and_its_numbers(message: str) -> None:
    assert asks_again(message)
    before = follow([NUMBERS])
    assert follow([NUMBERS, message]).given == before.given


@pytest.mark.parametrize("message", ["another one", "one more please", "再来一个", "再举一个", "下一题"])
def test_one_more_is_the_same_form_again(message: str) -> None:
    assert again(message)
    assert follow(["what is the padding mask for?", "quiz me", message]).form == "quiz"


def test_one_more_token_is_no_repetition() -> None:
    assert not again("one more token: reward 1, value 2")


@pytest.mark.parametrize("message", ["还是刚才那组数", "same numbers", "用上面的数", "with my numbers"])
def test_numbers_given_before_are_spoken_of(message: str) -> None:
    assert refers_back(message)


def test_why_is_read_behind_words_about_the_numbers() -> None:
    assert asks_why("还是这组数字，为什么不能直接令 A = δ？")
    assert form("why?") == form("可是为什么") == "why"
    assert not asks_why("优势为什么要白化")


def test_numbers_outlast_a_question_about_something_else() -> None:
    turn = follow([NUMBERS, "where is ref_log_prob used?", "back to my numbers, λ=0.5"])
    assert (turn.given["rewards"], turn.given["lam"]) == ([0.0, 0.0, 1.0], 0.5)
    assert turn.origin == {"rewards": "earlier", "values": "earlier", "gamma": "earlier", "lam": "learner"}


def test_what_cannot_be_changed_is_said_and_forgotten() -> None:
    turn = follow([NUMBERS, "change the ninth reward to 2"])
    assert turn.error is not None
    assert turn.error.code == "no_such_position"
    later = next_turn(turn, "λ=0")
    assert later.error is None
    assert later.given["rewards"] == [0.0, 0.0, 1.0]


def test_a_change_where_nothing_was_given_is_made_on_the_running_example() -> None:
    turn = follow(["why does bootstrapping help?", "change the last reward to 2"])
    assert turn.given["rewards"][-1] == 2.0
    assert (turn.origin["rewards"], turn.origin["values"], turn.quantity) == ("learner", "example", "gae")
    assert "scores" not in turn.given


def test_stated_results_are_checked_on_the_numbers_given_before() -> None:
    turn = follow([NUMBERS, "My notes say the advantages are [0.7, 0.6, 0.5]. Is that right?"])
    assert turn.lesson == "audit"
    assert turn.claimed == {"advantages": [0.7, 0.6, 0.5]}
    assert turn.given["rewards"] == [0.0, 0.0, 1.0]
    again_checked = next_turn(turn, "and with λ=1?")
    assert again_checked.claimed == turn.claimed
    assert again_checked.given["lam"] == 1.0


def test_several_lambdas_and_one_of_them_again() -> None:
    swept = follow([NUMBERS, "λ = 0, 0.5, 1"])
    assert (swept.given["lams"], swept.quantity) == ([0.0, 0.5, 1.0], "lambda_sweep")
    assert "lams" not in next_turn(swept, "just λ=0.5 then").given


def test_undo_and_back_to_the_start() -> None:
    assert follow([NUMBERS, "set lambda to 0.5", "undo that"]).given["lam"] == 0.95
    turn = follow([NUMBERS, "set lambda to 0.5", "change the last reward to 2", "back to the original numbers"])
    assert (turn.given["lam"], turn.given["rewards"]) == (0.95, [0.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("message", "brief"),
    [
        ("用总体标准差呢", True),
        ("不除以标准差呢？", True),
        ("and without the mean?", True),
        ("and if γ=0.9?", True),
        ("那 γ 取 0.9？", True),
        ("λ=1 是不是就没有偏差了呢", False),
        ("with λ = 1 the estimate has no bias?", False),
        ("the critic is not needed", False),
    ],
)
def test_another_case_that_is_asked_for_is_no_claim(message: str, brief: bool) -> None:
    assert supposes(message) is brief


@pytest.mark.parametrize(
    "message",
    [
        "所有 token 的奖励都为零的话，δ 就只剩 γV_{t+1} − V_t",
        "With γ=1 all the values in the middle drop out of the sum.",
        "The advantages can change their signs in whitening.",
        "最后一个 token 之后的价值取 0",
        "ratio 在第一步总是 1 吧",
        "At λ=0 every advantage is one delta.",
    ],
)
def test_what_is_said_to_be_so_changes_no_numbers(message: str) -> None:
    turn = follow([message])
    assert not [name for name in LISTS if name in turn.given]
    assert not turn.only_numbers


def test_what_is_to_be_made_so_changes_the_example() -> None:
    assert follow(["set all rewards to 0"]).given["rewards"] == [0.0] * 6
    assert follow(["把最后一个奖励改成 2"]).given["rewards"][-1] == 2.0
