"""In which language a message is written, or asks to be answered."""

from __future__ import annotations

import re

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z]{3,}")
_ASKED = {
    "en": re.compile(
        r"\b(in|into|to) english\b|\benglish,? please\b|\benglish version\b|用英文|用英语|英文(版|回答|解释)|翻译成英",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"\b(in|into|to) chinese\b|\bchinese,? please\b|用中文|中文(版|回答|解释)|翻译成中|说中文", re.IGNORECASE
    ),
}


def language(text: str) -> str | None:
    """zh as soon as there is a Chinese character: learners mix English terms into Chinese, not the other way round.

    None when a message is of no language: "λ=0?".
    """
    if _CHINESE.search(text):
        return "zh"
    return "en" if _WORD.search(text) else None


def asked_language(text: str) -> str | None:
    """The language that the message asks the answer to be in."""
    return next((name for name, words in _ASKED.items() if words.search(text)), None)
