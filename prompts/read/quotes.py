"""The texts that a message quotes, exactly as they were typed, and the message with a mark in the place of each."""

from __future__ import annotations

import re
from typing import NamedTuple

# opening character → what closes it, the better one first
_CLOSING = {
    '"': '"”', "“": "”“\"", "”": "”\"", "„": "”“\"", "＂": "＂", "«": "»", "「": "」", "『": "』", "‘": "’'", "’": "’",
    "'": "'’", "`": "`", "《": "》", "【": "】",
}  # fmt: skip
_NESTING = frozenset("「『«《【")
_APOSTROPHES = frozenset("'‘’")
_WORD = re.compile(r"[A-Za-z0-9]")
LONGEST = 2000  # characters of a quoted text
MOST_UNCLOSED = 40  # marks that open and do not close; beyond that none is looked at
OPEN, CLOSE = "⟦", "⟧"  # around the number of a quoted text in the message without its texts
MARK = re.compile(rf"{OPEN}(\d+){CLOSE}")


class Unquoted(NamedTuple):
    """A message with marks for what it quotes, and what each mark stands for."""

    words: str
    texts: tuple[str, ...]


def unquoted(message: str) -> Unquoted:
    message = message.replace(OPEN, "[").replace(CLOSE, "]")
    words: list[str] = []
    texts: list[str] = []
    position = unclosed = 0
    while position < len(message):
        end = _end(message, position) if unclosed < MOST_UNCLOSED else None
        if end is None:
            unclosed += message[position] in _CLOSING
            words.append(message[position])
            position += 1
            continue
        words.append(f"{OPEN}{len(texts)}{CLOSE}")
        texts.append(message[position + 1 : end].replace('\\"', '"'))
        position = end + 1
    return Unquoted("".join(words), tuple(texts))


def _end(message: str, start: int) -> int | None:
    """Where the quotation that opens at `start` closes; None where none opens."""
    opening = message[start]
    if opening not in _CLOSING:
        return None
    if opening in _APOSTROPHES and start and _WORD.match(message[start - 1]):
        return None  # don't
    window = message[: start + LONGEST]
    for closing in _CLOSING[opening]:
        end = _nested(window, start, closing) if opening in _NESTING else _closing(window, start, closing)
        if end is not None:
            return end
    return None


def _closing(message: str, start: int, closing: str) -> int | None:
    for end in range(start + 1, len(message)):
        if message[end] == closing and message[end - 1] != "\\" and not _is_inside_a_word(message, end, closing):
            return end
    return None


def _is_inside_a_word(message: str, place: int, closing: str) -> bool:
    """An apostrophe: what's."""
    after = message[place + 1 : place + 2]
    return closing in _APOSTROPHES and bool(_WORD.match(after))


def _nested(message: str, start: int, closing: str) -> int | None:
    depth = 0
    for place in range(start, len(message)):
        depth += (message[place] == message[start]) - (message[place] == closing)
        if depth == 0:
            return place
    return None
