"""The expressions of a text in the quantities of a response: A_t, γ V_{t+1}, r_t − V_t, Σ_k (γλ)^k δ_{t+k}."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from engine import terms
from engine.drawn import POLICY, Response
from engine.terms import Term
from prompts.read.numbers.token import Token
from prompts.read.numbers.tokens import scan

_LISTS = frozenset(["rewards", "values", "deltas", "advantages", "returns", "mc_returns", "mc_advantages"]) | POLICY
_TOTALS = {"delta_sum": "deltas", "advantage_sum": "advantages"}
_SIGNS = {
    **dict.fromkeys(["*", "·", "×", "乘", "乘以", "times"], "*"),
    **dict.fromkeys(["/", "÷", "除以"], "/"),
    **dict.fromkeys(["+", "加", "加上", "plus"], "+"),
    **dict.fromkeys(["-", "减", "减去", "减掉", "minus"], "-"),
}
_EXPONENTIALS = frozenset(["exp", "torch.exp", "\\exp"])
_ARTICLES = frozenset(["the", "its", "that"])
_SUMS = re.compile(r"\\?(?:sum|Σ|∑)(?:_\{?(?P<k>[a-zA-Z])?[^}\s]*\}?)?(?:\^\{?[^}\s]*\}?)?", re.IGNORECASE)
_AMBIGUOUS = re.compile(r"回报|收益|return|目标|target", re.IGNORECASE)  # R or G, when only a word says it
_INDEX = re.compile(r"(?:_\{?|\[|\()(?::,)?(?:s_?\{?)?(?P<index>[A-Za-z0-9+\-]+)[\s})\]]*$")
_EXPONENT = re.compile(r"\^[{(]?(?P<index>[A-Za-z0-9+\-]+)[})]?$")
_STEP = re.compile(r"[tij](?:(?P<step>[+-]\d)|\+[kl])?|tp1")

Parsed = tuple[Term, int]  # what was read, and the first token behind it


def expressions(text: str) -> list[tuple[Term, int, int]]:
    """The longest expressions of a cleaned text, each with where it starts and ends."""
    tokens, i = scan(text), 0
    found = []
    while i < len(tokens):
        parsed = _sum(tokens, text, i)
        if parsed is None or _goes_on(tokens, i, parsed[1]):
            i = max(i + 1, parsed[1] if parsed else 0)
        else:
            found.append((parsed[0], tokens[i].start, tokens[parsed[1] - 1].end))
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
        join = terms.plus if sign == "+" else terms.minus
        parsed = join(parsed[0], other[0]), other[1]
    return parsed


def _product(tokens: Sequence[Token], text: str, i: int) -> Parsed | None:
    parsed = _factor(tokens, text, i)
    while parsed is not None:
        sign = _sign(tokens, parsed[1])
        explicit = sign in ("*", "/")
        other = _factor(tokens, text, parsed[1] + explicit)
        if other is None:
            return None if explicit else parsed
        if not explicit and text[tokens[parsed[1] - 1].end : tokens[parsed[1]].start].strip():
            return parsed
        join = terms.over if sign == "/" else terms.times
        parsed = join(parsed[0], other[0]), other[1]
    return parsed


def _factor(tokens: Sequence[Token], text: str, i: int) -> Parsed | None:
    while i < len(tokens) and tokens[i].text.lower() in _ARTICLES:
        i += 1
    if i >= len(tokens):
        return None
    token, raw = tokens[i], text[tokens[i].start : tokens[i].end]
    if token.kind == "number" and token.value is not None and math.isfinite(token.value):
        return terms.number(Fraction(str(token.value))), i + 1
    if token.kind == "open" and token.text == "(":
        inner = _sum(tokens, text, i + 1)
        if inner is None or inner[1] >= len(tokens) or tokens[inner[1]].kind != "close":
            return None
        return _raised(tokens, text, inner[0], inner[1] + 1)
    if token.text.lower() in _EXPONENTIALS:
        return _exponential(tokens, text, i)
    if _SUMS.fullmatch(raw) is not None:
        return _summed(tokens, text, i)
    if token.kind != "name" or token.sense is None or token.sense.weak:
        return None
    return _named(token.sense.meaning, raw, i)


def _exponential(tokens: Sequence[Token], text: str, i: int) -> Parsed | None:
    """exp(…)"""
    opened = i + 1 < len(tokens) and tokens[i + 1].kind == "open"
    inner = _sum(tokens, text, i + 2) if opened else None
    if inner is None or inner[1] >= len(tokens) or tokens[inner[1]].kind != "close":
        return None
    return terms.exponential(inner[0]), inner[1] + 1


def _summed(tokens: Sequence[Token], text: str, i: int) -> Parsed | None:
    """Σ …"""
    inner = _product(tokens, text, i + 1)
    if inner is None or inner[0].latex.startswith(r"\sum"):  # the sum Σ …
        return inner
    over = terms.ahead if _runs_ahead(text[tokens[i].end : tokens[inner[1] - 1].end]) else terms.total
    return over(inner[0]), inner[1]


def _runs_ahead(summed: str) -> bool:
    return re.search(r"t ?\+ ?[a-z]", summed) is not None


def _named(meaning: str, raw: str, i: int) -> Parsed | None:
    compact = raw.replace(" ", "")
    if meaning in ("gamma", "lam"):
        exponent = _EXPONENT.search(compact)
        base = terms.rate(meaning)
        power = _place(exponent["index"]) if exponent else None
        if exponent is None:
            return base, i + 1
        return (terms.power(base, *power), i + 1) if power else None
    if meaning == "beta":
        return terms.penalty(), i + 1
    if meaning in _TOTALS:
        name = _TOTALS[meaning]
        return terms.total(terms.quantity(name, lambda _response, t, _k: t, "t")), i + 1
    if meaning not in _LISTS or "^" in compact:
        return None
    index = _INDEX.search(compact)
    if index is None and meaning in ("returns", "mc_returns") and _AMBIGUOUS.fullmatch(compact):
        return None
    place = _place(index["index"]) if index else None
    if index is None or (place is None and meaning in POLICY):  # the index of ref_logp is part of its name
        return terms.quantity(meaning, lambda _response, t, _k: t, "t", "any"), i + 1
    return (terms.quantity(meaning, *place), i + 1) if place else None


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
    return (terms.power(base, *power), end) if power else None


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
