"""Whether two texts say the same: by how much of the first one's words stand in the other."""

from __future__ import annotations

import re

ALIKE = {"zh": 0.32, "en": 0.35}  # of the words
_MARKUP = re.compile(r"\\[()]|<[^>]*>|[{}`\s]|[，。；：、？！（）“”,.;:()]")
_TAGS = re.compile(r"<[^>]*>|[`{}()]|\\[()]")
_WORD = re.compile(r"[a-z]{4,}|\\?[a-zδλγρβ]+_")


def says_again(text: str, other: str, language: str) -> bool:
    """Whether the text says nothing, or little, that the other does not."""
    own, there = _words(text, language), _words(other, language)
    return bool(own) and len(own & there) >= ALIKE[language] * len(own)


def _words(text: str, language: str) -> set[str]:
    """Its words; in Chinese its pairs of characters."""
    if language != "zh":
        return {*_WORD.findall(_TAGS.sub(" ", text.lower()))}
    bare = _MARKUP.sub("", text)
    return {bare[i : i + 2] for i in range(len(bare) - 1)}
