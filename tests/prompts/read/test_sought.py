"""What is asked to be solved for is read off the message; what asks for nothing of the kind is left alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lessons._lesson import lessons
from prompts.read.sought import Sought, sought

TABLE = tomllib.loads((Path(__file__).parents[1] / "solving.toml").read_text(encoding="utf-8"))
ENOUGH = 0.95  # of the messages that were kept apart


def said(found: Sought | None) -> tuple[str, str]:
    """The unknowns and the goals, as the table writes them."""
    if found is None:
        return "", ""
    unknowns = " ".join(one.name if one.index is None else f"{one.name}[{one.index}]" for one in found.unknowns)
    if len(found.unknowns) > 1:
        return unknowns, f"advantages = {list(found.stated)}"
    return unknowns, "; ".join(f"{g.fact}[{g.index}] {g.relation} {float(g.value):g}" for g in found.goals)


def right(message: str, unknown: str, goal: str) -> bool:
    return said(sought(message)) == (unknown, goal)


@pytest.mark.parametrize("row", TABLE["written"], ids=lambda row: row[0])
def test_the_unknown_and_what_is_to_hold_are_read(row):
    assert right(*row)


def test_so_are_they_in_messages_that_were_kept_apart():
    found = [right(*row) for row in TABLE["kept"]]
    assert sum(found) >= ENOUGH * len(found)


@pytest.mark.parametrize("message", TABLE["nothing"])
def test_other_questions_seek_nothing(message):
    assert sought(message) is None


def test_no_lessons_own_question_seeks_anything():
    assert not [q for lesson in lessons().values() for q in lesson.question.values() if sought(q)]


def test_the_numbers_beside_the_goal_are_what_is_given():
    found = sought("with rewards [0, 0, 1] and gamma 0.9: which lambda gives A_0 = 0.30?")
    assert found is not None
    assert "0.9" in found.rest
    assert "0.30" not in found.rest
    assert found.goals[0].decimals == 2


def test_a_number_that_is_given_is_not_asked_for():
    assert sought("what does λ = 0.5 make of A_0 = 0.3?") is None
    assert sought("which λ = 0.5 gives A_0 = 0.3") is None
