"""Names with several subscripts as one name: A_1..A_6, δ_4,5,6, R_1, …, R_6, A_{1:6}; and A^MC by its method."""

from __future__ import annotations

import re

from engine.scenario import LONGEST
from prompts.read.glossary import Sense, parts, phrase, symbol
from prompts.read.numbers.cues import SCALARS
from prompts.read.numbers.token import Token

_METHOD = re.compile(
    r"[A-Za-z]?\w{0,9}[\^_] ?\{?\(?(?:\\?(?:text|mathrm|rm) ?\{)?(?P<method>MC|GAE)(?![A-Za-z])[})]{0,3}"
)
_BY_MONTE_CARLO = {"advantages": "mc_advantages", "returns": "mc_returns"}
_BRACES = re.compile(r"_\{ ?(\d{1,4}) ?(?::|\.{2,3}|,? ?\.{3} ?,?|-|~) ?(\d{1,4}) ?\}\Z")
_ENUMERATED = re.compile(r"_\{ ?(\d{1,4}(?: ?, ?\d{1,4}){1,64}) ?\}\Z")
_SLICE = re.compile(r"\[(\d{1,4}):(\d{1,4})\]\Z")
_HYPHEN = re.compile(r"([A-Za-z]{1,12})_?(\d{1,4})-\1_?(\d{1,4})\Z")
_THROUGH = frozenset(["to", "through", "thru", "till", "until", "至", "到", "-", "~", "—", "–"])


def join_subscripts(tokens: list[Token], text: str) -> list[Token]:
    """The tokens, such names joined."""
    result: list[Token] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "word" and (found := _HYPHEN.match(token.text)) and (name := _hyphenated(token, found)):
            result.append(name)
            i += 1
            continue
        if token.kind != "name" or token.sense is None or token.sense.meaning in SCALARS:
            result.append(token)
            i += 1
            continue
        token, i = _by_method(tokens, i, text)
        joined, i = _joined(tokens, token, i, text)
        result.append(joined)
    return result


def _by_method(tokens: list[Token], i: int, text: str) -> tuple[Token, int]:
    """A^{MC}: its sense, and the token behind it."""
    token = tokens[i]
    found = _METHOD.match(text, token.start)
    assert token.sense is not None, "only names are asked"
    if found is None:
        return token, i + 1
    meant = token.sense.meaning
    meant = _BY_MONTE_CARLO.get(meant, meant) if found["method"] == "MC" else meant
    end, i = max(found.end(), token.end), i + 1
    while i < len(tokens) and tokens[i].start < end:
        i += 1
    subscript = None if isinstance(token.subscript, str) else token.subscript
    return token._replace(sense=Sense(meant), end=end, subscript=subscript), i


def _joined(tokens: list[Token], token: Token, i: int, text: str) -> tuple[Token, int]:
    """A name with all of its subscripts, and the token behind them."""
    written = text[token.start : token.end]
    for shape, last in ((_BRACES, 1), (_SLICE, 0)):
        if found := shape.search(written):
            return token._replace(indices=_through(int(found[1]), int(found[2]) + last)), i
    if found := _ENUMERATED.search(written):
        return token._replace(indices=tuple(int(x) for x in found[1].split(","))), i
    if not isinstance(token.subscript, int):
        return token, i
    indices: tuple[int, ...] = (token.subscript,)
    j = i
    while (more := _next(tokens, token, j, indices)) is not None:
        indices, j = more
    closed = j < len(tokens) and tokens[j].kind in ("equals", "arrow", "word", "open", "number")
    if len(indices) == 1 or not closed:
        return token, i
    return token._replace(end=tokens[j - 1].end, indices=indices), j


def _next(tokens: list[Token], name: Token, j: int, before: tuple[int, ...]) -> tuple[tuple[int, ...], int] | None:
    """The subscripts with those that follow one separator, and the token behind them."""
    k, ranged = j, False
    while k < len(tokens) and k - j < 4 and _separates(tokens[k]):
        ranged = ranged or tokens[k].kind in ("stop", "dots") or tokens[k].text.lower() in _THROUGH
        k += 1
    if k == j or k >= len(tokens):
        return None
    after = tokens[k]
    same = after.kind == "name" and after.sense == name.sense and isinstance(after.subscript, int)
    plain = after.kind == "number" and after.text.lstrip(".").isdigit() and len(after.text) <= 4
    if plain and (after.text.startswith(".") != (tokens[k - 1].kind == "stop") or not _stays_a_subscript(tokens, k)):
        return None
    if not same and not plain:
        return None
    index = after.subscript if same else int(after.text.lstrip("."))
    assert isinstance(index, int), "a subscript that is a number"
    more = _through(before[-1] + 1, index + 1) if ranged else (index,)
    return ((*before, *more), k + 1) if more and len(before) + len(more) <= LONGEST else None


def _stays_a_subscript(tokens: list[Token], k: int) -> bool:
    """δ_4,5,6 = …: another number or what ends the name follows, and not the end of the text."""
    after = tokens[k + 1] if k + 1 < len(tokens) else None
    return after is not None and (after.kind in ("comma", "equals", "arrow") or after.kind == "word")


def _separates(token: Token) -> bool:
    return token.kind in ("comma", "dots", "stop") or token.text.lower() in _THROUGH or token.text in ("and", "和")


def _through(first: int, end: int) -> tuple[int, ...]:
    return tuple(range(first, end)) if 0 <= end - first <= LONGEST else ()


def _hyphenated(token: Token, found: re.Match[str]) -> Token | None:
    """A_1-A_6, which the scanner takes for one word."""
    sense = symbol(found[1]) or phrase(parts(found[1]))
    if sense is None or sense.meaning in SCALARS:
        return None
    return token._replace(kind="name", sense=sense, indices=_through(int(found[2]), int(found[3]) + 1))
