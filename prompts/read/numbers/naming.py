"""Which token names a group: what may stand between a name and its numbers, and what makes a name part of a formula."""

from __future__ import annotations

import re

from prompts.read.numbers.cues import LINKS, SCALARS, links
from prompts.read.numbers.grouping import Group, Grouping
from prompts.read.numbers.token import Token

FURTHEST = 14  # tokens between a list and its name
_FORMULA = frozenset(["number", "operator", "open", "close", "name", "equals", "sign", "quote", "comma"])
_FUNCTIONS = frozenset(["e", "exp", "log", "ln", "sqrt"])
_STEP_BACK = frozenset(["quote", "equals", "other", "dots"])
_CALCULATED = frozenset(["number", "operator", "close"])
_TAKEN_TOGETHER = re.compile(
    r"(?:之?总?和|加起来|加在一起|相加|累加|合计|总共|平均|均值|之积)|(?:all )?(?:sums?|adds?|totals?|averages?)\b",
    re.I,
)
_TOGETHER = frozenset(["sum", "sums", "total", "average", "mean", "product"])
WRAPPERS = re.compile(r"(?:\w+\.)?(?:tensor|array|asarray|list|Tensor|FloatTensor|tuple|as_tensor|stack|cat)$")


def named_before(tokens: list[Token], low: int, found: Group) -> int | None:
    """The token that names a group, looking back from it over at most FURTHEST tokens."""
    words = commas = 0
    stop = max(low, found.first - FURTHEST)
    for j in range(found.first - 1, stop - 1, -1):
        token = tokens[j]
        if token.kind == "name" and found.scalar and _taken_together(tokens, j):
            return None
        if token.kind == "name" and may_name(tokens, j, found):
            return j
        if (found.scalar and token.kind in _CALCULATED) or (token.kind == "name" and in_expression(tokens, j)):
            equal = tokens[found.first - 1].kind == "equals" or tokens[found.first - 1].text == "≈"
            return _before_expression(tokens, low, j) if equal or (found.scalar and token.kind == "name") else None
        words += _weight(token)
        commas += token.kind == "comma"
        if words > (4 if found.scalar else 7) or commas > 1 or not _passes(tokens, j, found):
            return None
    return None


def _taken_together(tokens: list[Token], j: int) -> bool:
    """Whether a list is named for the sum or the mean of it: a number of these is none of the list."""
    sense, after = tokens[j].sense, tokens[j + 1] if j + 1 < len(tokens) else None
    if sense is None or sense.meaning in SCALARS:
        return False
    behind = after is not None and after.kind == "word" and _TAKEN_TOGETHER.match(after.text.lstrip("的都全 "))
    before = [t.text.lower() for t in tokens[max(0, j - 3) : j] if t.kind in ("word", "name")]
    return bool(behind) or bool(_TOGETHER & {word for text in before for word in text.split()})


def _weight(token: Token) -> int:
    """How many words a word counts for; long Chinese runs are several."""
    if token.kind != "word" or WRAPPERS.match(token.text):
        return 0
    return 1 if token.text.isascii() else 1 + len(token.text) // 8


def _passes(tokens: list[Token], j: int, found: Group) -> bool:
    """Whether a token may stand between a name and this group."""
    token, before = tokens[j], tokens[j - 1] if j else None
    if token.kind == "name":
        return not (found.scalar and token.subscript == "t")
    if token.kind == "word":
        return not found.scalar or bool(WRAPPERS.match(token.text)) or links(token.text)
    if token.kind == "open":
        wrapped = before is not None and before.kind == "word" and bool(WRAPPERS.match(before.text))
        labelled_here = token.text == "(" and before is not None and before.kind in ("name", "open")
        return wrapped or (labelled_here and not found.scalar)
    if token.kind == "comma":
        return not found.scalar and tokens[found.first].text == "[" and token.text != ";"
    if token.kind == "newline":
        return j == found.first - 1 and before is not None and before.kind in ("name", "equals", "newline")
    if token.kind == "arrow":
        return token.text == "∈" or (before is not None and before.kind in ("name", *_CALCULATED))
    return (
        token.kind in _STEP_BACK
        or (token.kind == "operator" and token.text == "|")
        or token.kind in ("number", "close")
    )


def labelled(tokens: list[Token], grouping: Grouping, found: Group) -> int | None:
    """A(λ=1) [0.5, 0.41]: the name stands before a remark in parentheses."""
    opening = grouping.opening.get(found.first - 1)
    if opening is None or found.scalar or opening == 0 or tokens[opening - 1].kind != "name":
        return None
    return opening - 1 if may_name(tokens, opening - 1, found) else None


def may_name(tokens: list[Token], j: int, found: Group) -> bool:
    """Whether a name may name this group."""
    token = tokens[j]
    sense = token.sense
    assert sense is not None, "only names are asked"
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    beside = after is not None and (after.kind == "equals" or j + 1 == found.first)
    if sense.meaning == "other":
        return found.scalar and not found.bracketed
    if (
        sense.meaning == "tokens"
        or (sense.weak and found.scalar and not beside)
        or (sense.tight and not _tied(token, after))
    ):
        return False
    if (
        token.text == "A"
        and after is not None
        and after.kind == "word"
        and after.text.isascii()
        and after.text.lower() not in LINKS
    ):
        return False
    if found.scalar and token.subscript == "t":
        return False
    if sense.meaning in SCALARS and not found.scalar and token.subscript is not None:
        return False
    return not in_expression(tokens, j)


def _tied(token: Token, after: Token | None) -> bool:
    """A one-letter name counts before an = sign; b, which nothing else is called, before its number too."""
    return after is not None and (after.kind == "equals" or (token.text == "b" and after.kind == "number"))


def in_expression(tokens: list[Token], j: int) -> bool:
    """A name beside an operator, or glued to another name or a number, is part of a formula."""
    before = tokens[j - 1] if j else None
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    if before and before.kind == "operator" and before.text not in "|/":
        return True
    if after and after.kind == "operator" and after.text not in "|/":
        return True
    if not tokens[j].text.isascii() and len(tokens[j].text) > 1:
        return False
    glued = (("name", "number"), before, tokens[j].start), (("name",), after, tokens[j].end)
    (kinds, left, at), (after_kinds, right, ends) = glued
    return bool(
        (left and left.kind in kinds and left.end == at and tokens[j].text not in ("lam", "eps", "beta"))
        or (right and right.kind in after_kinds and right.start == ends)
    )


def _before_expression(tokens: list[Token], low: int, j: int) -> int | None:
    """NAME = 0.9*0.6 - 0.5 = 0.04: the name before the first = sign, when only an expression lies between."""
    stop = max(low, j - 40)
    while j > stop and (tokens[j].kind in _FORMULA or tokens[j].text.lower() in _FUNCTIONS):
        if tokens[j].kind == "equals" and tokens[j - 1].kind == "name" and not in_expression(tokens, j - 1):
            return j - 1 if tokens[j - 1].subscript != "t" else None
        if tokens[j].kind == "name" and not in_expression(tokens, j) and tokens[j].subscript != "t":
            return j
        j -= 1
    return None
