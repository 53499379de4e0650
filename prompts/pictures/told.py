"""What was read from a picture, in a conversation: written out where that is wished, then text like any pasted text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.answer import Answer
from prompts.pictures.reading import MARK
from prompts.pictures.wish import wished_text
from prompts.read.characters import unmangled
from prompts.tell.learner_text import quoted
from prompts.tell.words import word

LONGEST_LIST = 6  # numbers that are named
_TICKS = re.compile(r"`+")
_OPEN = re.compile(  # a number with a character that is not known, among digits or where a number stands
    rf"(?<![\w.])[-+−]?(?=[\d.]*{MARK}[{MARK}.]*\d|[\d.]+{MARK}|{MARK}+\.)[\d.{MARK}]+(?!\w)"
    rf"|(?:^(?!\S*$)|(?<=[|,=] )|(?<=[\[(])|(?<=  ))[-+−]?{MARK}+(?=\s*(?:[|,\])]|  |$))",
    re.MULTILINE,
)


def at_once(messages: Sequence[str], lang: str) -> Answer | None:
    """The text under a wish, as it stands, or how to send a picture; which numbers are to be completed before any of
    them is checked. None: there is nothing of the kind."""
    text = wished_text(messages[-1])
    if text is None:
        return _to_complete(pasted(messages)[-1], lang)
    if not text:
        return _answer(word(lang, "pictures", "none_here"), lang)
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    told = [word(lang, "pictures", "told"), f"{fence}text\n{text}\n{fence}"]
    if MARK in text:
        told.append(word(lang, "pictures", "unsure").format(mark=MARK, count=text.count(MARK)))
    return _answer("\n\n".join(told), lang, word(lang, "pictures", "check"))


def pasted(messages: Sequence[str]) -> tuple[str, ...]:
    """The messages without such wishes; what was written out stands below the question that follows in one line."""
    found: list[str] = []
    text = ""
    for message in messages:
        wished = wished_text(message)
        if wished is None:
            found.append(f"{message}\n\n{text}" if text and "\n" not in message.strip() else message)
        text = wished or ""
    return tuple(unmangled(message) for message in [*found, *([text] if text else [])])


def _to_complete(message: str, lang: str) -> Answer | None:
    numbers = dict.fromkeys(_OPEN.findall(message))
    if not numbers:
        return None
    named = ", ".join(quoted(number) for number in [*numbers][:LONGEST_LIST]) + (
        " …" if len(numbers) > LONGEST_LIST else ""
    )
    return _answer(word(lang, "pictures", "complete").format(mark=MARK, numbers=named), lang)


def _answer(told: str, lang: str, *replies: str) -> Answer:
    return Answer("out_of_scope", (), lang, "plain", f"{told}\n", replies=replies)
