"""Numbers of single tokens that are worked with: δ_1 + δ_2 = .6, δ_0 + γλ·A_1 = .651, on the lists that there are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.audits import Claim
from engine.computing import computed
from engine.errors import EngineError
from engine.example import RUNNING
from engine.reckoning import reckoned
from engine.scenario import PARAMETERS, Scenario, scenario
from prompts.read.numbers.heads import can_be_stated
from prompts.read.numbers.numerals import decimals_shown
from prompts.read.numbers.subscripts import join_subscripts
from prompts.read.numbers.token import Token
from prompts.read.numbers.tokens import scan
from prompts.read.placing import FROM_ONE
from prompts.read.results import parameters_of

MOST = 24  # tokens of one side
_RATES = ("gamma", "lam")
_SIGNS = {"+": "+", "-": "-", "*": "*", "×": "*", "·": "*", "/": "/", "(": "(", ")": ")", "^": "^", "**": "^"}


def terms(text: str, given: Mapping[str, Any]) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """What is stated of sums and products of single numbers, and whether the text counts from one."""
    tokens = join_subscripts(scan(text), text)
    sides = [(j, _side(tokens, j, -1), _side(tokens, j, +1)) for j, token in enumerate(tokens) if token.text == "="]
    pairs = [pair for _, left, right in sides for pair in ((left, right), (right, left)) if _is_sum(*pair)]
    base = _base({**given, **parameters_of(text)}) if pairs else None
    if base is None:
        return (), ()
    for shift in _shifts(pairs, base):
        claims = [claim for worked, stated in pairs if (claim := _claim(worked, stated, base, shift)) is not None]
        if len(claims) == len(pairs) and (not shift or all(_right(claim) for claim in claims)):
            return tuple(claims), (FROM_ONE,) if shift else ()
        if shift == 0 and claims and not any(_right(claim) for claim in claims):
            counted = [_claim(worked, stated, base, 1) for worked, stated in pairs]
            if any(claim is None or not _right(claim) for claim in counted):
                return tuple(claims), ()
    return (), ()


def _right(claim: Claim) -> bool:
    return abs(float(claim.correct) - claim.stated) <= claim.tolerance + 1e-9


def _side(tokens: Sequence[Token], equals: int, step: int) -> list[Token]:
    """The expression right before or right after an equals sign."""
    found: list[Token] = []
    j = equals + step
    while 0 <= j < len(tokens) and len(found) < MOST and _belongs(tokens[j], found):
        found.insert(0 if step < 0 else len(found), tokens[j])
        j += step
    return found


def _belongs(token: Token, found: Sequence[Token]) -> bool:
    if token.kind == "number":
        beside = found[0] if found and found[0].start >= token.end else found[-1] if found else None
        return beside is None or beside.kind not in ("number", "name") or bool(_sign(beside))
    return _sign(token) != "" or _indexed(token) or _rate(token)


def _sign(token: Token) -> str:
    return _SIGNS.get(token.text, "") if token.kind in ("operator", "open", "close") else ""


def _indexed(token: Token) -> bool:
    return token.kind == "name" and can_be_stated(token) and isinstance(token.subscript, int)


def _rate(token: Token) -> bool:
    return token.kind == "name" and token.sense is not None and token.sense.meaning in _RATES


def _is_sum(worked: Sequence[Token], stated: Sequence[Token]) -> bool:
    """Whether one side works with numbers of tokens and the other is a number."""
    number = [t for t in stated if t.kind == "number"]
    if not worked or not stated:
        return False
    plain = len(number) == 1 and len(stated) <= 2 and (len(stated) == 1 or stated[0].text in "+-")
    named = sum(map(_indexed, worked)) > 0 and len(worked) > 2 and any(map(_sign, worked))
    named |= len(worked) == 1 and _indexed(worked[0]) and worked[0].start > stated[-1].start  # .4 = δ_2
    rates = sum(map(_rate, worked)) > 1 or (any(map(_rate, worked)) and any(map(_sign, worked)))
    return plain and (named or (rates and all(t.kind == "number" or _sign(t) or _rate(t) for t in worked)))


def _base(given: Mapping[str, Any]) -> Scenario | None:
    example = {name: x for name, x in RUNNING.given().items() if name in PARAMETERS}
    try:
        base = scenario({**example, **given})
    except EngineError:
        return None
    return None if base.batched else base


def _shifts(pairs: Sequence[tuple[Sequence[Token], Sequence[Token]]], base: Scenario) -> tuple[int, ...]:
    indices = [t.subscript for worked, _ in pairs for t in worked if _indexed(t) and isinstance(t.subscript, int)]
    if not indices or min(indices) == 0:
        return (0,)
    return (1,) if max(indices) == base.length else (0, 1)


def _claim(worked: Sequence[Token], stated: Sequence[Token], base: Scenario, shift: int) -> Claim | None:
    pieces, shown = [], []
    for token in worked:
        value = _value(token, base, shift)
        if value is None:
            return None
        pieces.append(value)
        shown.append(_shown(token, shift))
    correct = reckoned(" ".join(pieces))
    written = "".join(t.text for t in stated).lstrip("+")
    if correct is None:
        return None
    name = re.sub(r"\( | (?=\))", lambda m: m[0].strip(), " ".join(shown))
    return Claim(name, float(written), decimals_shown(stated[-1].text), places=(stated[-1].start,), correct=correct)


def _shown(token: Token, shift: int) -> str:
    if token.sense is None or token.kind != "name":
        return _sign(token) or token.text
    index = f"[{token.subscript - shift}]" if isinstance(token.subscript, int) else ""
    return f"{token.sense.meaning}{index}"


def _value(token: Token, base: Scenario, shift: int) -> str | None:
    if token.kind != "name" or token.sense is None:
        return _sign(token) or token.text
    if _rate(token):
        return f"({_plain(Fraction(str(_rate_of(base, token))))})"
    found = computed(base, token.sense.meaning)
    row = found.facts.exact[found.name] if found is not None else None
    place = token.subscript - shift if isinstance(token.subscript, int) else -1
    if not isinstance(row, list) or not 0 <= place < len(row) or not isinstance(row[place], int | float | Fraction):
        return None
    return f"({_plain(Fraction(row[place]))})"


def _rate_of(base: Scenario, token: Token) -> Any:
    return base.gamma if token.sense is not None and token.sense.meaning == "gamma" else base.lam


def _plain(x: Fraction) -> str:
    return f"{float(x):.12f}" if x >= 0 else f"-{-float(x):.12f}"


_WEIGHS = re.compile(r"weigh|factor|coefficient|权重|系数", re.IGNORECASE)


def weights(text: str, given: Mapping[str, Any]) -> tuple[Claim, ...]:
    """The weight of δ_2 in A_0 is .9025: one number and how far it is from the advantage that it enters."""
    tokens = join_subscripts(scan(text), text)
    named = {t.sense.meaning: t.subscript for t in tokens if _indexed(t) and t.sense is not None}
    numbers = [t for t in tokens if t.kind == "number"]
    of = [x for name, x in named.items() if name in ("deltas", "rewards") and isinstance(x, int)]
    into = named.get("advantages")
    base = _base({**given, **parameters_of(text)})
    rated = [t for t in numbers if not re.search(r"(?:[γλ]|lam\w*|gamma) ?=? ?\Z", text[: t.start])]
    if not _WEIGHS.search(text) or len(named) != 2 or len(of) != 1 or not isinstance(into, int) or len(rated) != 1:
        return ()
    stated = rated[0]
    if base is None or of[0] < into or stated.text.endswith("%") or base.gamma is None or base.lam is None:
        return ()
    decay = Fraction(str(base.gamma)) * Fraction(str(base.lam))
    name = f"(gamma * lam) ^ {of[0] - into}"
    shown = decimals_shown(stated.text)
    return (Claim(name, float(stated.text), shown, places=(stated.start,), correct=decay ** (of[0] - into)),)


def without_supposition(text: str) -> str:
    """A_0 = δ_0 = .1 misses …: with δ in its place the advantage is said to leave something out, not to be .1."""
    return _SUPPOSED.sub("", text) if _MISSES.search(text) else text


_MISSES = re.compile(
    r"\b(?:miss(?:es|ing)?|leaves? out|left out|ignores?|drops|omits?|loses|overlooks?)\b|漏|忽略|丢[了掉]|没算"
    r"|少算|看不到",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"(?:\bA|advantage|优势 ?A?)_?\{?\w{0,3}\}? ?= ?(?=(?:δ|\\?delta)_?\{?\d)", re.IGNORECASE)
