"""Words that are said to stand in a message: where they do, as they stand there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

SHORTEST = 2  # letters or signs that can be found again
_FIGURE = re.compile(r"(?<![\w.])[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?![A-Za-z_])", re.IGNORECASE | re.ASCII)
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
    """The numbers of a value, where they follow one another in the message just so, signs and digits too.

    One that stands there once for several tokens may be repeated ("0 for the first two, then 1").
    """
    wanted, have = read_figures(value), read_figures(message)
    if not wanted:
        return None
    if any(have[i : i + len(wanted)] == wanted for i in range(len(have) - len(wanted) + 1)):
        return [float(one) for one in wanted]
    runs = [(one, len([*same])) for one, same in groupby(wanted)]
    once, (first, *_, last) = [one for one, _ in runs], [*runs, *runs]
    for i in range(len(have) - len(once) + 1):
        before, after = have[i - 1 : i], have[i + len(once) : i + len(once) + 1]
        drawn_out = (first[1] > 1 and before == [first[0]]) or (last[1] > 1 and after == [last[0]])
        if have[i : i + len(once)] == once and not drawn_out:
            return [float(one) for one in wanted]
    return None


def accounted(given: Iterable[Any], message: str) -> int:
    """How many of the message's figures are among some numbers, each and lists of them."""
    flat = {float(x) for one in given for x in (one if isinstance(one, Sequence) else [one]) if _is_number(x)}
    return sum(float(one) in flat for one in read_figures(message))


def unread(given: Iterable[Any], message: str) -> bool:
    """Whether figures stand in the message that these numbers do not account for."""
    return accounted(given, message) < len(read_figures(message))


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool)


def read_figures(text: str) -> list[str]:
    """The numbers that stand in a text, as they are written; digits of a name (k1, 7B) are none."""
    return _FIGURE.findall(unicodedata.normalize("NFKC", text).translate(_MINUS))
