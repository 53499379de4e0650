"""Conversations through the batch contract: lesson, language, form, numbers and errors of the last answer."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from tests.reading.dialogues import Followed, dialogues, follow_all, followed

COUNT = len(dialogues())


@cache
def found() -> tuple[Followed, ...]:
    return follow_all(dialogues())


@pytest.mark.parametrize("i", range(COUNT))
def test_a_dialogue_is_followed(i: int) -> None:
    one = found()[i]
    assert not one.wrong, (one.expected, one.answer.params, one.answer.error)


def test_the_comparison_can_fail() -> None:
    one = next(one for one in found() if "params" in one.expected)
    assert followed(one.expected, replace(one.answer, params={})).wrong
    assert followed(one.expected, replace(one.answer, form="quiz", lesson="none")).wrong
    assert followed(one.expected, replace(one.answer, error={"code": "missing", "message": ""})).wrong
