"""What lessons ask of their learners: right is right however it is written, each slip is known by name."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from engine.example import RUNNING
from engine.exercise import Exercise, sign
from engine.exercises import KINDS, LEVELS, moving, set_up
from engine.grading import LETTERS, Answered, Numeral, grade
from engine.notation import show
from lessons._lesson import LANGUAGES, by_number, lessons
from prompts.read.answering import answered
from prompts.read.practising import HINTS, Practised
from prompts.tell.practice import printed, told
from prompts.tell.reviewing import replies

PRACTISED = sorted(id for id, lesson in lessons().items() if lesson.practice is not None)
SEEDS = range(12)
NOT_PRACTISED = {"out_of_scope", "audit"}
TYPED = 6  # decimals


def exercises(id: str) -> list[Exercise]:
    drill = lessons()[id].practice.drill
    return [set_up(drill, level, seed) for level in LEVELS for seed in SEEDS]


def typed(x) -> Numeral:
    return Numeral(Fraction(f"{float(x):.{TYPED}f}"), TYPED)


def said(exercise: Exercise, value) -> Answered:
    return Answered(numbers=tuple(map(typed, value)) if exercise.kind == "list" else (typed(value),))


def same(x, y) -> bool:
    row = (x, y) if isinstance(x, tuple) else ((x,), (y,))
    return all(typed(a).agrees(b) for a, b in zip(*row, strict=True))


def test_every_lesson_is_practised_under_a_number_of_its_own():
    assert set(PRACTISED) == set(lessons()) - NOT_PRACTISED
    assert len(by_number()) == len(PRACTISED)


@pytest.mark.parametrize("id", PRACTISED)
def test_the_right_answer_is_right_however_it_is_given(id):
    for one in exercises(id):
        if one.options:
            letter = LETTERS[one.options.index(one.right)]
            assert grade(one, Answered(letter=letter)).outcome == "right"
            assert answered(f"I think it is {letter}", one, now=True) == Answered(letter=letter)
        if one.kind == "truth":
            continue
        assert grade(one, said(one, one.right)).outcome == "right"
        if isinstance(one.right, Fraction):
            assert grade(one, answered(str(one.right), one, now=True)).outcome == "right"
            assert grade(one, answered(f"{float(one.right) * 100:.4f}%", one, now=True)).outcome == "right"
        if one.kind in ("sign", "change"):
            way = sign(one.right - one.before) if one.moved else sign(one.right)
            assert grade(one, Answered(direction=way)).outcome == "right"
            assert grade(one, Answered(direction=-way)).outcome == "wrong"


@pytest.mark.parametrize("id", PRACTISED)
def test_every_slip_is_wrong_and_known_by_its_name(id):
    """Its number, typed, is graded wrong and the mistake is among the causes; unless it comes to the right one."""
    for one in exercises(id):
        for mistake, value in one.wrong.items():
            if one.kind == "sign" or same(value, one.right):
                continue
            if one.kind == "change" and same(value, one.right - one.before):
                continue
            found = grade(one, said(one, value))
            assert (found.outcome, mistake in found.causes) == ("wrong", True), (one, mistake, found)


@pytest.mark.parametrize("id", PRACTISED)
def test_options_differ_as_they_are_shown_and_each_wrong_one_has_a_cause(id):
    for one in exercises(id):
        texts = [x if isinstance(x, str) else show(x, 4).text for x in one.options]
        assert all(x != y for x, y in combinations(texts, 2))
        for i, option in enumerate(one.options):
            found = grade(one, Answered(letter=LETTERS[i]))
            assert found.outcome == ("right" if option == one.right else "wrong")
            assert one.kind == "truth" or bool(found.causes) == (option != one.right)
        assert grade(one, Answered(letter="H")).outcome == "no_option"


@pytest.mark.parametrize("id", PRACTISED)
def test_the_working_ends_in_the_right_number(id):
    for one in exercises(id):
        if one.kind == "list":
            assert one.line is not None and one.line.value == one.right[0]
        elif one.kind != "truth":
            assert one.lines[-1].value == one.right


@pytest.mark.parametrize("id", PRACTISED)
def test_what_is_false_is_found_false_and_what_is_true_has_words(id):
    lesson = lessons()[id]
    for fact in lesson.practice.false:
        assert lesson.facts[fact].check(RUNNING).verdict == "false", fact
    assert all(lesson.facts[fact].says for fact in lesson.practice.drill.truths)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", PRACTISED)
def test_everything_can_be_said_of_it(id, lang):
    """Asked, hinted at three times and solved: no page fails, and no two hints are the same."""
    for level in LEVELS:
        for seed in range(3):
            asked = Practised(id, level, seed)
            assert asked.name in told(asked, lang) and replies(asked, lang)
            hints = [told(replace(asked, did="hinted", hints=n), lang) for n in range(1, HINTS + 1)]
            assert len({*hints}) == HINTS
            assert told(replace(asked, did="shown", over=True), lang)
    assert "<details>" in printed(id, lang)


@pytest.mark.parametrize("id", PRACTISED)
def test_levels_ask_differently_and_seeds_for_other_numbers(id):
    drill = lessons()[id].practice.drill
    found = {level: [set_up(drill, level, seed) for seed in SEEDS] for level in LEVELS}
    assert all(one.kind in (*KINDS[level], "truth") for level, some in found.items() for one in some)
    assert all(len({str(one) for one in some}) > len(SEEDS) // 2 for some in found.values())
    set_up.__globals__["_set_up"].cache_clear()
    assert found == {level: [set_up(drill, level, seed) for seed in SEEDS] for level in LEVELS}


@pytest.mark.parametrize("id", PRACTISED)
def test_a_change_on_the_page_can_be_foretold(id):
    found = moving(lessons()[id].practice.drill, RUNNING, 1)
    assert found is not None and found.right != found.before
    moved, ask = found.moved, found.ask
    given = getattr(RUNNING, moved.part)
    assert given is None or moved.old in (given if isinstance(given, tuple) else (given,)), ask


def test_digits_that_leave_it_open_are_neither_right_nor_wrong():
    one = set_up(lessons()["why_lambda"].practice.drill, 3, 2)
    assert one.kind == "open"
    rough = Numeral(Fraction(round(float(one.right))), 0)
    assert grade(one, Answered(numbers=(rough,))).outcome in ("coarse", "wrong")
    assert grade(one, Answered(direction=sign(one.right))).outcome == "half"


def test_these_checks_can_fail():
    one = set_up(lessons()["why_lambda"].practice.drill, 3, 2)
    other = replace(one, right=one.right + 1)
    assert grade(other, said(one, one.right)).outcome == "wrong"
    assert not same(one.right, other.right)
