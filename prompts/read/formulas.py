"""Formulas as people write them, in LaTeX, code or words, in the one way that expressions.py reads."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("formulas.toml")
_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+)\}"
_FRACTION = re.compile(rf"\\[dt]?frac\s*{_GROUP}\s*{_GROUP}")
_DRESS = re.compile(r"\\(?:left|right|big|Big|bigg|Bigg|[,;!:]|quad|qquad|displaystyle)(?![A-Za-z])|\$")
_TEXT = re.compile(r"\\(?:text|mathrm|operatorname|mathsf|textbf|mathbf)\s*\{([^{}]*)\}")
_RATIO_OF_THETA = re.compile(r"\b(?:r|ρ|\\rho|ratio)_?\{?t?\}?\s*\((?:\\theta|θ)\)|\br_\{?(?:\\theta|θ)\}?")
_OF_THETA = re.compile(r"\b(?:r|ρ|\\rho|ratio)_?\{?t?\}?\s*\((?:\\theta|θ)\)|\br_\{?(?:\\theta|θ)\}?")
_R_IS_CLIPPED = re.compile(r"\bcl(?:i|am)p\s*\(\s*r(?:_\{?t\}?)?\s*[,)]")
_R = re.compile(r"(?<![A-Za-z_\\])r(?:_\{?t\}?)?(?![A-Za-z_])")
_OF_TWO = re.compile(r"\b(?:min|max)\s*[(\[]", re.IGNORECASE)
_CLIPPED_RATIO = re.compile(r"(?P<ratio>\bcl(?:i|am)p\s*\(\s*(?:ratio|ρ)(?:_\{?t\}?)?)\s*(?=\))", re.IGNORECASE)
_OF_THETA = re.compile(r"(?<=[A-Z})])\s*\((?:\\theta|θ)\)")
_ENDS_AT_ZERO = re.compile(  # which V_T is anyway
    r"[(,，]?\s*(?:只要|其中|且|as long as|with|where|given|provided)?\s*(?:末尾|最后)?的?\s*V_\{?T\}?\s*=\s*0\s*[)]?"
)
_OPERATED = re.compile(r"[-+*/·]|[\])]\s*[\w(]|,")


def spelt_out(sentence: str) -> str:
    """The sentence with its formulas in plain operators, brackets and names."""
    text = _DRESS.sub(" ", _TEXT.sub(r"\1", sentence))
    for _ in range(3):
        text = _FRACTION.sub(r"((\1)/(\2))", text)
    text = _ENDS_AT_ZERO.sub(" ", text)
    text = _OF_THETA.sub("", _RATIO_OF_THETA.sub("ρ_t ", text))
    text = rounded(text)
    for pattern, name in _names():
        text = pattern.sub(name, text)
    return text


def rounded(text: str) -> str:
    """Brackets that hold a sum or a product as round ones; those of an index or a list stay."""
    opened: list[int] = []
    characters = list(text)
    for i, character in enumerate(text):
        if character == "[":
            opened.append(i)
        elif character == "]" and opened:
            start = opened.pop()
            inner, before = text[start + 1 : i], text[:start]
            sums = _OPERATED.search(inner) and re.search(r"[A-Za-zα-ω]", inner) and ":" not in inner
            if sums and not re.search(r"[A-Za-z_\]}]$", before):
                characters[start], characters[i] = "(", ")"
    return "".join(characters)


@cache
def _names() -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))["names"]
    return tuple((re.compile(pattern, re.IGNORECASE), new) for new, pattern in rows)
