"""An equation that a message states, in symbols or with the quantities' names: A_t = δ_t, "returns equal A plus V"."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from engine import equalities
from engine.equalities import Equality, Response, Term
from prompts.read.asserting import assertions
from prompts.read.characters import clean
from prompts.read.numbers.token import Token
from prompts.read.numbers.tokens import scan
from prompts.read.polarity import Said, said

_LISTS = ("rewards", "values", "deltas", "advantages", "returns", "mc_returns", "mc_advantages")
_TOTALS = {"delta_sum": "deltas", "advantage_sum": "advantages"}
_NEWS = frozenset(_LISTS) - {"rewards", "values"}  # V alone may be the exact one, of which other things are true
_RATES = {"λ": "lam", "γ": "gamma"}
_SIGNS = {
    **dict.fromkeys(["*", "·", "×", "乘", "乘以", "times"], "*"),
    **dict.fromkeys(["+", "加", "加上", "plus"], "+"),
    **dict.fromkeys(["-", "减", "减去", "减掉", "minus"], "-"),
}
_SUMS = re.compile(r"\\?(?:sum|Σ|∑)(?:_\{?(?P<k>[a-zA-Z])?[^}\s]*\}?)?(?:\^\{?[^}\s]*\}?)?", re.IGNORECASE)
_RELATION = re.compile(
    r"\s*(?:(?:=+|≡|≠|难道|就|也|都|总|还|可能|可以|有时|仍然?|依然|即|永远|始终|一定|必然|恒|恰好|刚好|正好|完全|其实|应该|应当|会|不|是|等于|张量|"
    r"tensor|isn't|aren't|doesn't|exactly|just|always|simply|still|really|then|does|do|is|are|be|must|should|will|would|can|may|could|"
    r"equals?|equal to|the same as|identical to|the same thing as|not|to|the)\s*+)++",
    re.IGNORECASE,
)
_EQUAL = re.compile(r"=|≡|≠|是|等于|\b(?:is|are|isn't|aren't|be|equals?|the same as)\b", re.IGNORECASE)
_UNEQUAL = re.compile(r"≠|(?<!难道)不(?!就)|n't|\bnot\b", re.IGNORECASE)
_SUM_OF = re.compile(r"\b(?:sum|total|summing|adding up) (?:of |over |up )?(?:all )?(?:of )?(?:the )?$", re.IGNORECASE)
_SUMMED = re.compile(
    r"\s*(?:的总和|总和|之和|的和|(?:全部?|都)?(?:加总|加起来|求和|累加)(?:起来)?|"
    r"(?:sum|add|sums|adds)(?: up)? to|summed(?: up)?)",
    re.IGNORECASE,
)
_LISTED = re.compile(  # x_0 + x_1 + … + x_{T−1}
    r"(?P<x>\\?[A-Za-zδ]+)_\{?0\}?\s*\+\s*(?P=x)_\{?1\}?\s*\+\s*"
    r"(?:…|⋯|\.{2,}|\\[lc]?dots)\s*\+\s*(?P=x)_\{?\(?[TN]\s*-\s*1\)?\}?"
)
_AMBIGUOUS = re.compile(r"回报|收益|return|目标|target", re.IGNORECASE)  # R or G, when only a word says it
_ELSEWHERE = re.compile(  # the equation is of something else than one response's lists
    r"期望|平均|均值|完美|精确|准确|真实|白化|标准化|归一|掩码|填充|只有|仅|才|除非|若干|约|近似|部分|≈|→|包含|E\[|\\mathbb|"
    r"\b(?:expect\w*|exact|perfect|true (?:v\w*|advantages?)|mean|average|whiten\w*|normali\w*|mask\w*|padd\w*|only|"
    r"unless|approx\w*|roughly|includes?|contains?|clip\w*|target|loss|estimates?)\b",
    re.IGNORECASE,
)
_EVERY = re.compile(
    r"总是|永远|始终|一定|必然|恒|任何|任意|不管|无论|不论|随便|无关|"
    r"\b(?:always|any|every|regardless|whatever|no matter|whichever|necessarily)\b",
    re.IGNORECASE,
)
_SOME = re.compile(r"可能|可以|有时|某些|\b(?:can|may|might|sometimes|could)\b", re.IGNORECASE)
_INDEX = re.compile(r"(?:_\{?|\[|\()(?::,)?(?:s_?\{?)?(?P<index>[A-Za-z0-9+\-]+)[\s})\]]*$")
_EXPONENT = re.compile(r"\^[{(]?(?P<index>[A-Za-z0-9+\-]+)[})]?$")
_STEP = re.compile(r"[tij](?:(?P<step>[+-]\d)|\+[kl])?|tp1")


@dataclass(frozen=True)
class Stated:
    """An equation, whether its failure was claimed, and whether it was claimed of all settings or of some."""

    equality: Equality
    denied: bool
    every: bool = False
    some: bool = False


def equation(message: str) -> Stated | None:
    """The one equation that a message claims, or asks to be confirmed."""
    sentences = assertions(message)
    found = [stated for sentence in sentences if (stated := _stated(sentence)) is not None]
    return found[0] if len(found) == 1 else None


def _stated(sentence: str) -> Stated | None:
    if _ELSEWHERE.search(sentence):
        return None
    rates = _rates(said(sentence))
    pairs = _pairs(_LISTED.sub(r"Σ \g<x>_t", clean(sentence)))
    if rates is None or len(pairs) != 1:
        return None
    left, right, between = pairs[0]
    equality = Equality(left, right, rates)
    if not (left.quantities and right.quantities and equality.quantities & _NEWS):
        return None
    some = _SOME.search(sentence) is not None
    every = _EVERY.search(sentence) is not None and not some
    return Stated(equality, _UNEQUAL.search(between) is not None, every, some)


def _pairs(text: str) -> list[tuple[Term, Term, str]]:
    """The expressions that an equals sign or a word for it joins, and what stands between them."""
    tokens, found = scan(text), []
    for (left, start, end), (right, following, _) in pairwise(_expressions(tokens, text)):
        if not (left.quantities or right.quantities):
            continue
        between = text[tokens[end - 1].end : tokens[following].start]
        summed = _SUMMED.match(between)
        if summed is not None or _SUM_OF.search(text[: tokens[start].start]):
            left = left if left.latex.startswith(r"\sum") else equalities.total(left)
            between = between[summed.end() if summed else 0 :]
        sums_to = left.latex.startswith(r"\sum") and between.strip() == "to"
        if _related(between) or sums_to or (summed and not between.strip()):
            found.append((left, right, between))
    return found


def _rates(meant: Said) -> tuple[tuple[str, Fraction], ...] | None:
    """What is said of γ and λ; None when that is more than one value, or a bound."""
    settings = [(_RATES[name], relation, Fraction(x)) for name, relation, x in meant.settings if name in _RATES]
    names = [name for name, _, _ in settings]
    if len(names) != len(set(names)) or any(relation != "=" for _, relation, _ in settings):
        return None
    return tuple(sorted((name, x) for name, _, x in settings))


def _related(between: str) -> bool:
    return _RELATION.fullmatch(between) is not None and _EQUAL.search(between) is not None


# ---------------------------------------------------------------- sides

Parsed = tuple[Term, int]  # what was read, and the first token behind it


def _expressions(tokens: Sequence[Token], text: str) -> list[tuple[Term, int, int]]:
    """The longest expressions of the text, each with its first token and the first behind it."""
    found, i = [], 0
    while i < len(tokens):
        parsed = _sum(tokens, text, i)
        if parsed is None or _goes_on(tokens, i, parsed[1]):
            i = max(i + 1, parsed[1] if parsed else 0)
        else:
            found.append((parsed[0], i, parsed[1]))
            i = parsed[1]
    return found


def _goes_on(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether something stands around an expression that was not understood."""
    loose = ("operator", "dots", "odd", "close", "open", "sign")
    before = start > 0 and tokens[start - 1].kind in loose
    return before or (end < len(tokens) and tokens[end].kind in loose)


def _sum(tokens: Sequence[Token], text: str, i: int) -> Parsed | None:
    parsed = _product(tokens, text, i)
    while parsed is not None and (sign := _sign(tokens, parsed[1])) in ("+", "-"):
        other = _product(tokens, text, parsed[1] + 1)
        if other is None:
            return None
        join = equalities.plus if sign == "+" else equalities.minus
        parsed = join(parsed[0], other[0]), other[1]
    return parsed


def _product(tokens: Sequence[Token], text: str, i: int) -> Parsed | None:
    parsed = _factor(tokens, text, i)
    while parsed is not None:
        explicit = _sign(tokens, parsed[1]) == "*"
        other = _factor(tokens, text, parsed[1] + explicit)
        if other is None:
            return None if explicit else parsed
        if not explicit and text[tokens[parsed[1] - 1].end : tokens[parsed[1]].start].strip():
            return parsed
        parsed = equalities.times(parsed[0], other[0]), other[1]
    return parsed


def _factor(tokens: Sequence[Token], text: str, i: int) -> Parsed | None:
    if i >= len(tokens):
        return None
    token, raw = tokens[i], text[tokens[i].start : tokens[i].end]
    if token.kind == "number" and token.value is not None and math.isfinite(token.value):
        return equalities.number(Fraction(str(token.value))), i + 1
    if token.kind == "open" and token.text == "(":
        inner = _sum(tokens, text, i + 1)
        if inner is None or inner[1] >= len(tokens) or tokens[inner[1]].kind != "close":
            return None
        return _raised(tokens, text, inner[0], inner[1] + 1)
    if (sum_sign := _SUMS.fullmatch(raw)) is not None:
        inner = _product(tokens, text, i + 1)
        if inner is None:
            return None
        if inner[0].latex.startswith(r"\sum"):  # the sum Σ …
            return inner
        over = equalities.ahead if _runs_ahead(text[tokens[i].end : tokens[inner[1] - 1].end]) else equalities.total
        return (over(inner[0]), inner[1]) if sum_sign else None
    if token.kind != "name" or token.sense is None or token.sense.weak:
        return None
    return _named(token.sense.meaning, raw, i)


def _runs_ahead(summed: str) -> bool:
    return re.search(r"t ?\+ ?[a-z]", summed) is not None


def _named(meaning: str, raw: str, i: int) -> Parsed | None:
    compact = raw.replace(" ", "")
    if meaning in ("gamma", "lam"):
        exponent = _EXPONENT.search(compact)
        base = equalities.rate(meaning)
        power = _place(exponent["index"]) if exponent else None
        if exponent is None:
            return base, i + 1
        return (equalities.power(base, *power), i + 1) if power else None
    if meaning in _TOTALS:
        name = _TOTALS[meaning]
        return equalities.total(equalities.quantity(name, lambda _response, t, _k: t, "t")), i + 1
    if meaning not in _LISTS:
        return None
    index = _INDEX.search(compact)
    if index is None and meaning in ("returns", "mc_returns") and _AMBIGUOUS.fullmatch(compact):
        return None
    place = _place(index["index"]) if index else (lambda _response, t, _k: t, "t")
    return (equalities.quantity(meaning, *place), i + 1) if place else None


def _raised(tokens: Sequence[Token], text: str, base: Term, i: int) -> Parsed | None:
    """A bracket with the exponent behind it, if there is one."""
    if i >= len(tokens) or tokens[i].text not in ("^", "**"):
        return base, i
    if i + 1 >= len(tokens):
        return None
    end, written = i + 2, text[tokens[i + 1].start : tokens[i + 1].end]
    if tokens[i + 1].kind == "open":
        closing = next((j for j in range(i + 2, min(i + 8, len(tokens))) if tokens[j].kind == "close"), None)
        if closing is None:
            return None
        end, written = closing + 1, text[tokens[i + 2].start : tokens[closing].start]
    power = _place(written.replace(" ", ""))
    return (equalities.power(base, *power), end) if power else None


Place = tuple[Callable[[Response, int, int], int], str]


def _place(index: str) -> Place | None:
    """Which token an index means: t, t+1, T-1, 0, or the summed k, also counted from t."""
    if index.isdigit():
        fixed = int(index)
        return (lambda _response, _t, _k: fixed), index
    if index in ("T-1", "-1"):
        return (lambda response, _t, _k: response.length - 1), "T-1"
    if index in ("k", "l"):
        return (lambda _response, _t, k: k), "k"
    match = _STEP.fullmatch(index)
    if match is None:
        return None
    if index[1:] in ("+k", "+l"):
        return (lambda _response, t, k: t + k), "t+k"
    step = 1 if index == "tp1" else int(match["step"] or 0)
    return (lambda _response, t, _k: t + step), f"t{step:+d}" if step else "t"


def _sign(tokens: Sequence[Token], i: int) -> str | None:
    return _SIGNS.get(tokens[i].text) if i < len(tokens) else None
