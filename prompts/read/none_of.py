"""No number of a list is negative, or some are: the sign that all of them would have otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

NONE = re.compile(
    r"\b(?:none of|no|not (?:a single|one(?: of)?|any(?: of)?)|without any)\b[^,.;]{0,24}?"
    r"\b(?:(?P<neg>negative|below (?:0|zero))|(?P<pos>positive|above (?:0|zero)))(?! (?:and|or|nor)\b)"
    r"|(?<!有)(?:没有?|无)(?:任何|一个|哪个)?[^,，。;；]{0,8}?(?:是|为)?(?:(?P<zh_neg>负)|(?P<zh_pos>正))(?:的|数|值|项)?(?!确|好|负|则|如)"
    r"|(?:一个|任何)(?:(?P<any_neg>负)|(?P<any_pos>正))(?:的|数|值|项)(?:也|都)?没有",
    re.IGNORECASE,
)
SOME = re.compile(
    r"^\W*+(?:(?:so|and|but|now)\W++)*+(?:is|are) (?:any|there (?:any|an?|some))\b[^,.;]{0,32}?"
    r"\b(?:(?P<neg>negative)|(?P<pos>positive))\b[^,.;]{0,24}\?"
    r"|有没有(?:一个|任何|哪个)?(?:是|为)?(?:(?P<zh_neg>负)|(?P<zh_pos>正))(?:的|数|值)"
    r"|有(?:一个|任何)?(?:(?P<any_neg>负)|(?P<any_pos>正))(?:的|数|值)[^,，。]{0,4}[吗么]",
    re.IGNORECASE,
)
_NOT_PLAIN = re.compile(
    r"\b(?:if|when|must|always|never|except|only|almost|nearly|possible|can|could|may|RLHF|PPO|expect\w*)\b|n't\b"
    r"|如果|要是|必须|一定|总是|除了|几乎|不是|不会|并非|可能|期望|时",
    re.IGNORECASE,
)


def none_of(text: str, words: re.Pattern[str] = NONE) -> tuple[str, Callable[[Any], bool]] | None:
    """None of the deltas is negative · k1 没有负的; by what asks for one of them: is any of the deltas negative?"""
    found = words.search(text)
    if found is None or len(words.findall(text)) > 1 or _NOT_PLAIN.search(text):
        return None
    negative = found["neg"] or found["zh_neg"] or found["any_neg"]
    return ("≥ 0", lambda x: x >= 0) if negative else ("≤ 0", lambda x: x <= 0)
