"""Every fact of every lesson: a sentence without loose digits, a reason, ways to ask for it; judged on any numbers."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace

import pytest

from engine.example import RUNNING
from lessons._fact import holds
from lessons._lesson import LANGUAGES, Lesson, lessons
from prompts.read.asked import known
from prompts.tell.says import FormulaError, as_summary, loose_digits, says
from tests.lessons.judging import TELLING, VERDICTS, because, shapes

NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
VERDICT = re.compile(r"(?:Yes|No|Right|Wrong)\b[:,.]|(?:不?对|是的|不是|没错)[：，。]")
ASKS = re.compile(r"[?？!！]")
CHINESE = re.compile(r"[\u3400-\u9fff]")
OPPOSITE = {"true": "false", "false": "true", "depends": "depends"}
LONGEST = {"zh": 160, "en": 400}  # characters of a sentence
LESSONS = [pytest.param(lesson, id=lesson.id) for lesson in lessons().values()]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_sentence_is_declarative_and_its_formulas_are_formulas(lesson: Lesson):
    for fact in lesson.facts.values():
        for language in LANGUAGES:
            sentence = fact.says[language]
            assert not loose_digits(sentence), sentence
            assert not ASKS.search(sentence) and not VERDICT.match(sentence), sentence
            assert len(sentence) <= LONGEST[language], sentence
            assert bool(CHINESE.search(sentence)) == (language == "zh"), sentence
            says(sentence)
            as_summary(sentence)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_reason_has_the_same_numerals_in_both_languages_and_gives_no_verdict(lesson: Lesson):
    for id, fact in lesson.facts.items():
        judged = fact.judge(RUNNING, denied=False)
        told = [because(lesson, id, judged, language) for language in LANGUAGES]
        zh, en = (set(NUMERAL.findall(text)) for text in told)
        assert all(told) and zh == en, id
        assert not any(map(VERDICT.match, told)), id


@pytest.mark.parametrize("lesson", LESSONS)
def test_it_is_asked_for_stated_and_denied_in_both_languages(lesson: Lesson):
    for id in lesson.facts:
        words = known().facts[f"{lesson.id}/{id}"]
        for texts in (words.asked, words.affirmed, words.denied):
            assert {bool(CHINESE.search(text)) for text in texts} == {True, False}, id
        assert not {*words.affirmed} & {*words.denied}, id


@pytest.mark.parametrize("shape", TELLING)
def test_every_fact_is_judged_on_numbers_of_any_shape(shape: str):
    given, found = shapes()[shape], tomllib.loads(VERDICTS.read_text(encoding="utf-8"))
    for lesson in lessons().values():
        for fact in lesson.facts.values():
            expected = found[lesson.id][fact.id]
            verdict = expected if isinstance(expected, str) else expected[shape]
            assert fact.judge(given, denied=False).verdict == verdict, fact.id
            assert fact.judge(given, denied=True).verdict == OPPOSITE[verdict], fact.id


def test_the_verdicts_are_those_of_the_facts_that_are_there():
    found = tomllib.loads(VERDICTS.read_text(encoding="utf-8"))
    assert {id: set(table) for id, table in found.items()} == {id: set(one.facts) for id, one in lessons().items()}


def test_denied_it_is_the_opposite():
    fact = next(iter(lessons()["telescoping"].facts.values()))
    for verdict, opposite in OPPOSITE.items():
        found = replace(fact, check=lambda _, verdict=verdict: replace(fact.check(RUNNING), verdict=verdict))
        assert found.judge(RUNNING, denied=True).verdict == opposite
    assert (holds(True), holds(False)) == ("true", "false")


def test_messages_name_lessons_and_facts_that_are_there():
    for message in known().messages:
        assert {*message.lessons} <= {*lessons()}
        assert {*message.facts} <= {*known().facts}


@pytest.mark.parametrize("sentence", ["at λ = 1 it is so", "0.95 is usual", "{import os; x}", "{λ = $1}"])
def test_these_checks_can_fail(sentence: str):
    with pytest.raises((AssertionError, FormulaError)):
        says(sentence)
        assert not loose_digits(sentence)
