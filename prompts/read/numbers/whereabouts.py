"""Which token words speak of: the first advantage, 第2个 token 的优势, at t = 1, of token 3, the last one."""

from __future__ import annotations

import re

_ZH = dict(zip("一二三四五六七八九十", range(1, 11), strict=True))
_EN = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_LAST = re.compile(r"最后|末尾|末位|\blast\b|\bfinal\b", re.IGNORECASE)
_ORDINAL = re.compile(
    rf"第 ?(?P<zh>\d{{1,4}}|[一二三四五六七八九十]) ?(?:个|步|位|项)|\b(?P<nth>\d{{1,4}})(?:st|nd|rd|th)\b"
    rf"|\b(?P<en>{'|'.join(_EN)})\b",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"(?:(?<![A-Za-z])t ?= ?|\b(?:token|step|position|index|timestep) ?#?|词元 ?|位置 ?|下标 ?(?:为|是)? ?)"
    r"(\d{1,4})(?![.\d])",
    re.IGNORECASE,
)


def ordinal(words: str) -> int | None:
    """The one token that is counted off, from 0; -1 is the last."""
    found = {_counted(said) for said in _ORDINAL.finditer(words)} | ({-1} if _LAST.search(words) else set())
    return found.pop() if len(found) == 1 else None


def written(words: str) -> int | None:
    """The one token whose number is written, as it is written: counting may begin at 0 or at 1."""
    found = {int(said[1]) for said in _WRITTEN.finditer(words)}
    return found.pop() if len(found) == 1 else None


def _counted(said: re.Match[str]) -> int:
    if said["en"]:
        return _EN.index(said["en"].lower())
    number = said["zh"] or said["nth"]
    return (_ZH[number] if number in _ZH else int(number)) - 1
