"""Rewards in general: 1/0 or 1/-1 are what a reward can be, and no fraction; 0 or 1 makes no difference."""

from __future__ import annotations

import re

_PAIR = re.compile(
    r"(?<![\d./\[(,=:±])(?<![,=:\[(] )(?<!\w\.)[+-]?[01] ?/ ?(?:[+-]?0|-1|(?<=0/)1|(?<=0 / )1)"
    r"(?![\d./%])(?! ?[/\])])"
)
_GENERAL = re.compile(
    r"区别|差别|差异|一样|相同|影响|无关|\bmatters?\b|\bdifferen(?:ce|t)\b|\bthe same\b|\bregardless\b"
    r"|\birrelevant\b|\baffects?\b",
    re.IGNORECASE,
)
_ONE = r"[+-]?\d{1,4}(?:\.\d{1,4})?"
_OR = re.compile(
    rf"(?<![\d.\[(,=])(?<![,=] ){_ONE}(?: ?(?:还是|或者?|\bor\b|\bvs\.?|\bversus\b) ?{_ONE}){{1,2}}"
    r"(?![\d.%])(?! ?(?:[\])/]|, ?[\d.+\-\[]))",
    re.IGNORECASE,
)
_REWARDS = re.compile(r"奖励|得分|打分|\brewards?\b|\bscores?\b", re.IGNORECASE)


def either(text: str) -> str:
    """The message without numbers that are only alternatives."""
    text = _PAIR.sub(" ", text)
    general = _GENERAL.search(text) and _REWARDS.search(text) and not re.search(r"[\[=]", text)
    return _OR.sub(" ", text) if general else text
