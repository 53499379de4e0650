"""Numbers that are counted off, as the list they are: first 0, second 1, the last 3; steps told from the last on."""

from __future__ import annotations

import re
from itertools import pairwise

X = r"[+-]?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})"
_NAMES_ZH = r"奖励|价值|优势|回报|得分|TD ?误差|δ|概率"
_NAMES_EN = r"rewards?|values?|advantages?|returns?|deltas?|td errors?|scores?"
_ORDINALS_ZH = ("0", "一|1", "二|2", "三|3", "四|4", "五|5", "六|6", "七|7", "八|8", "九|9", "十|10")
_ORDINALS_EN = (
    "first|1st",
    "second|2nd",
    "third|3rd",
    "fourth|4th",
    "fifth|5th",
    "sixth|6th",
    "seventh|7th",
    "eighth|8th",
)
_SEPARATED = r" ?(?:,|，|;|；|、|and|和|\.)? ?"


def _nth_zh(ordinal: str) -> re.Pattern[str]:
    which = r"最后(?:一|1)?个?" if ordinal == "last" else rf"第 ?(?:{ordinal}) ?(?:个|步|位|项|条)?"
    return re.compile(
        rf"{_SEPARATED}{which} ?(?:token|词元|字|时刻|回答)? ?(?:的)?(?P<name>{_NAMES_ZH})? ?(?:是|为|得|=|:|：)? ?"
        rf"(?P<x>{X})(?!\d|\.\d)",
        re.IGNORECASE,
    )


def _nth_en(ordinal: str) -> re.Pattern[str]:
    which = "last|final" if ordinal == "last" else ordinal
    return re.compile(
        rf"{_SEPARATED}(?:then )?(?:(?:the )?(?P<before>{_NAMES_EN}) )?(?:of |for )?(?:the )?\b(?:{which})"
        rf"(?: (?:(?P<name>{_NAMES_EN})|one|token|step|response))?(?:'s (?P<after>{_NAMES_EN}))?"
        rf"(?: (?:is|gets|has|was|of))?[ :=]{{1,3}}(?P<x>{X})(?!\d|\.\d)",
        re.IGNORECASE,
    )


_LANGUAGES = (
    ("第", tuple(map(_nth_zh, _ORDINALS_ZH)), _nth_zh("last")),
    ("第", tuple(map(_nth_zh, _ORDINALS_ZH[1:])), _nth_zh("last")),
    ("st", tuple(map(_nth_en, _ORDINALS_EN)), _nth_en("last")),
)
_STEP = re.compile(
    r"(?:\b(?:for |at )?(?:t ?= ?|token |step )|第 ?)(\d{1,4}) ?(?:个 ?token|个|步)? ?[:：,，]", re.IGNORECASE
)
_STOP = re.compile(r"[.。;；](?=\s|$)|\n")


def in_order(text: str) -> str:
    """The text with what is counted off written as lists, and with steps in the order of the tokens."""
    for mark, ordinals, last in _LANGUAGES:
        if mark in text:
            text = _listed(text, ordinals, last)
    return _forwards(text)


def _listed(text: str, ordinals: tuple[re.Pattern[str], ...], last: re.Pattern[str]) -> str:
    """At least two in order, from the first on; the last one may close."""
    position = 0
    while (found := ordinals[0].search(text, position)) is not None:
        said, end = [found], found.end()
        for pattern in (*ordinals[1:], last):
            one = pattern.match(text, end)
            if one is not None:
                said, end = [*said, one], one.end()
        if len(said) > 1 and len({name for one in said if (name := _name(one))}) <= 1:
            listed = f" {_name(found)} [{', '.join(one['x'] for one in said)}]"
            text = text[: found.start()] + listed + text[end:]
            end = found.start() + len(listed)
        position = max(end, found.start() + 1)
    return text


def _name(found: re.Match[str]) -> str:
    return next((x.lower() for name, x in found.groupdict().items() if name != "x" and x), "")


def _forwards(text: str) -> str:
    """t=1: A = 0.3. t=0: A = 0.5 in the order of the tokens."""
    steps = list(_STEP.finditer(text))
    labels = [int(step[1]) for step in steps]
    if len(labels) < 2 or any(a - b != 1 for a, b in pairwise(labels)):
        return text
    stop = _STOP.search(text, steps[-1].end())
    end = stop.end() if stop else len(text)
    starts = [*(step.start() for step in steps), end]
    parts = [text[a:b].strip() for a, b in pairwise(starts)]
    return f"{text[: starts[0]]}{' '.join(reversed(parts))} {text[end:]}"
