"""Tokens that belong together: phrases, signs with their numbers, fractions; operators told from bullets."""

from __future__ import annotations

import math

from prompts.read.glossary import BEGINNINGS, WORDS_IN_A_PHRASE, parts, phrase
from prompts.read.numbers.token import Token

_OPERANDS = frozenset(["number", "name", "close", "word"])
_LOOSE = frozenset(["*", "**", "-", "+", "~", "<", ">"])


def join_phrases(tokens: list[Token]) -> list[Token]:
    """Words that mean something together become one name: the longest phrase from each word on."""
    result: list[Token] = []
    i = 0
    while i < len(tokens):
        taken = _phrase_at(tokens, i)
        if taken is None:
            result.append(tokens[i])
            i += 1
        else:
            name, count = taken
            result.append(name)
            i += count
    return result


def _phrase_at(tokens: list[Token], i: int) -> tuple[Token, int] | None:
    if tokens[i].kind not in ("word", "name") or not tokens[i].text.isascii():
        return None
    words: tuple[str, ...] = ()
    best: tuple[Token, int] | None = None
    for count in range(1, WORDS_IN_A_PHRASE + 1):
        j = i + count - 1
        if j >= len(tokens) or tokens[j].kind not in ("word", "name") or len(tokens[j].text) > 48:
            break
        if count > 1 and tokens[j].start - tokens[j - 1].end > 1:
            break
        words += parts(tokens[j].text)
        if words not in BEGINNINGS:
            break
        sense = phrase(words)
        alone = count == 1 and tokens[i].kind == "name"
        if sense and not alone:
            index = tokens[j].subscript
            text = " ".join(t.text for t in tokens[i : j + 1])
            best = Token("name", text, tokens[i].start, tokens[j].end, sense=sense, subscript=index), count
        if tokens[j].subscript is not None:
            break
    return best


def settle_operators(tokens: list[Token], text: str) -> list[Token]:
    """An operator stands between two operands, else it is a sign, a bullet or emphasis; a/b is a number."""
    result: list[Token] = []
    for i, token in enumerate(tokens):
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        if token.kind == "operator" and token.text != "|":
            result.append(_settled(token, result[-1] if result else None, after))
        elif token.kind in ("number", "odd") and result and result[-1].kind == "sign":
            result.append(_signed(token, result.pop(), text))
            _join_fraction(result, after, text)
        else:
            result.append(token)
            _join_fraction(result, after, text)
    return result


def _settled(token: Token, before: Token | None, after: Token | None) -> Token:
    """The operator as what it is between its neighbours."""
    if (
        token.text in "+-"
        and after
        and after.kind in ("number", "odd")
        and after.start == token.end
        and _signs(token, before)
    ):
        return token._replace(kind="sign")
    between = before and before.kind in _OPERANDS and after and after.kind in (*_OPERANDS, "open", "operator")
    return token if between or token.text not in _LOOSE else token._replace(kind="quote")


def _signed(token: Token, sign: Token, text: str) -> Token:
    value = -token.value if sign.text == "-" and token.value is not None else token.value
    return token._replace(start=sign.start, text=text[sign.start : token.end], value=value)


def _signs(token: Token, before: Token | None) -> bool:
    return before is None or before.kind not in _OPERANDS or (before.end < token.start) or not before.text.isascii()


def _join_fraction(result: list[Token], after: Token | None, text: str) -> None:
    """Exactly a/b of whole numbers, written close together, becomes one number; a/b/c is a list."""
    if len(result) < 3 or result[-2].text != "/" or result[-1].kind != "number" or result[-3].kind != "number":
        return
    upper, slash, lower = result[-3:]
    chained = (after is not None and after.text == "/") or (len(result) > 3 and result[-4].text == "/")
    close = upper.end == slash.start and slash.end == lower.start
    if chained or not close or not upper.text.lstrip("+-").isdigit() or not lower.text.isdigit():
        return
    quotient = (upper.value or 0.0) / lower.value if lower.value else math.inf
    result[-3:] = [upper._replace(text=text[upper.start : lower.end], end=lower.end, value=quotient)]
