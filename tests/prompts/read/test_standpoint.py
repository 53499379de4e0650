"""Before or after which token a value is read."""

from __future__ import annotations

import pytest

from prompts.read.standpoint import standpoint
from prompts.tutor import Request, answer

RIGHT = [
    "values[:, 0] is the value before the first token, right?",
    "values[:, 1] is read after the first token",
    "values[:, 0] is not evaluated after the first token",
    "values[:,2] 是第三个 token 生成之前的估计",
    "values[:, t+1] is the value after token t",
    "V_t 是写 token t 之前的价值，对吧",
]
WRONG = [
    "values[:, 0] is V after the first token, right?",
    "values[:, t+1] is the value before token t",
    "values[:,0] 不是第一个 token 写完之后的价值吗",
    "old_values[:, 1] 是第二个 token 之后的 V",
    "values[:, 0] is not evaluated before the first token",
]
NOT_READ = [
    "values[:, 3] is the value before the first token",
    "values[:, 1] is the value before token t",
    "values[:, 0] is computed after the first token has been rewarded",
    "values[:, 0] before or after the first token?",
    "returns[:, 0] is what comes after the first token",
]


@pytest.mark.parametrize("sentence", RIGHT)
def test_where_a_value_stands_is_read(sentence: str) -> None:
    assert answer(Request((sentence,))).verdict == "true"


@pytest.mark.parametrize("sentence", WRONG)
def test_one_place_off_is_false(sentence: str) -> None:
    assert answer(Request((sentence,))).verdict == "false"


@pytest.mark.parametrize("sentence", NOT_READ)
def test_what_says_more_is_left_to_others(sentence: str) -> None:
    assert standpoint(sentence) is None
