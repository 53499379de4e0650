"""Numbers without brackets: runs with separators, repetitions in words, powers; and what is not a datum."""

from __future__ import annotations

import re
from typing import Any

from engine.scenario import LONGEST
from prompts.read.numbers.cues import JOINS, links
from prompts.read.numbers.grouping import Group
from prompts.read.numbers.literals import power
from prompts.read.numbers.token import Token

SPOKEN = {"nothing": 0.0, "zero": 0.0, "one": 1.0, "零": 0.0}
COUNTS = dict(
    zip(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        range(2, 13),
        strict=True,
    )
)
CHINESE_COUNTS = dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
MANY = {"zeros": 0.0, "zeroes": 0.0, "0s": 0.0, "ones": 1.0, "1s": 1.0}
_UNIT = re.compile(
    r"(?:tokens?|steps?|samples?|rol{1,2}outs?|epochs?|responses?|answers?|years?|year-old|layers?|times?|lines?|rows?|columns?|items?|gpus?"
    r"|words?|people|seeds?|batches|minutes?|hours?|days?|models?|questions?|ways?|parts?|numbers?|lists?|st|nd|rd|th)\Z"
    r"|(?:个|条|岁|步|次|行|章|页|轮|层|遍|种|位|天|年|月|号|倍|多|来|类|部分|样本|万|千|百|字|回合|卡|点|道|句|段|人)"
)
_WHICH = frozenset(["token", "step", "词元"])
_BESIDE = frozenset(["number", "comma", "newline", "odd"])
_PAIRING = frozenset(["and", "和", "与", "跟"])
_EITHER = frozenset(["or", "或", "或者"])
_CHINESE_COUNT = re.compile(r"((?<![再加多补添])一|[二两三四五六七八九十])个$")
_TIMES = re.compile(r"[x×](\d{1,6})$")
_ZEROS = re.compile(r"(?:\w+\.)?(zeros|ones)$")


def repetition_at(tokens: list[Token], i: int) -> Group | None:
    """Five zeros then 1 · 五个0然后1 · 0 x5, 1 · zeros(5)."""
    if _repeated(tokens, i) is None:
        return None
    return _gathered(tokens, i)


def run_at(tokens: list[Token], i: int) -> Group | None:
    if tokens[i].kind == "odd":
        return _gathered(tokens, i) if _odd_datum(tokens, i) else None
    if not is_datum(tokens, i):
        return _power_at(tokens, i)
    return _gathered(tokens, i)


def _odd_datum(tokens: list[Token], i: int) -> bool:
    """Whether NaN, inf or None begins a run: right behind its name, or behind "are" where numbers follow."""
    if not i or tokens[i].text.lower() in ("true", "false"):
        return False
    before = tokens[i - 1]
    linked = before.kind == "word" and links(before.text) and tokens[i].value is not None
    return before.kind in ("equals", "name") or (linked and _goes_on(tokens, i + 1))


def _gathered(tokens: list[Token], i: int) -> Group:
    """Numbers and repetitions with nothing but separators between them."""
    values: list[Any] = []
    last, j, repeats = i, i, False
    elided = False
    while j < len(tokens):
        repeated = _repeated(tokens, j)
        if repeated:
            more, end = repeated
            values += more
            repeats = True
        elif (tokens[j].kind == "number" and is_datum(tokens, j)) or (
            tokens[j].kind == "odd" and (j == i or (values and (tokens[j - 1].kind in _BESIDE or _as_well(tokens, j))))
        ):
            values.append(tokens[j].value)
            end = j
        elif values and tokens[j].text in SPOKEN and _goes_on(tokens, j + 1):
            values.append(SPOKEN[tokens[j].text])
            end = j
        else:
            break
        last, j = end, _after_separators(tokens, end + 1)
        if _begins_another(tokens, i, end, j, len(values)):
            break
        if j < len(tokens) and tokens[j].kind == "dots":
            elided, last, j = True, j, _after_separators(tokens, j + 1)
    single = len(values) == 1 and not repeats
    return Group(values[0] if single else values, i, last, tokens[i].start, tokens[last].end, False, elided)


def _begins_another(tokens: list[Token], first: int, end: int, j: int, count: int) -> bool:
    """0 0 1 and 0.2 0.3 0.4 are two lists of one length; 0, 0 and 1 are one."""
    joined = any(tokens[k].text.lower() in _PAIRING for k in range(end + 1, min(j, len(tokens))))
    if not joined or count < 2 or any(tokens[k].text.lower() in _PAIRING for k in range(first, end)):
        return False
    following = 0
    while j < len(tokens) and (tokens[j].kind == "number" or (tokens[j].kind == "comma" and following)):
        following += tokens[j].kind == "number"
        j += 1
    return following == count


def _as_well(tokens: list[Token], j: int) -> bool:
    """1, 2 and nan are one list; 0 or nan are two possibilities."""
    return tokens[j].value is not None and tokens[j - 1].text.lower() not in _EITHER


def _goes_on(tokens: list[Token], j: int) -> bool:
    after = _after_separators(tokens, j)
    return after > j and after < len(tokens) and tokens[after].kind == "number"


def _after_separators(tokens: list[Token], j: int) -> int:
    seen = 0
    while j < len(tokens) and seen < 3 and (tokens[j].kind in ("comma", "newline", "quote") or _joins(tokens, j)):
        j, seen = j + 1, seen + 1
    return j


def _joins(tokens: list[Token], j: int) -> bool:
    token = tokens[j]
    if token.kind == "word":
        return token.text.lower() in JOINS or (
            token.text == "a" and j + 1 < len(tokens) and tokens[j + 1].kind == "number"
        )
    return (
        token.text in ("/", "|")
        and j > 0
        and tokens[j - 1].kind == "number"
        and j + 1 < len(tokens)
        and tokens[j + 1].kind == "number"
    )


def is_datum(tokens: list[Token], i: int) -> bool:
    """Whether a number states something: no part of an expression, no count of tokens or years, no bullet."""
    token = tokens[i]
    if token.kind != "number":
        return False
    before = tokens[i - 1] if i else None
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if before and before.kind == "operator" and before.text not in "|/~":
        return False
    if _in_quotient(tokens, i if after and after.text == "/" else i - 2):
        return False
    if after and after.kind == "operator" and after.text not in "|/":
        return False
    if after and after.kind == "open" and after.start == token.end:
        return False
    if (
        before
        and before.kind == "open"
        and i > 1
        and tokens[i - 2].kind in ("number", "operator", "close", "word")
        and tokens[i - 2].end == before.start
    ):
        return False
    if after and after.kind == "word" and _UNIT.match(after.text.lower()):
        return False
    if before and after and before.text.lower() in _WHICH and token.text.isdigit() and after.kind == "number":
        return False  # token 2 58%
    line_start = before is None or before.kind == "newline"
    bullet = (
        line_start
        and after is not None
        and after.text in (".", ")")
        and after.start == token.end
        and token.text.isdigit()
    )
    return not bullet and not (before and before.text in ("第", "Σ", "\\"))


def _in_quotient(tokens: list[Token], upper: int) -> bool:
    """0.6/0.5 = 1.2: a quotient that is worked out, where 0.6/0.5 alone would be two numbers."""
    if not 0 <= upper < len(tokens) - 4 or tokens[upper + 1].text != "/":
        return False
    worked = tokens[upper + 3].text in ("=", "≈") and tokens[upper + 4].kind == "number"
    return worked and tokens[upper].kind == "number" and tokens[upper + 2].kind == "number"


def _power_at(tokens: list[Token], i: int) -> Group | None:
    """10^400 as a number of its own."""
    if (
        i + 2 >= len(tokens)
        or tokens[i].kind != "number"
        or tokens[i + 2].kind != "number"
        or tokens[i + 1].text not in ("^", "**")
    ):
        return None
    if i and tokens[i - 1].kind not in ("equals", "name", "comma", "word"):
        return None
    size = power(tokens[i].value or 0.0, tokens[i + 2].value or 0.0)
    return Group(size, i, i + 2, tokens[i].start, tokens[i + 2].end, False)


def _repeated(tokens: list[Token], i: int) -> tuple[list[float], int] | None:
    """A counted number that begins at a token: its values and its last token."""
    here = tokens[i]
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if after is None:
        return None
    if here.kind == "word" and _ZEROS.fullmatch(here.text) and after.text == "(" and i + 3 < len(tokens):
        count = tokens[i + 2].value if tokens[i + 2].kind == "number" and tokens[i + 3].text == ")" else None
        return _many(count, 0.0 if "zeros" in here.text else 1.0, i + 3)
    count = (
        here.value if here.kind == "number" else float(COUNTS.get(here.text.lower(), 0)) if here.kind == "word" else 0.0
    )
    if count and after.kind == "word" and after.text.lower() in MANY:
        return _many(count, MANY[after.text.lower()], i + 1)
    if here.kind == "number" and after.kind == "word" and (times := _TIMES.fullmatch(after.text)):
        return _many(float(times[1]), here.value or 0.0, i + 1)
    if (
        here.kind == "number"
        and after.text == "×"
        and i + 2 < len(tokens)
        and tokens[i + 2].kind == "number"
        and here.text in ("0", "1")
    ):
        return _many(tokens[i + 2].value, here.value or 0.0, i + 2)
    counted = _CHINESE_COUNT.search(here.text) if here.kind == "word" else None
    if counted and after.kind == "number" and here.end == after.start:
        return _many(float(CHINESE_COUNTS[counted[1]]), after.value or 0.0, i + 1)
    if here.kind == "number" and after.text == "个" and i + 2 < len(tokens) and tokens[i + 2].kind == "number":
        return _many(here.value, tokens[i + 2].value or 0.0, i + 2)
    return None


def _many(count: float | None, value: float, last: int) -> tuple[list[float], int] | None:
    if count is None or count < 1 or count != int(min(count, 1e9)):
        return None
    return [value] * min(int(count), LONGEST + 1), last
