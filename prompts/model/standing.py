"""Words that are said to stand in a message: where they do, as they stand there."""

from __future__ import annotations

import re
import unicodedata

SHORTEST = 2  # letters or signs that can be found again
_FIGURE = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_MINUS = str.maketrans(dict.fromkeys("−–－﹣‐‑", "-"))


def standing(words: str, message: str) -> str | None:
    """The stretch of the message that these words are, whatever marks, spaces and capitals stand between; or None."""
    whole, wanted = _letters(message), "".join(letter for letter, _ in _letters(words))
    place = "".join(letter for letter, _ in whole).find(wanted) if len(wanted) >= SHORTEST else -1
    if place < 0:
        return None
    end = whole[place + len(wanted) - 1][1] + 1
    while end < len(message) and message[end] in "?？!！.。":  # what ends it, or makes it a question
        end += 1
    return message[whole[place][1] : end]


def _letters(text: str) -> list[tuple[str, int]]:
    """Letters, digits and signs of a text in one spelling, each with its place."""
    return [
        (letter, place)
        for place, character in enumerate(text)
        for letter in unicodedata.normalize("NFKC", character).casefold().translate(_MINUS)
        if letter.isalnum() or letter in "+-=<>"
    ]


def figures(value: str, message: str) -> list[float] | None:
    """The numbers of a value, where they follow one another in the message just so, signs and digits too."""
    wanted, have = _figures(value), _figures(message)
    found = any(have[i : i + len(wanted)] == wanted for i in range(len(have) - len(wanted) + 1))
    return [float(one) for one in wanted] if wanted and found else None


def _figures(text: str) -> list[str]:
    return _FIGURE.findall(unicodedata.normalize("NFKC", text).translate(_MINUS))
