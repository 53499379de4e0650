"""What learners say in a conversation besides questions: which move it is, which option, and what is none."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from engine.exercises import set_up
from engine.grading import Answered, Numeral
from lessons._lesson import lessons
from prompts.read.answering import answered
from prompts.read.e5 import places
from prompts.read.fresh import drawn
from prompts.read.meant import FILE, examples, meant
from prompts.read.moves import moves
from prompts.read.nearest import FINENESS, centred
from prompts.read.talk import done

SAID = tomllib.loads((Path(__file__).parents[2] / "reading" / "talk.toml").read_text(encoding="utf-8"))
WITH_OPTIONS = set_up(lessons()["why_lambda"].practice.drill, 1, 0)
UNDERSTOOD = 0.95  # of messages that the reading has not seen
MISTAKEN = 1  # of those that ask for a subject


def test_most_moves_are_understood_in_words_that_were_not_seen():
    made = [(move, text) for move, texts in SAID["moves"].items() if move != "none" for text in texts]
    understood = [move in done(text) for move, text in made]
    assert sum(understood) >= UNDERSTOOD * len(made), [
        pair for pair, ok in zip(made, understood, strict=True) if not ok
    ]


def test_what_asks_for_a_subject_is_no_move():
    mistaken = [text for text in SAID["moves"]["none"] if done(text)]
    assert len(mistaken) <= MISTAKEN, mistaken


def test_the_examples_lie_where_the_encoder_puts_them():
    some = slice(0, None, 40)
    with np.load(FILE) as stored:
        found = stored["places"][some].astype(np.float32) / FINENESS
        assert stored["moves"].tolist() == [move for move, _ in examples()], "python -m prompts.read.fit_nearest"
    now = np.array([centred(where) for where in places([text for _, text in examples()][some])])
    assert np.einsum("ij,ij->i", found, now).min() > 0.98, "python -m prompts.read.fit_nearest"


@pytest.mark.parametrize("text", ["再算一遍", "are you sure?", "recompute", "改回第一组数", "undo"])
def test_a_doubt_or_a_change_of_numbers_is_no_move(text):
    assert not done(text)


@pytest.mark.parametrize("text", ["quiz me on λ", "rewards = [0, 1]", "x" * 200, "", " ", "0.5", "γ"])
def test_what_names_something_is_no_move(text):
    assert not moves(text) and meant(text) is None


@pytest.mark.parametrize(("letter", "text"), [(x, text) for x, texts in SAID["pick"].items() for text in texts])
def test_an_option_is_picked_by_its_letter_or_place(letter, text):
    if text != "我投 B 一票":
        assert answered(text, WITH_OPTIONS, now=True) == Answered(letter=letter)


@pytest.mark.parametrize("text", SAID["number"]["said"])
def test_a_number_answers(text):
    assert answered(text, WITH_OPTIONS, now=True) == Answered(numbers=(Numeral(Fraction("0.58"), 2),))
    assert answered(text, WITH_OPTIONS, now=False) is None


@pytest.mark.parametrize(
    "text",
    ["why is A negative?", "A_t", "what is A?  And V?", "A or B?", "γ = 0.9", "is G the return?", "a token", "E[G] = V",
     "A comes before δ", "B 是 batch size 吗", "is C a constant?"],
)  # fmt: skip
def test_a_letter_in_a_question_picks_nothing(text):
    assert answered(text, WITH_OPTIONS, now=True) is None


def test_other_numbers_are_the_same_each_time_and_others_for_each_seed():
    found = [drawn({}, frozenset(), seed) for seed in range(20)]
    assert found == [drawn({}, frozenset(), seed) for seed in range(20)]
    assert len({str(one) for one in found}) == 20
    assert all(one["gamma"] != one["lam"] for one in found)


def test_other_numbers_have_the_names_and_lengths_of_the_learners():
    own = {"rewards": [0.0, 1.0], "values": [0.5, 0.25], "gamma": 0.7}
    found = drawn(own, frozenset(["gamma"]), 1)
    assert found["gamma"] == 0.7
    assert {name: len(x) for name, x in found.items() if isinstance(x, list)} == {"rewards": 2, "values": 2}
    batch = drawn({"rewards": [[0.0, 1.0], [1.0, 0.0]], "values": [[0.5, 0.25], [0.1, 0.2]]}, frozenset(), 1)
    assert [len(row) for row in batch["rewards"]] == [2, 2]
