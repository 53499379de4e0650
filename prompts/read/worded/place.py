"""Which tokens a sentence speaks of, and what of them: the last two, A_1, the sum, the largest, every one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

ZH = dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
EN = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "twenty": 20,
    "fifty": 50,
    "hundred": 100,
}
NTH = {w: k for k, w in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"))}
_COUNT_ZH = re.compile(
    r"(?<![第一-鿿\d])(?:[共只还剩有余下每]{0,3})?([两二三四五六七八九十]) ?(?=个|步|条|份|位|token)|(?<=[共剩有余])"
    r"([一两二三四五六七八九十]) ?(?=个|步|条|份|位|token)"
)
_COUNT_EN = re.compile(
    rf"\b({'|'.join(EN)})\b(?=[ -](?:more |remaining |response |prompt |reply |of the |\w+ing )?"
    rf"(?:tokens?|steps?|responses?|deltas?|advantages?|returns?|td|positions?|ones|samples|answers"
    rf"|weights)\b)",
    re.IGNORECASE,
)
_OUT_OF = re.compile(rf"\b({'|'.join(EN)})\b(?= (?:out )?of (?:the |a group of )?\d)", re.IGNORECASE)
_RANGE = re.compile(
    r"\b(?P<end>last|final|first|other) (?P<n>two|three|four|\d{1,2})\b(?!\.\d)(?: (?:ones|tokens?|steps?))?"
    r"|(?P<zh>最后|末尾|前面?|头|后面?)(?P<k>[两二三四五六七八九]|\d{1,2}) ?(?:个|步|条)",
    re.IGNORECASE,
)
ORDINAL = re.compile(
    rf"\b(?P<en>{'|'.join(NTH)})(?: (?:one|token|step|response))?\b|第 ?(?P<zh>\d{{1,3}}|[一二三四五六七八九十]) ?"
    rf"(?:个|步|位|条|项|号)?(?: ?(?:token|词元))?"
    r"|\b(?P<num>\d{1,3})(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
FROM_END = re.compile(
    r"倒数第? ?(?P<zh>\d{1,3}|[一二三四五六七八九十]) ?(?:个|步|位|条|项)?(?: ?(?:token|词元))?"
    rf"|\b(?P<en>{'|'.join(list(NTH)[1:])})[- ](?:to[- ]|from[- ]the[- ])(?:last|end)(?: (?:one|token|step))?\b"
    r"|\b(?P<next>(?:next|one)[- ](?:to|before the)[- ]?last|penultimate|last but one)(?: (?:one|token|step))?\b",
    re.IGNORECASE,
)
LAST = re.compile(
    r"\b(?:very )?(?:last|final)(?: (?:one|token|step))?\b|最后(?:面)?(?:的|那|一)?(?:一|个|步|条)*(?: ?(?:token"
    r"|词元))?|末尾(?:那|的)?个?|末位",
    re.IGNORECASE,
)
_MIDDLE = re.compile(
    r"\bmiddle(?: (?:one|token|step))?\b|(?:正)?中间(?:的|那)?(?:那|个|步)*(?: ?(?:token|词元))?", re.IGNORECASE
)
_AT = re.compile(
    r"(?:(?<![A-Za-z])t ?= ?|\b(?:token|step|position|index|response) ?#?|词元 ?|位置 ?|下标 ?(?:为|是)? ?)"
    r"(?P<x>\d{1,3})(?![.\d])(?! ?(?:个|步|tokens))",
    re.IGNORECASE,
)
_HOW_MANY = {
    "sum": (
        r"\bsums?(?: up)?(?: to)?\b|\badd(?:s|ed)?(?: up)?(?: to)?\b|\btotals?\b|\badding\b|之和|总和|总共|加起来"
        r"|相加|合计|加总|求和|的和|后的?和|和(?=是|为|等于)|加到一起|Σ|\\sum\b"
    ),
    "mean": r"\bmeans?\b(?! that)|\baverages?\b|均值|平均值?",
    "largest": r"\b(?:largest|biggest|greatest|highest|max(?:imum)?|most)\b|最大(?:的|值)?|最高(?:的|值)?",
    "smallest": r"\b(?:smallest|least|lowest|min(?:imum)?)\b|最小(?:的|值)?|最低(?:的|值)?",
    "all": r"\b(?:every|each|all|both|any|everywhere|throughout|identical)\b|每(?:一)?(?:个|步|条)|都|全部?|所有|各个?",
    "only": r"\bonly\b|只有|仅有",
}
_HOW = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _HOW_MANY.items()), re.IGNORECASE)


def digits(text: str) -> str:
    """Counts in words, as digits: 三个 δ, four tokens."""
    text = _COUNT_EN.sub(lambda found: str(EN[found[1].lower()]), text)
    text = _OUT_OF.sub(lambda found: str(EN[found[1].lower()]), text)
    return _COUNT_ZH.sub(lambda found: found.group().replace(found[1] or found[2], str(ZH[found[1] or found[2]])), text)


@dataclass(frozen=True)
class Place:
    """The tokens, by their position from 0 (from the end if negative), or by a number as it is written."""

    at: tuple[int, ...]
    start: int
    end: int
    written: bool = False  # it may count from 0 or from 1
    middle: bool = False

    def among(self, length: int) -> tuple[int, ...]:
        if self.middle:
            return (length // 2,) if length % 2 else ()
        return tuple(t if t >= 0 else length + t for t in self.at if -length <= t < length)


def places(body: str) -> list[Place]:
    """All places that are named, each once, in the order of the text."""
    found: list[Place] = []
    for match in _RANGE.finditer(body):
        many = match["n"] or match["k"]
        n = int(many) if many.isdecimal() else {**ZH, **EN}[many.lower()]
        ahead = (match["end"] or match["zh"]).lower() in ("first", "前", "前面", "头")
        found.append(Place(tuple(range(n)) if ahead else tuple(range(-n, 0)), *match.span()))
    for pattern in (FROM_END, ORDINAL, LAST, _MIDDLE, _AT):
        for match in pattern.finditer(body):
            if not any(match.start() < one.end and one.start < match.end() for one in found):
                found.append(_place(pattern, match))
    return sorted(found, key=lambda one: one.start)


def _place(pattern: re.Pattern[str], match: re.Match[str]) -> Place:
    if pattern is LAST:
        return Place((-1,), *match.span())
    if pattern is FROM_END:
        return Place((-_from_end(match),), *match.span())
    if pattern is _MIDDLE:
        return Place((), *match.span(), middle=True)
    if pattern is _AT:
        return Place((int(match["x"]),), *match.span(), written=True)
    if match["en"]:
        return Place((NTH[match["en"].lower()],), *match.span())
    number = match["zh"] or match["num"]
    return Place(((ZH[number] if number in ZH else int(number)) - 1,), *match.span())


def _from_end(match: re.Match[str]) -> int:
    if match["next"]:
        return 2
    number = match["zh"]
    return NTH[match["en"].lower()] + 1 if not number else ZH[number] if number in ZH else int(number)


def how(body: str) -> list[tuple[str, int, int]]:
    """Sum, mean, largest, smallest, all, only: what is said of several, where."""
    return [(found.lastgroup or "", *found.span()) for found in _HOW.finditer(body)]


def spans(found: Sequence[Place]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in found]
