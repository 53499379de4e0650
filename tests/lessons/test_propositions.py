"""Every proposition of every lesson: judged on any scenario, denied it is the opposite, no loose numeral in it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from engine.example import RUNNING
from lessons._lesson import LANGUAGES, lessons
from lessons._proposition import Judged
from tests.lessons.judging import because, shapes

NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
SAYS_SO = re.compile(r"(?:Yes|No)[:,.]|(?:不?对|是的|不是)[：，。]")
OPPOSITE = {"true": "false", "false": "true", "depends": "depends"}
CASES = [(lesson.id, name) for lesson in lessons().values() for name in lesson.propositions]
# What a check could stumble over, each once: a single token, ties, signs with γ and λ below 1, no later token counting,
# a hole, a padded batch, no log-probabilities, many tokens. The lessons' own tests tell their pages on every shape.
TELLING = ("one_token", "zeros", "negative", "gamma_zero", "hole", "batch_padded", "from_scores", "long")


@cache
def judged(id: str, name: str) -> Judged:
    """On the running example, once for all tests."""
    return lessons()[id].propositions[name].judge(RUNNING, denied=False)


@pytest.mark.parametrize(("id", "name"), CASES)
def test_denied_it_is_the_opposite(id, name):
    once = replace(lessons()[id].propositions[name], check=lambda _: judged(id, name))
    affirmed, denied = (once.judge(RUNNING, denied=denied).verdict for denied in (False, True))
    assert denied == OPPOSITE[affirmed]


@pytest.mark.parametrize(("id", "name"), CASES)
def test_the_reason_has_the_same_numerals_in_both_languages(id, name):
    told = [because(lessons()[id], name, judged(id, name), language) for language in LANGUAGES]
    assert all(told)
    zh, en = (set(NUMERAL.findall(text)) for text in told)
    assert zh == en
    assert not any(map(SAYS_SO.match, told)), "the verdict stands before it, and may be of the opposite"


@pytest.mark.parametrize(("id", "name"), CASES)
def test_each_polarity_is_said_in_four_ways_and_in_both_languages(id, name):
    proposition = lessons()[id].propositions[name]
    for said in (proposition.affirmed, proposition.denied):
        assert len(set(said)) >= 4
        assert {bool(re.search(r"[\u3400-\u9fff]", text)) for text in said} == {True, False}
    assert not set(proposition.affirmed) & set(proposition.denied)


@pytest.mark.parametrize("shape", TELLING)  # on the running one: above
def test_every_claim_is_judged_on_numbers_of_any_shape(shape):
    given = shapes()[shape]
    for lesson in lessons().values():
        for proposition in lesson.propositions.values():
            assert proposition.judge(given, denied=False).verdict in OPPOSITE
