"""The numbers that a text states, in figures and in words, as strings that can be compared.

Figures are taken as they are written, with their sign, exponent, percent sign or scale (0.20 is not 0.2).
Words count where they stand for a quantity: 六个, 百分之五, 零点七五, "twice"; 一个, 一起, 万一, "one of them" do not.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from prompts.tell.ground import is_numeral

_WORDS = tomllib.loads((Path(__file__).parent / "number_words.toml").read_text(encoding="utf-8"))


def _by_word(values: Mapping[str, str]) -> dict[str, str]:
    return {word: value for value, spelt in values.items() for word in spelt.split()}


_DIGITS = _by_word(_WORDS["zh"]["digits"])
_SCALES = {word: int(value) for word, value in _by_word(_WORDS["zh"]["scales"]).items()}
_WHOLE = _by_word(_WORDS["zh"]["whole"])
_CONTEXT = _WORDS["zh"]["context"]
_EN = _by_word(_WORDS["en"]["words"])
_MYRIAD = 10_000  # from here on, a scale multiplies all that stands before it

_PLAIN = {**dict.fromkeys("−–－﹣‐‑", "-"), "％": "%", "﹪": "%", "．": "."}
_BULLET = re.compile(r"^[ \t]*[-+*][ \t]+", re.MULTILINE)

_NEGATIVE = r"-\s*|负的?\s*|\bminus\s+|\bnegative\s+"
_PERCENT = r"\s*(?:%|per ?cent\b)"
_POWER = r"[eE][-+]?\d+|\s*[×x·*]\s*10[⁻⁰¹²³⁴-⁹]+"
_FIGURE = re.compile(
    rf"(?P<minus>{_NEGATIVE})?(?P<of_hundred>百分之\s*)?"
    rf"(?P<body>(?:\d+(?:,\d{{3}}(?!\d))*(?:\.\d+)*|\.\d+)(?:{_POWER})?)"
    rf"(?:(?P<percent>{_PERCENT})|\s*(?P<scale>[‰{''.join(_SCALES)}]+))?",
    re.IGNORECASE,
)
_ZH = f"[{''.join((*_DIGITS, *_SCALES))}]"
_ZH_WORD = re.compile(
    rf"(?P<idiom>{'|'.join(_CONTEXT['idioms'].split())})|(?P<whole>{'|'.join(_WHOLE)})"
    rf"|(?P<minus>负)?(?P<of>百分之|第|{_ZH}+分之)?(?P<body>{_ZH}+)(?P<after>点{_ZH}+)?"
)
_PARTS = _by_word(_WORDS["en"]["parts"])
_FRACTION = re.compile(
    rf"(?P<minus>{_NEGATIVE})?\b(?P<top>an?|one|{'|'.join(_EN)})[ -](?P<bottom>{'|'.join(_PARTS)})\b", re.IGNORECASE
)
_EN_ONE = re.compile(  # one and first count where they measure or number something, not as pronoun or in "at first"
    rf"\bone(?= ?(?:{_WORDS['en']['context']['units']})\b)"
    rf"|\b(?:{_WORDS['en']['context']['before_first']}) first\b(?! {_WORDS['en']['context']['not_after_first']})",
    re.IGNORECASE,
)
_EN_WORD = re.compile(
    rf"(?P<minus>{_NEGATIVE})?\b(?P<body>{'|'.join(sorted(_EN, key=len, reverse=True))})\b(?P<percent>{_PERCENT})?",
    re.IGNORECASE,
)
_MEASURED = re.compile(rf"\s*(?:[{_CONTEXT['measures']}]|tokens?\b)")
_MEASURED_ONE = re.compile(f"[{_CONTEXT['measures_of_one']}]")


@dataclass(frozen=True)
class Numerals:
    """The numbers in figures, in their order, and how often each stands there in words."""

    figures: tuple[str, ...]
    words: Counter[str]


def numerals(prose: str) -> Numerals:
    """The numbers of a text that holds no formulas, code or tables."""
    text = _BULLET.sub("", "".join(map(_plain, prose)))
    rest = _FIGURE.sub(" ", text)
    words = Counter(_zh_value(found) for found in _ZH_WORD.finditer(rest) if _is_quantity(found, rest))
    words += Counter(map(_fraction, _FRACTION.finditer(rest)))
    rest = _FRACTION.sub(" ", rest)
    words += Counter("1" for _ in _EN_ONE.finditer(rest))
    return Numerals(tuple(_figures(text)), words + Counter(map(_en_value, _EN_WORD.finditer(rest))))


def _figures(text: str) -> Iterator[str]:
    """In order: numbers in digits, and between them ², ½, Ⅳ."""
    end = 0
    for found in _FIGURE.finditer(text):
        yield from filter(is_numeral, text[end : found.start()])
        yield _figure(found)
        end = found.end()
    yield from filter(is_numeral, text[end:])


def _plain(character: str) -> str:
    """A digit of any script as 0 … 9, any minus as a hyphen."""
    if unicodedata.category(character) == "Nd":
        return str(unicodedata.digit(character))
    return _PLAIN.get(character, character)


def _figure(found: re.Match[str]) -> str:
    sign = "-" if found["minus"] else ""
    percent = "%" if found["percent"] or found["of_hundred"] else ""
    return sign + found["body"] + (found["scale"] or "") + percent


def _is_quantity(found: re.Match[str], text: str) -> bool:
    """A word of several parts is one; a single word where something is counted, measured or numbered."""
    if found["body"] is None:
        return found["whole"] is not None
    if found["body"] in _SCALES or found["body"] in _DIGITS:
        if _DIGITS.get(found["body"]) == "1" and not (found["minus"] or found["after"] or found["of"]):
            return bool(_MEASURED_ONE.match(text, found.end()))
        return bool(found["minus"] or found["of"] or found["after"] or _MEASURED.match(text, found.end()))
    return True


def _zh_value(found: re.Match[str]) -> str:
    if found["whole"]:
        return _WHOLE[found["whole"]]
    value = ("-" if found["minus"] else "") + _integer(found["body"])
    if found["after"]:
        value += "." + _spelt(found["after"][1:])
    if found["of"] is None or found["of"] == "第":
        return value
    return value + "%" if found["of"] == "百分之" else f"{value}/{_integer(found['of'][:-2])}"


def _integer(letters: str) -> str:
    """二十三 → 23; letters without a scale are read digit by digit."""
    if not set(letters) & set(_SCALES):
        return _spelt(letters)
    total = section = digit = 0
    for letter in letters:
        if letter in _DIGITS:
            digit = int(_DIGITS[letter])
        elif _SCALES[letter] < _MYRIAD:
            section, digit = section + (digit or 1) * _SCALES[letter], 0
        else:
            total, section, digit = ((total + section + digit) or 1) * _SCALES[letter], 0, 0
    return str(total + section + digit)


def _spelt(letters: str) -> str:
    return "".join(_DIGITS.get(letter, letter) for letter in letters)


def _fraction(found: re.Match[str]) -> str:
    top = found["top"].lower()
    sign = "-" if found["minus"] else ""
    return f"{sign}{1 if top in ('a', 'an', 'one') else _EN[top]}/{_PARTS[found['bottom'].lower()]}"


def _en_value(found: re.Match[str]) -> str:
    return ("-" if found["minus"] else "") + _EN[found["body"].lower()] + ("%" if found["percent"] else "")
