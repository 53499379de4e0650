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
_R_IS_CLIPPED = re.compile(r"\bcl(?:i|am)p\s*\(\s*r(?:_\{?t\}?)?\s*[,)]")
_R = re.compile(r"(?<![A-Za-z_\\])r(?:_\{?t\}?)?(?![A-Za-z_])")
_OF_TWO = re.compile(r"\b(?:min|max)\s*[(\[]", re.IGNORECASE)
_CLIPPED_RATIO = re.compile(r"(?P<ratio>\bcl(?:i|am)p\s*\(\s*(?:ratio|ρ)(?:_\{?t\}?)?)\s*(?=\))", re.IGNORECASE)
_OF_THETA = re.compile(r"(?<=[A-Z})])\s*\((?:\\theta|θ)\)")
_ENDS_AT_ZERO = re.compile(  # which V_T is anyway
    r"[(,，]?\s*(?:只要|其中|且|as long as|with|where|given|provided)?\s*(?:末尾|最后)?的?\s*V_\{?T\}?\s*=\s*0\s*[)]?"
)
_EXPECTATION = re.compile(r"(?:\\hat\{?)?(?:\\mathbb\{E\}|𝔼|\bE(?![A-Za-z]))\}?(?:_\{[^{}]*\}|_\w)?\s*(?=[\[(])")
_AVERAGES = re.compile(
    r"\b(?:the )?(?:mean|average|expectation|expected value) of(?: the)?(?= )"
    r"|\b(?:torch\.)?(?:masked_)?mean\s*(?=\()|(?:\.mean\(\))|的(?:均值|平均值?|期望)"
)
_UPDATE = re.compile(
    r"L[_^]|\bobjectives?\b|目标函数|裁剪目标|\b(?:min|max|clip|clamp|maximum|minimum)\s*[\[(]|pg_?loss|surrogate|代理目标",
    re.IGNORECASE,
)
_VALUE_LOSS = re.compile(
    r"\b(?:value|vf|critic)[ _](?:function )?loss\b|(?:价值|critic ?的?|值函数)(?:损失|loss)", re.IGNORECASE
)
_WHITENING = re.compile(r"whiten|白化|normali[sz]|标准化|归一化", re.IGNORECASE)
_IN_GROUP = re.compile(r"\b(?:grpo|rloo|dr\.? ?grpo)\b|\bgroup\b|组内|同组|组均值|留一", re.IGNORECASE)
_OPERATED = re.compile(r"[-+*/·]|[\])]\s*[\w(]|,")


def spelt_out(sentence: str) -> str:
    """The sentence with its formulas in plain operators, brackets and names."""
    text = _DRESS.sub(" ", _TEXT.sub(r"\1", sentence))
    for _ in range(3):
        text = _FRACTION.sub(r"((\1)/(\2))", text)
    text = _ENDS_AT_ZERO.sub(" ", text)
    text = _OF_THETA.sub("", _RATIO_OF_THETA.sub("ρ_t ", text))
    text = _R.sub("ratio", text) if _R_IS_CLIPPED.search(text) else text
    text = _CLIPPED_RATIO.sub(r"\g<ratio>, 1-ε, 1+ε", text) if _OF_TWO.search(text) else text
    updates = _UPDATE.search(text) is not None or _VALUE_LOSS.search(text) is not None
    text = rounded(_EXPECTATION.sub("" if updates else "expected", text))
    if updates:
        text = _AVERAGES.sub("", text)
    text = _VALUE_LOSS.sub("clippedvfloss" if re.search(r"cl(?:i|am)p|裁剪", text, re.IGNORECASE) else "vfloss", text)
    text = _renamed(text, "names")
    if _IN_GROUP.search(text):
        return _renamed(text, "group")
    return _renamed(text, "whitening") if _WHITENING.search(text) else text


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
            indexes = re.search(r"[A-Za-z_\]}]$", before) and not re.search(r"(?:expected|min|max|mean|E)$", before)
            sums = _OPERATED.search(inner) and re.search(r"[A-Za-zα-ω]", inner) and ":" not in inner
            if before.rstrip().endswith("expected") or (sums and not indexes):
                characters[start], characters[i] = "(", ")"
    return "".join(characters)


@cache
def _table(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))[name]
    return tuple((re.compile(pattern, re.IGNORECASE), new) for new, pattern in rows)


def _renamed(text: str, table: str) -> str:
    for pattern, name in _table(table):
        text = pattern.sub(name, text)
    return text
