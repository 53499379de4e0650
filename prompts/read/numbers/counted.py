"""Rewards of a group told by how many responses got them: two got 1 and three got 0, 4个对2个错."""

from __future__ import annotations

import re

from engine.scenario import WIDEST
from prompts.read.numbers.cues import says
from prompts.read.numbers.runs import CHINESE_COUNTS, COUNTS

_COUNT = (
    r"(?<![\d.])(?P<n>\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[一二两三四五六七八九十])"
)
_X = r"(?P<x>[+-]?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))(?!\d|\.\d)"
_OF_ALL = r"(?:of (?:them|these|the \w+) |(?:responses?|answers?|samples?|rollouts?|个|条|份|次)?"
_GET = r"got|gets?|with|ha(?:ve|s)|scor(?:e|ed)|receiv(?:e|ed)|are|were|earn(?:ed)?"
_GOT = re.compile(
    rf"{_COUNT} ?{_OF_ALL} ?(?:回答|样本|答案|回复)?)?"
    rf"(?: ?(?:\w+ ){{0,2}}?(?:{_GET})|得了?|是|拿了?|奖励(?:是|为)?|有)"
    rf" ?(?:an? )?(?:reward (?:of )?|score (?:of )?|奖励(?:是|为)?)?{_X} ?(?:分)?",
    re.IGNORECASE,
)
_ARE = r" ?(?:个|条|份|次)? ?(?:(?:are|were|is) )?"
_RIGHT = re.compile(
    rf"{_COUNT}{_ARE}(?:correct|right|solved|passed|successes|成功|答对|做对|正确|对)(?!于|比|数)", re.IGNORECASE
)
_WRONG = re.compile(rf"{_COUNT}{_ARE}(?:wrong|incorrect|failed|failures|失败|答错|做错|错误|错)", re.IGNORECASE)
_REST = r"\b(?:the )?(?:rest|others?|remaining(?: ones)?)\b|其余|其他|剩下|剩余|另外的"
_REST_GOT = re.compile(rf"(?:{_REST})[^.。;\n\d]{{0,16}}{_X}", re.IGNORECASE)
_ALL = re.compile(
    rf"{_COUNT} ?(?:个|条|份)? ?(?:\w+ )?(?:responses?|answers?|samples?|rollouts?|completions?|回答|样本|答案|回复)"
    r"|group (?:of|size(?: of| =)?) ?(?P<size>\d{1,4})",
    re.IGNORECASE,
)


def counted_group(text: str) -> list[float]:
    """The rewards of a group that is told by counts; empty where it is not, or where the counts leave it open."""
    if not says("group", text):
        return []
    got = [(_number(m["n"]), float(m["x"])) for m in _GOT.finditer(text)]
    if len(got) < 2:
        got = _right_and_wrong(text) or got
    elif all(x == got[0][1] for _, x in got):
        return []
    rest = _REST_GOT.search(text)
    whole = _ALL.search(text)
    size = _number(whole["n"] or whole["size"]) if whole else None
    if len(got) == 1 and rest and size and size > got[0][0]:
        got = [*got, (size - got[0][0], float(rest["x"]))]
    if len(got) < 2 or sum(n for n, _ in got) > WIDEST:
        return []
    return [x for n, x in got for _ in range(n)]


def _right_and_wrong(text: str) -> list[tuple[int, float]]:
    """Right answers get 1 and wrong ones 0, where nothing else is said."""
    right, wrong, whole = _RIGHT.search(text), _WRONG.search(text), _ALL.search(text)
    size = _number(whole["n"] or whole["size"]) if whole else None
    if right is None and wrong is None:
        return []
    n_right = _number(right["n"]) if right else None
    n_wrong = _number(wrong["n"]) if wrong else None
    if n_right is None and size is not None and n_wrong is not None:
        n_right = size - n_wrong
    if n_wrong is None and size is not None and n_right is not None:
        n_wrong = size - n_right
    if n_right is None or n_wrong is None or min(n_right, n_wrong) < 0:
        return []
    return [(n_right, 1.0), (n_wrong, 0.0)]


def _number(written: str) -> int:
    return int(written) if written.isdecimal() else COUNTS.get(written.lower()) or CHINESE_COUNTS.get(written) or 1
