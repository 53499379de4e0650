"""About how many tokens a text is, where nobody has counted them."""

from __future__ import annotations

LETTERS = 4.0  # characters of a token, in Latin letters
SIGNS = 1.3  # and in Chinese


def estimated(text: str) -> int:
    latin = sum(character.isascii() for character in text)
    return round(latin / LETTERS + (len(text) - latin) / SIGNS)
