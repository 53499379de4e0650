"""Who cannot tell a fact from its opposite is not listened to; who can is asked that once."""

from __future__ import annotations

import threading
import tomllib
from pathlib import Path

import pytest

from prompts.model import entrance, listened
from prompts.model.connection import NoReplyError
from prompts.read import read
from tests.prompts.model.fake import Fake

PAIRS = tomllib.loads(Path(entrance.__file__).with_name("entrance.toml").read_text(encoding="utf-8"))["pair"]
RIGHT = [pair["answer"] for pair in PAIRS]
MESSAGE = "Why is my policy loss negative?"
NOTHING = {"lesson": "ppo_clip"}


def listen(fake):
    return listened(fake, read([MESSAGE]), (MESSAGE,), threading.Event())


def wrong(count):
    return ["opposite" if answer == "same" else "same" for answer in RIGHT[:count]] + RIGHT[count:]


@pytest.mark.parametrize("misses", range(entrance.MISSES + 1))
def test_who_tells_them_apart_is_asked_once_and_then_listened_to(misses):
    fake = Fake({"answers": wrong(misses)}, NOTHING, NOTHING, fit=None)
    for _ in range(2):
        assert listen(fake).question.lesson == "ppo_clip"
    assert fake.fit is True and len(fake.asked) == 5
    assert all(pair["said"] in fake.asked[0][0]["content"] for pair in PAIRS)


@pytest.mark.parametrize("why", entrance.OF_ITS_OWN)
def test_who_finds_no_end_or_no_form_is_not_asked_again_either(why):
    fake = Fake(NoReplyError(why), fit=None)
    assert listen(fake).report["failed"] == listen(fake).report["failed"] == "unfit"


@pytest.mark.parametrize(
    "answers", [wrong(entrance.MISSES + 1), ["same"] * len(RIGHT), ["more"] * len(RIGHT), RIGHT[:-1], "same", []]
)
def test_who_does_not_is_never_asked_again(answers):
    fake = Fake({"answers": answers}, fit=None)
    for _ in range(2):
        heard = listen(fake)
        assert heard.report["failed"] == "unfit" and heard.question == read([MESSAGE])
    assert fake.fit is False and len(fake.asked) == 1


def test_who_says_nothing_is_asked_again_by_the_next():
    fake = Fake(NoReplyError("late"), {"answers": RIGHT}, NOTHING, fit=None)
    assert listen(fake).report["failed"] == "late" and fake.fit is None
    assert listen(fake).report["failed"] is None and fake.fit is True


def test_the_question_has_every_answer_in_it():
    assert {*RIGHT} == {"same", "opposite", "more"} and max(map(RIGHT.count, RIGHT)) <= len(RIGHT) // 2
