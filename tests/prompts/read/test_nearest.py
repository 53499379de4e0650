"""Finding facts: three readings of a text, what each is fitted to, and what they come to together."""

from __future__ import annotations

import numpy as np
import pytest

from lessons._lesson import LANGUAGES, lessons
from prompts.read import nearest, wording
from prompts.read.asked import known
from prompts.read.e5 import LONGEST, length, places, together
from prompts.read.fit_wording import counted
from prompts.read.understanding import TELL, gist, told, understand


def test_the_fitted_files_know_the_facts_that_there_are():
    facts = tuple(known().facts)
    assert nearest.load().facts == facts, "make fit"
    assert wording.load().whole == len(facts), "make fit"
    assert len(nearest.load().starts) == len(facts)


def test_a_sentence_alone_lies_where_it_lies():
    text = "为什么 λ 越大方差越大？ what does it trade off"
    alone, again = together((text,))[0], places([text])[0]
    assert alone @ again > 0.999


def test_sentences_are_read_in_the_light_of_one_another():
    pair = together(("The critic is trained.", "It fits the returns."))
    assert pair.shape[0] == 3
    assert np.allclose(np.linalg.norm(pair, axis=1), 1, atol=1e-5)
    assert pair[2] @ together(("It fits the returns.",))[0] < 0.999


def test_of_a_long_message_what_asks_is_read():
    context = "我们在八张卡上训练，日志里每一步都有很多指标，下面贴的是其中的一部分。" * 12
    texts = gist(f"{context}\n为什么 ratio 一开始是 1？")
    assert "为什么 ratio 一开始是 1？" in texts
    assert sum(length(text) for text in texts[:-1]) <= 2 * LONGEST


def test_a_word_speaks_for_the_facts_that_it_stands_with():
    said = [["the critic fits returns"] * 4, ["the ratio starts at one"] * 4, ["the mask drops pads"] * 4]
    found = counted(said)
    speaks = wording.Words(*found, np.ones(len(found.keys), np.float32), np.zeros((len(found.keys), 1)), np.ones(1))
    assert speaks.of_facts("critic").argmax() == 0
    assert speaks.of_facts("what is the ratio").argmax() == 1
    assert not speaks.of_facts("unheard words only").any()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_fact_says_finds_the_fact(language):
    some = [f"{lesson.id}/{id}" for lesson in lessons().values() for id in sorted(lesson.facts)[:2]]
    says = {key: known().facts[key].says[0 if language == "zh" else 1] for key in some}
    near = {key: [one.fact for one in nearest.nearest(nearest.see((text,)), [0], 5)] for key, text in says.items()}
    missed = [key for key in some if key not in near[key]]
    assert len(missed) <= 0.1 * len(some), missed


def test_outside_of_the_subject_only_what_is_like_it_is_told():
    (point,) = understand("how do I cook pasta for six people?").points
    assert point.facts[0].likeness < TELL
    assert told(point, outside=True) == ()
    assert told(point)


def test_files_are_where_and_not_what():
    asked = "reward 是属于动作还是属于状态转移？"
    path = "@verl/trainer/ppo/ray_trainer.py"
    (alone,), (beside,) = understand(asked).points, understand(f"{path}\n{asked}").points[-1:]
    assert alone.facts[0].fact == beside.facts[0].fact
