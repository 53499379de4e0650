"""Comparisons with a number, beside what else is said of a quantity: larger than 1, 比 1 小, positive."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from prompts.read.worded.figure import NUMERAL, Figure, U

_END = r"(?![\d%]|\.\d| ?[-+*/^×·] ?[\w(]| ?(?:倍|个|步|次|tokens?\b|steps?\b|times\b))"
_BOUND = rf"[-+]?{U}{_END}|zero\b|零"
_LEAD = (
    r"(?:[,，、;]? ?(?:\b(?:and|so|thus|hence|which|it|this|that|also|is|are|was|must be|will be|would be|should be"
    r"|definitely)\b|而且|并且|也就|所以|因此|就|会|要|应该|必然|一定|是|它|、)? ?){0,4}"
)
_COMPARED = re.compile(
    rf"{_LEAD}(?:"
    rf"(?:比|跟|较) ?(?P<than>{_BOUND}) ?(?:还|要|更|稍|略|来得|都){{0,2}}(?:(?P<a_more>[大高多])|[小低少])(?:一点"
    rf"|一些|些)?"
    rf"|(?:(?P<b_more>(?<![<>=-])>(?!=)|大于|高于|超过|多于|\bexceeds\b|\b(?:larger|bigger|greater|higher|more) than\b"
    rf"|\babove\b)|(?<![<>=-])<(?!=)|小于|低于|少于|不到|不足|\b(?:smaller|less|lower|fewer) than\b|\bbelow\b)"
    rf" ?(?P<of>{_BOUND})(?:的)?"
    r"|(?P<c_more>\bpositive\b|(?<=[是为])正(?:的|数|值|(?=\W|$)))|(?:\bnegative\b|(?<=[是为])负(?:的|数|值|(?=\W|$)))"
    r")(?! (?:before|after|at|for) )",
    re.IGNORECASE,
)
_AND_IS = re.compile(
    r" ?[(,，、:;]? ?(?:and is |and |so |namely |即|也就是|是|it is |which is |就)?(?=(?:约|大约|大概|差不多|about"
    r"|around"
    r"|roughly"
    r"|approximately|≈|=|~|等于|是|equals|at |exactly)? ?[为是]? ?(?P<number>[-+]?[\d.]))",
    re.IGNORECASE,
)
_UNREAD = re.compile(
    r"\b(?:larger|smaller|greater|bigger|higher|lower|more|less|fewer|above|below|exceeds?|positive|negative|twice|half"
    r"|at least|at most|never|always)\b|大于|小于|高于|低于|超过|不到|至少|至多|比[^,，。]{1,12}[大小高低多少]"
    r"|[是为][正负]|(?<!-)[<>≤≥]",
    re.IGNORECASE,
)


_SUPPOSED = re.compile(
    r"(?:^|[,，;；:。])\s*(?:\bif\b|\bwhen\b|\bwhenever\b|如果|若|要是|当|假如|只要)[^,，;；:。]*$"
    r"|[不没]\s*$",
    re.IGNORECASE,
)


class Compared(NamedTuple):
    """The number that something is said to be above or below, where it stood, and whether that is only supposed."""

    bound: Figure
    start: int
    supposed: bool = False


def comparisons(body: str) -> tuple[list[Compared], str]:
    """Every comparison, and the words without them; a figure behind one is the figure of the same name."""
    found: list[Compared] = []
    while match := _COMPARED.search(body):
        more = match["a_more"] or match["b_more"] or match["c_more"]
        written = (match["than"] or match["of"] or "0").lower()
        value = Fraction(0) if written in ("zero", "零") else Fraction(written)
        shown = "0" if not value else written
        bound = Figure(value, 0, shown, 0, 0, relation=">" if more else "<")
        found.append(Compared(bound, match.start(), _SUPPOSED.search(body[: match.start()]) is not None))
        joined = _AND_IS.match(body, match.end())
        end = joined.end() if joined and _a_number(body, joined) else match.end()
        body = f"{body[: match.start()].rstrip()} {body[end:].lstrip()}"
    return found, body


def _a_number(body: str, joined: re.Match[str]) -> bool:
    return NUMERAL.match(body, joined.end()) is not None or NUMERAL.match(body, joined.start("number")) is not None


def half_understood(rest: str) -> bool:
    """Whether a comparison is left that nobody has read."""
    return _UNREAD.search(rest) is not None
