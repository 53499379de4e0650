"""Messages that are hardly more than a term: λ? · 什么是白化 · how does GRPO work. A table tells what they want."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from prompts.read.form import beside_wish
from prompts.read.normalise import normalise

_READ = tomllib.loads(Path(__file__).with_name("brief.toml").read_text(encoding="utf-8"))
_BEFORE = re.compile(rf"^(?:{'|'.join(_READ['around']['before'])})\s*", re.IGNORECASE)
_AFTER = re.compile(rf"\s*(?:{'|'.join(_READ['around']['after'])})$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?) ")
_LOOSE = re.compile(r" (?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff]) ")  # spaces beside Chinese
_ASKED_OF_IT = re.compile(  # what about γ, what does that do?
    r"[,，、?？]\s*(?:and |so )?(?:what(?:'s|s)?|why|how|是|有|那|又)?\b[^,，、]{0,14}"
    r"(?:\b(?:it|that|this|those|they|them)\b|它|这个?|那个?|干[嘛吗什])[^,，、]{0,16}$",
    re.IGNORECASE,
)
_MARKS = " \t\n.,;:?!。，；：？！、~…\"'"
LONGEST = 60  # characters


def named(message: str) -> str | None:
    """The lesson that a message names and says no more about; None where it says more."""
    if len(message) > LONGEST:
        return None
    asked = _ASKED_OF_IT.search(message)
    return _lesson(message) or _lesson(beside_wish(message)) or (_lesson(message[: asked.start()]) if asked else None)


def _lesson(message: str) -> str | None:
    words = _trimmed(normalise(message).lower())
    while words and _key(words) not in _terms():
        shorter = _trimmed(_BEFORE.sub("", words, count=1))
        shorter = _trimmed(_AFTER.sub("", words, count=1)) if shorter == words else shorter
        if shorter == words:
            return None
        words = shorter
    return _terms().get(_key(words))


def _trimmed(words: str) -> str:
    return " ".join(words.strip(_MARKS).split())


def _key(words: str) -> str:
    return _LOOSE.sub("", _ARTICLE.sub("", words))


@cache
def _terms() -> dict[str, str]:
    """Each term in its one spelling, and its lesson."""
    return {
        _key(_trimmed(normalise(term).lower())): lesson for lesson, terms in _READ["terms"].items() for term in terms
    }
