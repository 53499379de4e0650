"""Text to tokens in one pass: numbers, names from the glossary, brackets, separators, operators, words."""

from __future__ import annotations

import math
import re

from prompts.read.glossary import chinese_at, parts, phrase, symbol
from prompts.read.numbers.cues import SCALARS
from prompts.read.numbers.joining import join_phrases, settle_operators
from prompts.read.numbers.literals import number
from prompts.read.numbers.logs import join_logarithms
from prompts.read.numbers.policies import sided
from prompts.read.numbers.token import MOST_TOKENS, Token

_PIECES = re.compile(
    r"""
      (?P<newline>\n)
    | (?P<space>[ \t]++)
    | (?P<aside>https?://[^\s<>"']++|0x[0-9a-fA-F]++|\d++\.\.\d++|\d++(?:\.\d++){2,}+(?:[A-Za-z]\w*+)?|(?<![\d.])\d{1,4}(?:-\d{1,2}){2}(?![\d-])
        |[A-Za-z][A-Za-z0-9_/]{0,80}+\.(?:py|yaml|yml|md|json|sh|ipynb|cu|cpp|txt)\b(?::\d++(?:-\d++)?+)?|[Vv]'(?![A-Za-z]))
    | (?P<odd>∞|\\infty(?![A-Za-z])|float\(["'][+-]?(?:[Nn][Aa][Nn]|[Ii]nf(?:inity)?)["']\))
    | (?P<number>(?:\d++(?:\.\d++|\.(?!\s*+(?:[A-Za-z\u3400-\u9fff]|\Z)))?+|\.\d++)
        (?:[eE][+-]?\d++(?![A-Za-z_]))?+(?:[ ]?%(?![ ]?\d)|(?![A-Za-z_])))
    | (?P<glued>(?:\d++(?:\.\d++)?+|\.\d++)[A-Za-z_][A-Za-z_0-9]*+)
    | (?P<word>\\?[A-Za-z_][A-Za-z_0-9]*+(?:[./-](?=[A-Za-z_])[A-Za-z_0-9]++)*+)
    | (?P<greek>\\?[α-ωΣ])
    | (?P<open>[\[({])
    | (?P<close>[\])}])
    | (?P<dots>\.{3,}+)
    | (?P<arrow>->|=>|→|:=|≈|∈|⇒|←|>>>)
    | (?P<equals>==|=|:)
    | (?P<operator>\*\*|[+\-*/^·×÷±<>≥≤≠~|])
    | (?P<comma>[,、;])
    | (?P<stop>[.。?!])
    | (?P<quote>["'`\\$&\#_])
    | (?P<chinese>[\u3400-\u9fff\uf900-\ufaff]++)
    | (?P<other>.)
    """,
    re.VERBOSE,
)
_LATEX_DRESS = frozenset(
    [
        "hat",
        "tilde",
        "bar",
        "mathrm",
        "mathbf",
        "mathcal",
        "text",
        "left",
        "right",
        "quad",
        "displaystyle",
        "widehat",
        "vec",
    ]
)
_GREEK = {
    **dict.fromkeys(["epsilon", "varepsilon"], "ε"),
    **dict.fromkeys(["to", "rightarrow"], "→"),
    **dict(zip(["gamma", "lambda", "beta", "delta", "rho", "mu", "pi", "sigma", "sum"], "γλβδρμπσΣ", strict=True)),
    **dict(zip(["cdot", "times"], "·×", strict=True)),
}
_ODD = {"nan": math.nan, "inf": math.inf, "infinity": math.inf, "true": 1.0, "false": 0.0}
_LIBRARY = re.compile(r"(?:np|numpy|jnp|math|torch)\.")
_NOTHING = frozenset(["none", "null", "na"])
_SUBSCRIPT = re.compile(
    r"(?:_(?:\{([^{}\n]{1,12})\}|([A-Za-z0-9]))|\^(?:\{([^{}\n]{1,12})\}|\(([^()\n]{1,8})\)|([A-Za-z0-9*])))"
)
_BRACKET_INDEX = re.compile(
    r"\[ ?(?:(-?\d{1,4})|:[ ]?,[^\[\]\n]{1,40}|(?![\d.\-+ ]*[\d.])[^\[\]\n]{1,40}|[^\[\]\n]{0,20}:[^\[\]\n]{0,20}) ?\]"
)
_CALL_INDEX = re.compile(
    r"\( ?(?:(\d{1,3})|[sx]_?\{?(\d{1,3})\}?|[a-z]'?[\w{}+\-^]{0,8}(?: ?, ?a'?[\w{}+\-^]{0,8})?) ?\)"
)
_SUMMED = re.compile(r"_?\{?[a-z]?\}? ?(δ|\\delta|A)(?:_[a-z0-9])?(?![A-Za-z])")
_DRESSED = re.compile(r"([A-Za-zα-ω])\}")
_LETTER_AND_DIGITS = re.compile(r"([A-Za-z]|delta|adv)(\d{1,3})")
_NAME_AND_DIGITS = re.compile(r"([A-Za-z]+?)(\d+)")
_INDEX_WORD = re.compile(r"\d{1,4}|t|i|j|k|n|tp1|t1|T")
_AGGREGATES = frozenset(["mean", "sum", "std", "var", "shape", "size", "min", "max", "item", "abs", "norm", "py"])


def scan(text: str) -> list[Token]:
    """All tokens of a cleaned text, spaces left out. One pass; every alternative is possessive, so it is linear."""
    tokens: list[Token] = []
    position = 0
    while position < len(text) and len(tokens) <= MOST_TOKENS:
        piece = _PIECES.match(text, position)
        assert piece is not None, "the last alternative takes any character"
        kind = piece.lastgroup or "other"
        found = _READERS[kind](text, piece) if kind in _READERS else [Token(kind, piece.group(), position, piece.end())]
        tokens += found
        position = found[-1].end if found else piece.end()
    return settle_operators(join_logarithms(join_phrases(tokens)), text)


# ---------------------------------------------------------------- the pieces


def _nothing(_text: str, _piece: re.Match[str]) -> list[Token]:
    return []


def _number(_text: str, piece: re.Match[str]) -> list[Token]:
    return [Token("number", piece.group(), piece.start(), piece.end(), number(piece.group()))]


def _aside(_text: str, piece: re.Match[str]) -> list[Token]:
    if piece.group()[1:] == "'":
        return [Token("name", piece.group(), piece.start(), piece.end(), sense=symbol(piece.group()))]
    return [Token("word", piece.group(), piece.start(), piece.end())]


def _odd(_text: str, piece: re.Match[str]) -> list[Token]:
    plain = piece.group().lower()
    size = math.nan if "nan" in plain else math.inf
    return [Token("odd", plain, *piece.span(), -size if "-" in plain else size)]


def _greek(text: str, piece: re.Match[str]) -> list[Token]:
    letter = piece.group().lstrip("\\")
    start, end = piece.span()
    if side := sided(text, letter, end):
        return [Token("name", text[start : side[1]], start, side[1], sense=side[0])]
    if letter == "Σ":
        summed = _SUMMED.match(text, end)
        if summed:
            return [
                Token(
                    "name",
                    text[start : summed.end()],
                    start,
                    summed.end(),
                    sense=symbol("ΣA" if summed[1] == "A" else "Σδ"),
                )
            ]
    return (
        [_subscripted(text, Token("name", letter, start, end, sense=symbol(letter)))]
        if symbol(letter)
        else [Token("word", letter, start, end)]
    )


def _word(text: str, piece: re.Match[str]) -> list[Token]:
    start, end = piece.span()
    plain = piece.group()
    if mixed := chinese_at(text, start):
        spelling, meant = mixed
        if not spelling.isascii() and len(spelling) > 1:
            return [Token("name", spelling, start, start + len(spelling), sense=meant)]
    if plain.startswith("\\"):
        return _latex(text, plain[1:], start, end)
    if len(plain) > 1 and plain.endswith("_") and text[end : end + 1] == "{":
        plain, end = plain[:-1], end - 1
        if side := sided(text, plain, end):
            return [Token("name", text[start : side[1]], start, side[1], sense=side[0])]
    value = plain.rpartition(".")[2].lower() if _LIBRARY.match(plain) else plain.lower()
    if value in _ODD or value in _NOTHING:
        return [Token("odd", plain, start, end, _ODD.get(value))]
    glued = _NAME_AND_DIGITS.fullmatch(plain)
    if glued and not symbol(plain) and (sense := phrase(parts(glued[1]))) and sense.meaning in SCALARS:
        return [Token("name", glued[1], start, start + len(glued[1]), sense=sense)]
    lettered = _LETTER_AND_DIGITS.fullmatch(plain)
    if lettered and not symbol(plain) and (sense := symbol(lettered[1]) or phrase((lettered[1].lower(),))):
        return [Token("name", plain, start, end, sense=sense, subscript=int(lettered[2]))]
    return [_subscripted(text, _named(Token("word", plain, start, end)))]


def _latex(text: str, command: str, start: int, end: int) -> list[Token]:
    name = command.split("_")[0]
    if name in _LATEX_DRESS:
        opened = 1 if text[end : end + 1] == "{" else 0
        inner = _DRESSED.match(text, end + 1) if opened else None
        if inner and symbol(inner[1]):
            return [_subscripted(text, Token("name", inner[1], start, inner.end(), sense=symbol(inner[1])))]
        return [Token("quote", command, start, start + 1 + len(name))]
    if name in _GREEK:
        letter, end = _GREEK[name], start + 1 + len(name)
        if letter in "·×":
            return [Token("operator", letter, start, end)]
        if side := sided(text, letter, end):
            return [Token("name", text[start : side[1]], start, side[1], sense=side[0])]
        sense = symbol(letter)
        return [_subscripted(text, Token("name" if sense else "word", letter, start, end, sense=sense))]
    return [Token("word", command, start, end)]


def _named(token: Token) -> Token:
    """A word with the meaning it has alone: a symbol, a symbol with an index, an index after a dotted path."""
    text = token.text
    if sense := symbol(text):
        return token._replace(kind="name", sense=sense)
    base, _, last = text.rpartition("_")
    if base and _INDEX_WORD.fullmatch(last):
        sense = symbol(base) or phrase(parts(base))
        if sense:
            return token._replace(kind="name", sense=sense, subscript=int(last) if last.isdigit() else "t")
    if "." in text or "/" in text:
        head, last = re.split(r"[./]", text)[-2:]
        if last.lower() in _AGGREGATES:
            total = (
                symbol("ΣA")
                if _plain_sense(head) == "advantages"
                else symbol("Σδ")
                if _plain_sense(head) == "deltas"
                else None
            )
            return token._replace(kind="name", sense=total) if last == "sum" and total else token
        sense = symbol(last) or phrase(parts(last))
        return token._replace(kind="name", sense=sense) if sense else token
    return token


def _plain_sense(word: str) -> str:
    sense = symbol(word) or phrase(parts(word))
    return sense.meaning if sense else ""


def _subscripted(text: str, token: Token) -> Token:
    """The token with what stands in the index place right behind it: _t, _{t+1}, ^{(n)}, [:, t], [2], (s_0)."""
    if token.text == "e":
        return token  # its exponent is no index
    if token.kind == "word" and text[token.end : token.end + 1] not in ("_", "^"):
        return token if phrase(parts(token.text)) is None else _indexed(text, token, token.end)
    end, index = token.end, token.subscript
    for _ in range(3):
        mark = _SUBSCRIPT.match(text, end)
        if mark is None:
            break
        inner = next(part for part in mark.groups() if part is not None)
        lowered = mark.group().startswith("_")
        index = (
            int(inner)
            if lowered and inner.isdigit()
            else (index if not lowered and inner.strip("()").isalpha() and len(inner) > 1 else "t")
        )
        end = mark.end()
    return _indexed(text, token._replace(end=end, subscript=index), end)


def _indexed(text: str, token: Token, end: int) -> Token:
    for shape in (_BRACKET_INDEX, _CALL_INDEX):
        mark = shape.match(text, end)
        if mark:
            number_inside = next((part for part in mark.groups() if part is not None), None)
            return token._replace(end=mark.end(), subscript="t" if number_inside is None else int(number_inside))
    return token


def _chinese(text: str, piece: re.Match[str]) -> list[Token]:
    tokens: list[Token] = []
    position, plain = piece.start(), piece.start()
    while position < piece.end():
        known = chinese_at(text, position)
        if known is None:
            position += 1
            continue
        if plain < position:
            tokens.append(Token("word", text[plain:position], plain, position))
        spelling, sense = known
        end = position + len(spelling)
        tokens.append(_subscripted(text, Token("name", spelling, position, end, sense=sense)))
        position = plain = tokens[-1].end
    if plain < position:
        tokens.append(Token("word", text[plain:position], plain, position))
    return tokens


def _glued(_text: str, piece: re.Match[str]) -> list[Token]:
    return [Token("word", piece.group(), *piece.span())]


_READERS = {
    "space": _nothing,
    "number": _number,
    "aside": _aside,
    "odd": _odd,
    "greek": _greek,
    "word": _word,
    "chinese": _chinese,
    "glued": _glued,
}
