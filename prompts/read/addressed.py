"""What of a message is addressed to the tutor: its words, and the numbers that it offers to compute with.

Numbers are offered in named lists and tables, where something is to be computed or checked; a short message may name
or change single ones. Flags, log lines, indices, "1 - ε" and "概率是 0" in what people tell are none of that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from prompts.read.asking import mood, sentences
from prompts.read.characters import clean
from prompts.read.numbers.cues import says
from prompts.read.numbers.tables import tables
from prompts.read.parts import Part, parts, said

BRIEF = 160  # characters of a message that may name a single number
FEW, HARDLY = 45, 30  # words or characters beside numbers: nothing but numbers was said
_NUMBER = r"[-+−]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[-+]?\d++)?(?: ?%)?"
_LIST = re.compile(
    rf"[\[(（【]\s*+{_NUMBER}(?:\s*+[,，、;\s]\s*+{_NUMBER})|{_NUMBER}\s*+[,，、]\s*+(?:and\s++|和\s*+)?{_NUMBER}"
    rf"|(?:^|[\s:：=]){_NUMBER}\s++{_NUMBER}\s++{_NUMBER}",
    re.IGNORECASE,
)
_ASSIGNS = re.compile(r"[\w\u0370-\u03ff\]]\s*+(?:(?:=|:|：|是|为|is|are|of)\s*+[\[(]?|[\[(（【])\s*+[-+−]?[\d.]")
_WORDS = re.compile(r"[A-Za-z]{2,}|[\u3400-\u9fff]")


@dataclass(frozen=True)
class Addressed:
    text: str  # what is read
    numeric: bool  # whether its numbers are
    wished: bool  # whether something is to be done with them, or hardly more than numbers is said


@lru_cache(maxsize=64)
def addressed(message: str) -> Addressed:
    """The words of a message without what is only shown, and its data where something is to be done with them."""
    pieces = parts(message)
    words = said(message)
    data = [part for part in pieces if _is_data(part)]
    visible = "\n".join(part.text for part in pieces if part.kind in ("title", "prose") or part in data)
    if not words and not data:
        return Addressed(message, len(message) <= BRIEF, True)
    pasted = any(part.kind in ("code", "log", "quotation") and part not in data for part in pieces)
    columns = tables(clean(visible))[0]
    lists = bool(data or columns) or (_LIST.search(words) is not None and _ASSIGNS.search(words) is not None)
    wished = _does(visible) or _says_nothing_else(words, HARDLY)
    if lists and (_wishes(visible) or _says_nothing_else(words, FEW) or any(column.empty for column in columns)):
        return Addressed(visible if pasted else message, True, wished)
    numeric = not pasted and len(message) <= BRIEF and "\n\n" not in message
    return Addressed(visible if lists else words, numeric, wished)


def _is_data(part: Part) -> bool:
    """A table, or a block that holds nothing but lists of numbers with their names."""
    if part.kind == "table":
        return _LIST.search(part.text.replace("|", ",")) is not None or bool(tables(clean(part.text))[0])
    lines = [line for line in part.text.splitlines() if line.strip() and not line.strip().startswith("```")]
    listed = [_LIST.search(line) is not None for line in lines]
    return part.kind == "code" and any(listed) and all(listed[1:]) and "(" not in part.text


def _wishes(text: str) -> bool:
    """Whether something is to be done, or asked of the numbers."""
    return _does(text) or any(mood(sentence) in ("asks", "confirms") for sentence in sentences(text))


def _does(text: str) -> bool:
    """Whether something is to be done: wished, computed or checked."""
    return any(mood(s) == "wishes" or says("compute", s) or says("audit", s) for s in sentences(text))


def _says_nothing_else(words: str, most: int) -> bool:
    return len(_WORDS.findall(words)) <= most
