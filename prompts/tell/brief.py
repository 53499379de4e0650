"""A page's opening in a sentence or two: its first sentence, and the first with a number where that one has none."""

from __future__ import annotations

import re

_ENDS = {
    "zh": re.compile(r"(?<=[。！？])|\n{2,}"),
    "en": re.compile(r"(?<=[.!?])\s+|(?<=[.!?][”\"*])\s+|(?<=[.!?]</strong>)\s+|\n{2,}"),
}
_FURNITURE = re.compile(r"<details>.*?</details>|^[#|>].*$", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"(?<![A-Za-z_{\d.])-?\d+(?:\.\d+)?(?![\d}]*\})")
_QUOTED = re.compile(
    r"^(?:「.{1,400}?」(?=.{1,8}$)|“.{1,400}?”[:：]? ?(?=.{1,30}$))", re.MULTILINE
)  # what a verdict is on
SHORT = {"zh": 12, "en": 40}  # characters of a sentence that says little by itself: yes


def in_brief(page: str, language: str) -> str:
    found = [one.strip() for one in _ENDS[language].split(_QUOTED.sub("", _FURNITURE.sub("", page))) if one.strip()]
    if not found:
        return page
    first, rest = found[0], found[1:]
    if len(first) < SHORT[language] and rest:
        first, rest = _gap(language).join([first, rest[0]]), rest[1:]
    numbered = next((one for one in rest if _NUMBER.search(one)), None)
    return first if numbered is None or _NUMBER.search(first) else _gap(language).join([first, numbered])


def _gap(language: str) -> str:
    return "" if language == "zh" else " "
