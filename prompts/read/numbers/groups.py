"""Tokens to groups: bracketed lists, bare runs of numbers, repetitions, single numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.errors import EngineError
from engine.scenario import LONGEST
from prompts.read.numbers.literals import power
from prompts.read.numbers.model import DEEPEST
from prompts.read.numbers.tokens import Token

CALLED = re.compile(
    r"(?:\w+\.)?(?:tensor|array|asarray|list|Tensor|FloatTensor|tuple|as_tensor|stack|cat|compute_\w+|\w*whiten\w*|gae|grpo|rloo|discounted|rewards?_to_go|nstep|kl_penalty|normalize)"
)
CLOSING = {"[": "]", "(": ")", "{": "}"}
INSIDE = frozenset(["number", "odd", "comma", "newline", "quote", "dots", "open", "close"])
AND = frozenset(
    [
        "and",
        "then",
        "和",
        "与",
        "以及",
        "然后",
        "再",
        "接着",
        "跟",
        "or",
        "&",
        "还有",
        "加",
        "加上",
        "外加",
        "再是",
        "最后",
        "或",
        "或者",
        "finally",
        "vs",
        "versus",
        "跟取",
        "和取",
        "与取",
        "或取",
    ]
)
SPOKEN = {"nothing": 0.0, "zero": 0.0, "one": 1.0, "零": 0.0}
COUNTS = dict(zip("two three four five six seven eight nine ten eleven twelve".split(), range(2, 13), strict=True))
CHINESE_COUNTS = dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
MANY = {"zeros": 0.0, "zeroes": 0.0, "0s": 0.0, "ones": 1.0, "1s": 1.0}
_UNIT = re.compile(
    r"(?:tokens?|steps?|samples?|rol{1,2}outs?|epochs?|responses?|answers?|years?|year-old|layers?|times?|lines?|rows?|columns?|items?|gpus?"
    r"|words?|people|seeds?|batches|minutes?|hours?|days?|models?|questions?|ways?|parts?|numbers?|lists?|st|nd|rd|th)\Z"
    r"|(?:个|条|岁|步|次|行|章|页|轮|层|遍|种|位|天|年|月|号|倍|多|来|类|部分|样本|万|千|百|字|回合|卡|点|道|句|段|人)"
)
_BESIDE = frozenset(["number", "comma", "newline", "odd"])
_CHINESE_COUNT = re.compile(r"([一二两三四五六七八九十])个$")
_TIMES = re.compile(r"[x×](\d{1,6})$")
_ZEROS = re.compile(r"(?:\w+\.)?(zeros|ones)$")


@dataclass(frozen=True)
class Group:
    """Numbers that belong together. value: a float for one bare number, else a list (of lists)."""

    value: Any
    first: int  # tokens
    last: int
    start: int  # characters
    end: int
    bracketed: bool
    elided: bool = False

    @property
    def scalar(self) -> bool:
        return not isinstance(self.value, list)


@dataclass(frozen=True)
class Grouping:
    groups: tuple[Group, ...]
    partner: dict[int, int]  # opening bracket → closing bracket, by token
    open_numbers: tuple[int, ...]  # brackets that hold numbers and are never closed
    error: EngineError | None

    @cached_property
    def opening(self) -> dict[int, int]:
        """Closing bracket → opening bracket, by token."""
        return {closing: opening for opening, closing in self.partner.items()}


def group(tokens: list[Token]) -> Grouping:
    """All groups in the order of the text."""
    partner, pure, unclosed, error = _brackets(tokens)
    if error is not None:
        return Grouping((), partner, unclosed, error)
    groups: list[Group] = []
    i = 0
    while i < len(tokens):
        found = _list_at(tokens, i, partner, pure) or _repetition_at(tokens, i) or _run_at(tokens, i)
        if found is None:
            i += 1
            continue
        groups.append(found)
        if isinstance(found.value, list) and _longest(found.value) > LONGEST:
            error = error or EngineError(
                "too_long", field="list", position=(), length=_longest(found.value), limit=LONGEST
            )
        i = found.last + 1
    return Grouping(tuple(groups), partner, unclosed, error)


def _longest(value: list[Any]) -> int:
    return max([len(value), *(_longest(v) for v in value if isinstance(v, list))])


# ---------------------------------------------------------------- brackets


def _brackets(tokens: list[Token]) -> tuple[dict[int, int], frozenset[int], tuple[int, ...], EngineError | None]:
    """Partners, which pairs hold numbers only, which openings hold numbers and stay open, too deep or not."""
    partner: dict[int, int] = {}
    pure: set[int] = set()
    stack: list[list[int]] = []  # opening token, 1 while pure, numbers inside
    deepest = 0
    for i, token in enumerate(tokens):
        if token.kind == "open":
            stack.append([i, 1, 0])
            deepest = max(deepest, len(stack))
        elif token.kind == "close" and stack:
            opening, is_pure, numbers = stack.pop()
            partner[opening] = i
            matches = CLOSING[tokens[opening].text] == token.text
            single = numbers == 1 and tokens[opening].text != "[" and i - opening == 2
            if is_pure and matches and not single and (numbers or tokens[opening].text == "["):
                pure.add(opening)
            elif stack:
                stack[-1][1] = 0
            if stack:
                stack[-1][2] += numbers
                if tokens[opening].text != tokens[stack[-1][0]].text:
                    stack[-1][1] = 0  # a call around a list, not a list of lists
        elif stack and token.kind in ("number", "odd"):
            stack[-1][2] += 1
        elif stack and token.kind not in INSIDE and not (token.kind == "other" and token.text == "?"):
            stack[-1][1] = 0
    unclosed = tuple(opening for opening, _, numbers in stack if numbers and tokens[opening].text != "(")
    error = EngineError("too_deep", depth=deepest, limit=DEEPEST) if deepest > DEEPEST else None
    return partner, frozenset(pure), unclosed, error


def _list_at(tokens: list[Token], i: int, partner: dict[int, int], pure: frozenset[int]) -> Group | None:
    """A bracketed list, with *n and + [more] behind it."""
    if i not in pure:
        return None
    before = tokens[i - 1] if i else None
    if before and before.end == tokens[i].start and _is_call_or_index(tokens, i, before):
        return None
    value, last, elided = _nested(tokens, i)
    while last + 2 < len(tokens) and tokens[last + 1].kind == "operator":
        sign, after = tokens[last + 1].text, tokens[last + 2]
        if (
            sign == "*"
            and after.kind == "number"
            and after.value is not None
            and after.value == int(min(after.value, 1e9)) >= 0
        ):
            if len(value) * after.value > 2 * LONGEST:
                value = [*value, *[0.0] * (LONGEST + 1)]  # refused as too long without being made
            else:
                value, last = value * int(after.value), last + 2
                continue
            break
        if sign != "+" or last + 2 not in pure:
            break
        more, last, more_elided = _nested(tokens, last + 2)
        if last + 2 < len(tokens) and tokens[last + 1].text == "*" and tokens[last + 2].kind == "number":
            more, last = more * min(int(min(tokens[last + 2].value or 0, 1e9)), 2 * LONGEST), last + 2
        value, elided = [*value, *more][: 2 * LONGEST], elided or more_elided
    return Group(value, i, last, tokens[i].start, tokens[last].end, True, elided)


def _is_call_or_index(tokens: list[Token], i: int, before: Token) -> bool:
    """clamp(-10, 10) and f(x)[0] hold arguments and indices."""
    if before.kind == "close":
        return tokens[i].text == "[" and tokens[i + 2].kind == "close"
    return (
        before.kind == "word" and before.text.isascii() and tokens[i].text == "(" and not CALLED.fullmatch(before.text)
    )


def _nested(tokens: list[Token], i: int) -> tuple[list[Any], int, bool]:
    """The nested list that opens at a token, its closing token, and whether it says "..." """
    levels: list[list[Any]] = [[]]
    elided = False
    j = i + 1
    while True:
        token = tokens[j]
        if token.kind == "open":
            levels.append([])
        elif token.kind == "close":
            done = levels.pop()
            if not levels:
                return done, j, elided
            levels[-1].append(done)
        elif token.kind in ("number", "odd"):
            levels[-1].append(token.value)
        elif token.text == "?":
            levels[-1].append(None)
        elided = elided or token.kind == "dots"
        j += 1


# ---------------------------------------------------------------- bare runs


def _repetition_at(tokens: list[Token], i: int) -> Group | None:
    """Five zeros then 1 · 五个0然后1 · 0 x5, 1 · zeros(5)."""
    if _repeated(tokens, i) is None:
        return None
    return _gathered(tokens, i)


def _run_at(tokens: list[Token], i: int) -> Group | None:
    if tokens[i].kind == "odd":
        named = i and tokens[i - 1].kind in ("equals", "name") and tokens[i].text.lower() not in ("true", "false")
        return _gathered(tokens, i) if named else None
    if not is_datum(tokens, i):
        return _power_at(tokens, i)
    return _gathered(tokens, i)


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
        elif tokens[j].kind == "number" and is_datum(tokens, j):
            values.append(tokens[j].value)
            end = j
        elif tokens[j].kind == "odd" and (j == i or (values and tokens[j - 1].kind in _BESIDE)):
            values.append(tokens[j].value)
            end = j
        elif values and tokens[j].text in SPOKEN and _goes_on(tokens, j + 1):
            values.append(SPOKEN[tokens[j].text])
            end = j
        else:
            break
        last, j = end, _after_separators(tokens, end + 1)
        if j < len(tokens) and tokens[j].kind == "dots":
            elided, last, j = True, j, _after_separators(tokens, j + 1)
    single = len(values) == 1 and not repeats
    return Group(values[0] if single else values, i, last, tokens[i].start, tokens[last].end, False, elided)


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
        return token.text.lower() in AND or (
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
    """Whether a number states something: not part of an expression, not counting tokens or years, not an item's bullet."""
    token = tokens[i]
    if token.kind != "number":
        return False
    before = tokens[i - 1] if i else None
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if before and before.kind == "operator" and before.text not in "|/~":
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
    line_start = before is None or before.kind == "newline"
    bullet = (
        line_start
        and after is not None
        and after.text in (".", ")")
        and after.start == token.end
        and token.text.isdigit()
    )
    return not bullet and not (before and before.text in ("第", "Σ", "\\"))


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
