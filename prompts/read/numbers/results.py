"""Statements of results: what is named, then is, gives or equals, then numbers. A_1..A_6 = […], std of […] is .13."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from prompts.read.numbers.cues import SCALARS, says
from prompts.read.numbers.grouping import Group, Grouping
from prompts.read.numbers.groups import group
from prompts.read.numbers.heads import behind, can_be_stated, expression, heads, meaning, unnamed
from prompts.read.numbers.naming import WRAPPERS
from prompts.read.numbers.numerals import behind_dots, decimals_shown, numerals
from prompts.read.numbers.subscripts import join_subscripts
from prompts.read.numbers.token import MOST_TOKENS, Token
from prompts.read.numbers.tokens import scan
from prompts.read.numbers.whereabouts import ordinal, written

FURTHEST = 60  # tokens between a result and what it is a result of
BEYOND = 24  # characters around a statement in which it is said what was done before
NEAR = 12  # groups of numbers that may stand between them
MOST = 64  # results of a message: each is computed again
_VERBS = re.compile(
    r"(?:is|are|was|were|be|gives?|gave|giving|yields?|equals?|becomes?|became|as|to|into|at|reads?|get|got|gets|makes?"
    r"|totals?|returns?|comes|have|has|outputs?)\Z"
    r"|.*(?:是|为|等于|得|得到|得出|成|约|给出|变成|变为|结果|到|出|有|应该|算出来|大约|刚好)\Z",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"(?:about|approximately|roughly|around|exactly|just|only|now|then|out|be|约|大约|大概|近似|刚好|正好|就|分别|恰好)\Z",
    re.IGNORECASE,
)
_WORDS = (
    (re.compile(r"whiten|normali[sz]|standardi[sz]|白化|标准化|归一化", re.IGNORECASE), "whitened"),
    (re.compile(r"(?:\A|[^A-Za-z])gae(?![A-Za-z])|广义优势", re.IGNORECASE), "advantages"),
    (re.compile(r"\bmonte|\bmc\b|蒙特卡", re.IGNORECASE), "mc_returns"),
)
_WHITENED = re.compile(
    r"\bafter (?:whiten|normali[sz]|standardi[sz])|(?:白化|标准化|归一化)(?:以|之)?后", re.IGNORECASE
)
_SUMMED = re.compile(r"\b(?:sum|total)\b|之和|总和|合计|加起来|相加", re.IGNORECASE)
_SUMS = {"deltas": "delta_sum", "advantages": "advantage_sum"}
_ARTICLES = frozenset(["the", "a", "an", "our", "these", "those", "its", "their", "these", "这些", "这组"])


@dataclass(frozen=True)
class Result:
    """Numbers that are stated of a quantity. index: the subscripts that were written, as written; from_end counts
    numbers that stand behind an ellipsis. source: the unnamed list that it is said to follow from."""

    names: tuple[str, ...]  # the quantity, then what else was said to be the same
    value: Any
    decimals: int
    places: tuple[int, ...]  # characters
    start: int
    end: int
    index: tuple[int, ...] = ()
    from_end: int = 0
    elided: bool = False
    everywhere: bool = False  # one number, said of every token
    bare: bool = False  # the name, and no word that says it is so
    leads: bool = False  # what stands before leads to it, and need not name it
    at: int | None = None  # the token that was counted off, from 0; -1 is the last
    sources: tuple[Group, ...] = ()
    settings: tuple[tuple[str, float], ...] = ()  # parameters that its clause sets
    typed: tuple[int, ...] = ()  # the decimals of each number
    kept: tuple[tuple[int, int], ...] = ()  # inputs and settings that stand inside


def results(text: str) -> tuple[Result, ...]:
    """Every statement of a result, in the order of the text, each by itself; none where there are more than MOST."""
    tokens = join_subscripts(scan(text), text)
    if len(tokens) > MOST_TOKENS:
        return ()
    grouping = group(tokens)
    if grouping.error is not None:
        return ()
    found: list[Result] = []
    edge = 0  # the first token that belongs to no earlier result
    for g, numbers in enumerate(grouping.groups):
        one = _result(text, tokens, grouping, g, edge)
        if one is not None:
            found.append(one)
            edge = numbers.last + 1
        if len(found) > MOST:
            return ()
    return tuple(found)


def _spoken(words: str) -> str:
    return next((name for pattern, name in _WORDS if pattern.search(words)), "")


def _result(text: str, tokens: list[Token], grouping: Grouping, g: int, edge: int) -> Result | None:
    numbers = grouping.groups[g]
    copula, named = _copula(tokens, numbers, edge)
    if copula is None:
        return None
    near = grouping.groups[max(0, g - NEAR) : g]
    low = _clause(tokens, grouping, near, edge, copula)
    sources = tuple(x for x in near if x.first >= low and x.last < copula and not x.scalar)
    named_by = [named] if named is not None else heads(text, tokens, low, copula, sources)
    words = text[tokens[low].start : tokens[copula].end] if low <= copula else ""
    names = [meaning(tokens, head) for head in named_by]
    said = behind(tokens, numbers, grouping, g)
    if not names:
        names = [spoken] if (spoken := _spoken(words)) else []
    names = [*dict.fromkeys(_SUMS.get(name, name) if _SUMMED.search(words) else name for name in [*said, *names])]
    around = text[max(0, tokens[low].start - BEYOND) : numbers.end + BEYOND]
    names = ["whitened" if name == "advantages" and _WHITENED.search(around) else name for name in names]
    if not names and not _follows(tokens[copula]) and not _at_a_setting(tokens, grouping, g, copula):
        return None
    first = min([*named_by, copula]) if named_by and not sources else low
    head = tokens[named_by[0]] if named_by else None
    inside = [x for x in near if first <= x.first and x.last < numbers.first]
    typed = tuple(decimals_shown(t.text) for t in numerals(tokens, numbers))
    return Result(
        names=tuple(names),
        value=numbers.value,
        decimals=max(typed, default=0),
        typed=typed,
        places=tuple(t.start for t in numerals(tokens, numbers)),
        start=tokens[first].start,
        end=numbers.end,
        index=_index(head) or _of_whitened(names, tokens[low:copula]) or _of_a_token(words, numbers),
        from_end=behind_dots(tokens, numbers),
        elided=numbers.elided,
        everywhere=numbers.scalar and says("everywhere", words + text[numbers.end : numbers.end + 16]),
        bare=copula == named,
        leads=_follows(tokens[copula]),
        at=ordinal(words) if numbers.scalar else None,
        sources=tuple(x for x in sources if unnamed(tokens, x)),
        settings=tuple(
            (_setting(tokens, x), x.value) for x in near if x.scalar and x.first >= low and _is_input(tokens, x)
        ),
        kept=tuple(_with_name(tokens, x) for x in inside if _is_input(tokens, x)),
    )


# ---------------------------------------------------------------- what says that numbers are a result


def _copula(tokens: list[Token], numbers: Group, edge: int) -> tuple[int | None, int | None]:
    """What stands between a name and its numbers, and the name where it stands behind it: gives rewards […]."""
    j, named = numbers.first - 1, None
    while j >= edge and (
        tokens[j].kind == "quote"
        or WRAPPERS.match(tokens[j].text)
        or (tokens[j].kind == "open" and j and WRAPPERS.match(tokens[j - 1].text))
        or (tokens[j].kind == "word" and _HEDGES.match(tokens[j].text))
    ):
        j -= 1
    if j >= edge and tokens[j].kind == "name" and can_be_stated(tokens[j]):
        named = j - 2 if j - 2 > edge and expression(tokens, j - 2) else j
        j = named - 1
        while j > edge and tokens[j].kind == "word" and tokens[j].text.lower() in _ARTICLES:
            j -= 1
    if named is not None and j < edge and not numbers.scalar:
        return (None, None) if _goes_on(tokens, numbers) else (named, named)
    if j < edge or _goes_on(tokens, numbers) or (named is None and _sets(tokens, j)):
        return None, None
    token = tokens[j]
    verb = token.kind == "word" and _VERBS.match(token.text)
    if named is not None and not numbers.scalar and not (verb or token.kind in ("equals", "arrow")):
        return named, named  # advantages […], and no more
    if token.kind in ("equals", "arrow") or verb:
        return (None, None) if token.text == "∈" else (j, named)
    return None, None


def _at_a_setting(tokens: list[Token], grouping: Grouping, g: int, copula: int) -> bool:
    """λ = 0: [0.1, 0.2] · λ=1 时是 […]: a parameter and what comes of it."""
    before = grouping.groups[g - 1] if g else None
    listed = not grouping.groups[g].scalar
    beside = before is not None and before.scalar and 0 < copula - before.last <= 2 and tokens[copula].text != "="
    return listed and beside and before is not None and _is_input(tokens, before)


def _sets(tokens: list[Token], j: int) -> bool:
    """gamma = 1 · t = 0, 1, 2: a parameter or a counter, and what it is set to."""
    before = tokens[j - 1] if j else None
    sense = before.sense if before is not None else None
    counter = before is not None and sense is not None and sense.meaning == "other" and len(before.text) == 1
    return counter or (sense is not None and sense.meaning in SCALARS)


def _goes_on(tokens: list[Token], numbers: Group) -> bool:
    """V = […] + A = […]: a list that is worked with, not the outcome."""
    after = tokens[numbers.last + 1 : numbers.last + 3]
    if not after or numbers.scalar:
        return False
    operand = after[0].kind == "operator" and after[0].text != "|"
    return operand or (after[0].kind == "equals" and len(after) > 1 and after[1].kind in ("open", "number"))


def _follows(token: Token) -> bool:
    """Whether what stands before is a cause and not a name: gives, →."""
    return token.kind == "arrow" or bool(
        re.match(r"(?:gives?|gave|yields?|giving)\Z|.*(?:得|得到|得出|给出|算出)\Z", token.text)
    )


def _clause(tokens: list[Token], grouping: Grouping, near: tuple[Group, ...], edge: int, copula: int) -> int:
    """The first token of the clause that a copula belongs to; what stands in brackets ends none."""
    lists = {x.last for x in near if not x.scalar}
    j = copula
    while j > max(edge, copula - FURTHEST):
        before = tokens[j - 1]
        if before.kind == "close" and j - 1 in grouping.opening:
            j = grouping.opening[j - 1]
            continue
        ends = before.kind == "newline" or before.text == ";" or (before.kind == "stop" and _ends(tokens, j - 1))
        if ends or (before.kind == "comma" and (j - 2 in lists or not _aside(tokens, j - 1))):
            break
        j -= 1
    while j < copula and (tokens[j].kind == "comma" or tokens[j].text.lower() in ("and", "so", "then", "和", "而")):
        j += 1
    return j


def _ends(tokens: list[Token], j: int) -> bool:
    """A full stop that ends a sentence: a space follows, or Chinese."""
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    return after is None or (after.kind != "stop" and after.kind != "equals" and tokens[j - 1].kind != "stop")


def _aside(tokens: list[Token], j: int) -> bool:
    """A comma behind a setting: with gamma = 1, the returns are …"""
    return tokens[j].text == "," and j > 0 and tokens[j - 1].kind == "number"


# ---------------------------------------------------------------- what is kept


def _of_a_token(words: str, numbers: Group) -> tuple[int, ...]:
    spoken = written(words) if numbers.scalar else None
    return () if spoken is None else (spoken,)


def _of_whitened(names: list[str], before: list[Token]) -> tuple[int, ...]:
    """The whitened A_6: the token is that of the advantage."""
    found = [t for t in before if t.sense is not None and t.sense.meaning == "advantages"]
    return _index(found[0]) if names[:1] == ["whitened"] and len(found) == 1 else ()


def _index(head: Token | None) -> tuple[int, ...]:
    if head is None:
        return ()
    return head.indices or ((head.subscript,) if isinstance(head.subscript, int) else ())


def _is_input(tokens: list[Token], found: Group) -> bool:
    """A list, or a parameter with its number."""
    if not found.scalar:
        return True
    return bool(_setting(tokens, found))


def _setting(tokens: list[Token], found: Group) -> str:
    """The parameter that a number is set beside; empty if it is none."""
    before = [t for t in tokens[max(0, found.first - 2) : found.first] if t.sense is not None]
    sense = before[-1].sense if before else None
    return sense.meaning if sense is not None and sense.meaning in SCALARS else ""


def _with_name(tokens: list[Token], found: Group) -> tuple[int, int]:
    j = found.first
    while j and (tokens[j - 1].kind in ("equals", "name") and found.first - j < 2):
        j -= 1
    return tokens[j].start, found.end
