"""The expressions of a text in the quantities of a response: A_t, γ V_{t+1}, r_t − V_t, Σ_k (γλ)^k δ_{t+k}."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from engine import terms
from engine.drawn import CONSTANTS, POLICY, Response
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
_FUNCTIONS = {
    **{name: name for name in terms.ARITIES},
    "ln": "log",
}
_LIBRARY = re.compile(r"\\|(?:torch|np|numpy|jnp|math|F|tf|verl_F)\.")
_OWN = {"qvalue": "action_values"}  # what formulas.py puts for what people write in many ways
_SYMBOL = re.compile(r"\\|[A-Za-zΑ-ω](?![A-Za-z])")  # one letter, perhaps with an index
_ARTICLES = frozenset(["the", "its", "that"])
_SUMS = re.compile(r"\\?(?:sum|Σ|∑)(?:_\{?(?P<k>[a-zA-Z])?[^}\s]*\}?)?(?:\^\{?[^}\s]*\}?)?", re.IGNORECASE)
_DIVERGENCE = re.compile(r"diverg|散度", re.IGNORECASE)  # of the policies, not of one token
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
    if i + 1 < len(tokens) and tokens[i].text == "-" and tokens[i].end == tokens[i + 1].start:
        negated = _product(tokens, text, i + 1)
        return negated and (terms.minus(terms.number(Fraction(0)), negated[0]), negated[1])
    parsed = _factor(tokens, text, i)
    while parsed is not None:
        sign = _sign(tokens, parsed[1])
        explicit = sign in ("*", "/")
        other = _factor(tokens, text, parsed[1] + explicit)
        if other is None:
            return None if explicit else parsed
        if not explicit and text[tokens[parsed[1] - 1].end : tokens[parsed[1]].start].strip():
            return parsed
        if (
            not explicit
            and (named := _called(tokens[parsed[1] - 1], tokens[parsed[1]], parsed[0], other[0])) is not None
        ):
            if named.latex == "":
                return None
            parsed = named, other[1]
            continue
        join = terms.over if sign == "/" else terms.times
        parsed = join(parsed[0], other[0]), other[1]
    return parsed


_NEITHER = Term(lambda *_at: 0, "")


def _called(word: Token, symbol: Token, first: Term, second: Term) -> Term | None:
    """A quantity called by its word and its symbol, "the return G_t"; _NEITHER where a word stands beside another."""
    if first.cell is None or second.cell is None or word.kind != "name":
        return None
    if _SYMBOL.match(word.text) is not None:
        spoken = symbol.kind == "name" and _SYMBOL.match(symbol.text) is None
        return _NEITHER if spoken and first.quantities and first.cell[1] != "common" else None
    same = first.quantities == second.quantities or (
        _AMBIGUOUS.fullmatch(word.text) and second.quantities & {"returns", "mc_returns"}
    )
    return second if same and symbol.kind == "name" and first.cell[1] in ("any", "common") else _NEITHER


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
    if (name := _FUNCTIONS.get(_LIBRARY.sub("", token.text.lower()))) is not None and _opens(tokens, i + 1):
        return _function(tokens, text, name, i)
    if token.kind == "word" and token.text in _OWN:
        exponent = _EXPONENT.search(raw.replace(" ", ""))
        power = place_of(exponent["index"]) if exponent else None
        own = unindexed(_OWN[token.text])
        return (terms.power(own, *power) if power else own), i + 1
    if _SUMS.fullmatch(raw) is not None:
        return _summed(tokens, text, i)
    if token.kind != "name" or token.sense is None or token.sense.weak:
        return None
    return _named(token.sense.meaning, raw, i)


def _opens(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].kind == "open" and tokens[i].text != "["


def _function(tokens: Sequence[Token], text: str, name: str, i: int) -> Parsed | None:
    """exp(…), log(…)"""
    arguments: list[Term] = []
    i += 2
    while True:
        inner = _sum(tokens, text, i)
        if inner is None or inner[1] >= len(tokens):
            return None
        arguments.append(inner[0])
        i = inner[1] + 1
        if tokens[inner[1]].kind == "close":
            break
        if tokens[inner[1]].text != ",":
            return None
    if len(arguments) != terms.ARITIES.get(name, 1):
        return None
    return _raised(tokens, text, terms.function(name, arguments), i)


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
        power = place_of(exponent["index"]) if exponent else None
        if exponent is None:
            return base, i + 1
        return (terms.power(base, *power), i + 1) if power else None
    if meaning == "beta" and "^" not in compact:
        return terms.constant(meaning), i + 1
    if meaning in _TOTALS:
        name = _TOTALS[meaning]
        return terms.total(terms.quantity(name, lambda _response, t, _k: t, "t")), i + 1
    if meaning not in _LISTS or "^" in compact or _DIVERGENCE.search(raw):
        return None
    index = _INDEX.search(compact)
    if index is None and meaning in ("returns", "mc_returns") and _AMBIGUOUS.fullmatch(compact):
        return None
    place = place_of(index["index"]) if index else None
    if index is None or (place is None and meaning in POLICY):  # the index of ref_logp is part of its name
        return unindexed(meaning), i + 1
    return (terms.quantity(meaning, *place), i + 1) if place else None


def unindexed(name: str) -> Term:
    return terms.constant(name) if name in CONSTANTS else terms.quantity(name, lambda _r, t, _k: t, "t", "any")


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
    power = place_of(written.replace(" ", ""))
    return (terms.power(base, *power), end) if power else None


Place = tuple[Callable[[Response, int, int], int], str]


def place_of(index: str) -> Place | None:
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
