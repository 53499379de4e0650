"""Bracketed lists: partners, which hold numbers only, nested values, [0]*5 + [1]."""

from __future__ import annotations

import re
from typing import Any

from engine.errors import EngineError
from engine.scenario import LONGEST
from prompts.read.numbers.grouping import Group
from prompts.read.numbers.model import DEEPEST
from prompts.read.numbers.token import Token

CALLED = re.compile(
    r"(?:\w+\.)?(?:tensor|array|asarray|list|Tensor|FloatTensor|tuple|as_tensor|stack|cat|compute_\w+|\w*whiten\w*|gae|grpo|rloo|discounted|rewards?_to_go|nstep|kl_penalty|normalize)"
)
CLOSING = {"[": "]", "(": ")", "{": "}"}
INSIDE = frozenset(["number", "odd", "comma", "newline", "quote", "dots", "open", "close"])


def brackets(tokens: list[Token]) -> tuple[dict[int, int], frozenset[int], tuple[int, ...], EngineError | None]:
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
            if is_pure and matches and not single and (numbers or (tokens[opening].text == "[" and i - opening == 1)):
                pure.add(opening)
            elif stack:
                stack[-1][1] = 0
            if stack:
                stack[-1][2] += numbers
                if tokens[opening].text != tokens[stack[-1][0]].text:
                    stack[-1][1] = 0  # a call around a list, not a list of lists
        elif stack and token.kind in ("number", "odd"):
            stack[-1][2] += 1
        elif stack and token.kind not in INSIDE and token.text != "?":
            stack[-1][1] = 0
    unclosed = tuple(opening for opening, _, numbers in stack if numbers and tokens[opening].text != "(")
    error = EngineError("too_deep", depth=deepest, limit=DEEPEST) if deepest > DEEPEST else None
    return partner, frozenset(pure), unclosed, error


def list_at(tokens: list[Token], i: int, pure: frozenset[int]) -> Group | None:
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
