"""Arithmetic that a message does by itself: .44/6 = .0733, 8 ids + 6 ids = 14 ids, an equal split, a list counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from engine.audits import Claim
from engine.reckoning import operations, reckoned
from prompts.read.numbers.numerals import decimals_shown

MOST = 16  # equations of a message
LONGEST = 90  # characters of one side
_X = r"(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})%?"
_SIGNED = rf"[+-]? ?{_X}"
_CALL = r"(?:exp|log|ln|sqrt|min|max|abs|clip|clamp|mean|sum) ?\([-+\d.,*/ ()]{1,60}\)"
_RUN = r"[\d.%+\-*/×÷·^() ]"
_BOUND = r"(?<![\w.\])])"
_LINK = re.compile(
    r"==|=|≈|\bequals?\b|\bis\b|\bgives?\b|\bmakes?\b|\bcomes to\b|等于|得到|得出|就是|(?<![就还算都也总])是|得|约为"
)
_AFTER = re.compile(
    rf" {{0,2}}(?:about|roughly|exactly|only|just|约|大约|正好|刚好)? ?(?P<run>(?:{_SIGNED}|{_CALL})(?:{_RUN}*[\d%)])?)"
)
_TOTAL = re.compile(
    rf"{_BOUND}(?P<list>\[? ?{_SIGNED}(?:(?: ?(?:,|、|\+|and|和|与) ?(?:and |和 ?)?){_SIGNED}){{1,31}} ?\]?)"
    r"[^\d.,;=\n]{0,24}?(?:\badds? up to|\bsums? (?:up )?to|\btotals?|\bcomes? to|\badded up (?:is|are|makes?)"
    r"|(?:加起来|相加|合计|总共|之和|总和|的和)(?:[^\d,.;=\n]{0,4}(?:是|等于|为|得|=))?)"
    rf"[^\d.,;=\n]{{0,24}}?(?P<x>{_SIGNED})(?![\d%]|\.\d)",
    re.IGNORECASE,
)
_OF_LIST = re.compile(
    rf"\b(?P<what>sum|total|mean|average) of (?:the )?(?P<list>\[? ?{_SIGNED}(?:(?: ?(?:,"
    rf"|and) ?(?:and )?){_SIGNED}){{1,31}} ?\]?)"
    rf" ?(?:is|=|equals|≈) ?(?:about |exactly )?(?P<x>{_SIGNED})(?![\d%]|\.\d)",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    rf"{_BOUND}(?P<part>{_X}) ?(?:is|=|are|makes?) ?(?:about |only |exactly )?(?P<percent>{_X[:-2]}) ?(?:%"
    rf"|percent) of (?:the )?[^\d.,;=]{{0,20}}(?P<whole>{_X})"
    rf"|{_BOUND}(?P<part_zh>{_X}) ?(?:占|是) ?[^\d.,;=]{{0,8}}(?P<whole_zh>{_X}) ?的 ?(?:约"
    rf"|大约)?(?P<percent_zh>{_X[:-2]}) ?%"
    rf"|{_BOUND}(?P<percent_of>{_X[:-2]}) ?(?:%|percent) of (?:the )?[^\d.,;=]{{0,20}}(?P<whole_of>{_X}) ?(?:is|="
    rf"|gives) ?(?P<part_of>{_X})",
    re.IGNORECASE,
)
_EQUALLY = re.compile(
    r"\b(?:equal|even|uniform)(?:ly)?[- ](?:split|shar|divi|distribut|spread|credit|allocat)\w*"
    r"|\b(?:split|shar|divid|distribut|spread)\w*\b[^;]{0,40}\b(?:equally|evenly|uniformly)\b|平均分|平分|均分"
    r"|等分|均摊|平摊",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?<![\w.])(\d{1,4}) ?(?:response |reply )?(?:个|位)? ?(?:tokens?|steps?|actions?|responses?|parts|词元"
    r"|token|步|份)",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"(?:rewards?|scores?|credit|return|奖励|得分|分数|总分)(?: of| is|为|是| =|="
    rf"| )?(?P<behind> ?{_SIGNED})(?! ?(?:个|tokens?))"
    rf"|{_BOUND}(?P<before>{_X}) ?(?:reward|score|分|的?奖励)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?<![\w.])(?P<n>\d{1,4}) ?(?:个|条)? ?(?:(?:response|prompt|reply|回复|回答) )?"
    r"(?:tokens?|token ids|ids|words|entries|elements|numbers|values|rewards|词元|词|数字|数|元素|奖励|价值)"
    r"[^\[\]\d.;]{0,16}\[(?P<list>[^\[\]]{3,400})\]",
    re.IGNORECASE,
)
_SAID = r"[A-Za-z_\u3400-\u9fff][A-Za-z_ '\"\u3400-\u9fff]{1,24}?"  # what a number is of
_OPERATION = r"(?: ?[+*/×÷] ?| - | plus | minus | ?(?:加上?|减去?|乘以?|除以) ?)"
_TERM = rf"(?:{_SAID} ?{_BOUND}{_X}(?: ?{_SAID})??|{_BOUND}{_X} ?(?:个 ?)?{_SAID})"
_LABELLED = re.compile(
    rf"(?P<left>{_TERM}(?:{_OPERATION}{_TERM}){{1,7}}) ?(?:=|\bequals?\b|\bmakes?\b|\bgives?\b|等于|得到|一共是?|共) ?"
    rf"(?:{_SAID} )??{_BOUND}(?P<right>{_X})(?![\d%]|\.\d)",
    re.IGNORECASE,
)
_WORDS = {"plus": "+", "加": "+", "minus": "-", "减": "-", "乘": "*", "乘以": "*", "除以": "/"}
_SIGNS_AND_NUMBERS = re.compile(
    rf"{_BOUND}{_X}|[+*/×÷]|(?<= )-(?= )|\bplus\b|\bminus\b|加|减|乘以?|除以", re.IGNORECASE
)


class Sum(NamedTuple):
    """Something that was worked out, and what it is said to come to."""

    claim: Claim
    start: int
    end: int


def sums(text: str, whole: float | None = None) -> tuple[Sum, ...]:
    """Everything that a text works out by itself, in its order; `whole` is what is shared out where it is not said."""
    text = text.replace("\\times", "×").replace("\\cdot", "·")
    readers = (_counted, _equal_split, _percentages, _totals, _equations, _labelled)
    found: list[Sum] = []
    for reader in readers:
        for one in reader(text, whole):
            if not any(one.start < other.end and other.start < one.end for other in found):
                found.append(one)
    return tuple(sorted(found[:MOST], key=lambda one: one.start))


def _sum(written: str, correct: Fraction | int, stated: str, at: tuple[int, int], place: int) -> Sum:
    plain = stated.replace(" ", "")
    value = reckoned(plain.lstrip("+"))
    assert value is not None, "a number was found"
    shown = decimals_shown(plain)
    claim = Claim(written, float(value), shown, places=(place,), correct=Fraction(correct))
    return Sum(claim, *at)


def _equations(text: str, _: float | None) -> Iterator[Sum]:
    """What stands on both sides of an equals sign, or of a word like it, where both are numbers."""
    for link in _LINK.finditer(text):
        after = _AFTER.match(text, link.end())
        left = _before(text, link.start())
        if after is None or not left:
            continue
        right = _trimmed(after["run"])
        end = after.start("run") + len(right)
        whole = text[end : end + 1] not in ("]", "_") and not re.match(r" ?[*/×÷^(\w]", text[end : end + 2])
        if not whole or not right:
            continue
        values, worked = (reckoned(left), reckoned(right)), (operations(left), operations(right))
        if None in values or (worked[0] > 0) == (worked[1] > 0):
            continue
        at = text.rindex(left, 0, link.start()), end
        if worked[0] and values[0] is not None:
            yield _sum(_spaced(left), values[0], right, at, after.start("run"))
        elif values[1] is not None:
            yield _sum(_spaced(right), values[1], left, at, at[0])


def _before(text: str, end: int) -> str:
    """The longest expression that ends there, and is no part of a longer one with names in it."""
    for begin in range(max(0, end - LONGEST), end):
        start = _STARTS.match(text, begin)
        if start is None or reckoned(text[begin:end]) is None:
            continue
        ahead = text[:begin].rstrip()
        glued = ahead != text[:begin] or not ahead or not re.match(r"[\w.\])}]", ahead[-1]) or not ahead[-1].isascii()
        worked_with = ahead[-1:] in _OPERATORS or (start[0] in "+-" and re.search(r"[A-Za-z0-9_\])}]\Z", ahead))
        return text[begin:end].strip() if glued and not worked_with else ""
    return ""


_STARTS = re.compile(r"[-+(\d.]|(?:exp|log|ln|sqrt|min|max|abs|clip|clamp|mean|sum) ?\(")
_OPERATORS = tuple("+-*/×÷·^(")


def _trimmed(run: str) -> str:
    """A run of numbers and signs as far as it is an expression."""
    run = run.strip()
    while run and reckoned(run) is None:
        run = run[:-1].strip()
    return run


def _spaced(expression: str) -> str:
    signed = re.sub(r" ?(\*\*|[-+*/×÷·^]) ?", r" \1 ", expression.strip())
    return re.sub(r"(^|[(*/×÷·^+-] ?) ?([-+]) (?=[\d.])", r"\1\2", signed).strip()


def _totals(text: str, _: float | None) -> Iterator[Sum]:
    """.33, .33 and .34 add up to 1 · the mean of .1, .2 and .6 is .3"""
    for found in (*_TOTAL.finditer(text), *_OF_LIST.finditer(text)):
        numbers = [x.replace(" ", "") for x in re.findall(_SIGNED, found["list"])]
        values = [reckoned(x.lstrip("+")) for x in numbers]
        total = sum((x for x in values if x is not None), Fraction(0))
        averaged = found.re is _OF_LIST and found["what"].lower() in ("mean", "average")
        written = " + ".join(x.lstrip("+") for x in numbers)
        if averaged:
            written, total = f"({written}) / {len(numbers)}", total / len(numbers)
        yield _sum(written, total, found["x"], found.span(), found.start("x"))


def _percentages(text: str, _: float | None) -> Iterator[Sum]:
    """.39 is 39 % of .99 · 77 % of .99 is .762"""
    for found in _PERCENT.finditer(text):
        part, whole, percent = (
            found[name] or found[f"{name}_zh"] or found[f"{name}_of"] for name in ("part", "whole", "percent")
        )
        if not (reckoned(whole) or 0):
            continue
        if found["part_of"]:
            worked = f"{percent}% * {whole}"
            yield _sum(worked, reckoned(worked) or 0, part, found.span(), found.start("part_of"))
        else:
            worked = f"{part} / {whole}"
            name = "percent" if found["part"] else "percent_zh"
            yield _sum(worked, reckoned(worked) or 0, f"{percent}%", found.span(), found.start(name))


def _equal_split(text: str, whole: float | None) -> Iterator[Sum]:
    """An equal split gives each of 6 tokens .17."""
    said, parts = _EQUALLY.search(text), _PARTS.search(text)
    if said is None or parts is None or not int(parts[1]):
        return
    counted = text[: parts.start()] + " " * len(parts[0]) + text[parts.end() :]
    shared = _WHOLE.search(counted)
    amount = (shared["behind"] or shared["before"]) if shared else None
    amounts = list(re.finditer(rf"{_BOUND}{_SIGNED}", counted))
    if amount is not None and len(amounts) == 1:
        amount = None  # the one number is what each gets
    place = (shared.start("behind") if shared["behind"] else shared.start("before")) if shared and amount else -1
    left = [x for x in amounts if amount is None or not x.start() <= place + len(amount) - 1 < x.end()]
    if len(left) != 1:
        return
    stated = left[0]
    percent = stated[0].endswith("%")
    total = (reckoned(amount.replace(" ", "").lstrip("+")) if amount else None) or Fraction(
        str(whole if whole is not None else 1)
    )
    written = f"{'1' if percent else _plain(total)} / {parts[1]}"
    correct = (Fraction(1) if percent else total) / int(parts[1])
    yield _sum(
        written, correct, stated[0], (min(said.start(), stated.start()), max(said.end(), stated.end())), stated.start()
    )


def _plain(x: Fraction) -> str:
    return str(x.numerator) if x.denominator == 1 else f"{float(x):.12g}"


def _counted(text: str, _: float | None) -> Iterator[Sum]:
    """6 tokens: [a, b, c]; two commas with nothing between them are a comma that is listed."""
    for found in _COUNTED.finditer(text):
        if "..." in found["list"] or ":" in found["list"]:
            continue
        entries = [x.strip(" '\"") for x in re.split(r"[,、]", found["list"])]
        empty = sum(not x for x in entries)
        count = len(entries) - empty + (empty + 1) // 2
        yield Sum(
            Claim("T", float(found["n"]), 0, places=(found.start("n"),), correct=Fraction(count), counts=True),
            *found.span(),
        )


def _labelled(text: str, _: float | None) -> Iterator[Sum]:
    """8 prompt ids + 6 response ids = 14 ids: each number with words of its own."""
    for found in _LABELLED.finditer(text):
        pieces = _SIGNS_AND_NUMBERS.findall(found["left"])
        if not any(re.search(r"[A-Za-z\u3400-\u9fff]", x) for x in re.split(_SIGNS_AND_NUMBERS, found["left"])):
            continue
        written = " ".join(_WORDS.get(piece.lower(), piece) for piece in pieces)
        correct = reckoned(written)
        if correct is not None and operations(written):
            yield _sum(written, correct, found["right"], found.span(), found.start("right"))
