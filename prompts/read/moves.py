"""What a message does in a conversation when it asks for no subject: wants it shorter, or otherwise, or more of it.

A message is such a move only as a whole: whatever stands beside the words of the move must name nothing.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from prompts.read.characters import clean

_READ = tomllib.loads(Path(__file__).with_name("moves.toml").read_text("utf-8"))
_WORDS = {move: re.compile("|".join(words), re.IGNORECASE) for move, words in _READ["words"].items()}
_BESIDE, _SUBJECTS, _MATTER = (
    re.compile("|".join(_READ["beside"][part]), re.IGNORECASE) for part in ("words", "subjects", "matter")
)
_MAY_NAME = ("start", "help")  # what is taught here as a whole
_OF_EXERCISES = ("again", "next", "quiz", "solution")
_NAMES = re.compile(r"[A-Za-z]{2,}|[\u3400-\u9fff]|[α-ωΑ-ΩΣ]|\d|(?<![A-Za-z'])[B-HJ-Zb-hj-z](?![A-Za-z'])|[=+\[\]]")
_ASKS = re.compile(r"[?？]|[吗么]\W*$")
_SAID = ("ok", "thanks")  # not asked
_HAVE = re.compile(r"(?<=[a-z])'(?:s|re|m|ll|ve|d)\b", re.IGNORECASE)
LONGEST = 80  # characters


def moves(message: str) -> frozenset[str]:
    """All that a message does by its words, and nothing else is said in it."""
    text = _HAVE.sub(" is", clean(message)).strip()
    if not text or len(text) > LONGEST or "\n" in text:
        return frozenset()
    asks = _ASKS.search(text) is not None
    made = [move for move, words in _WORDS.items() if words.search(text) and _nothing_else(move, text)]
    return frozenset(move for move in made if not (asks and move in _SAID))


def _nothing_else(move: str, text: str) -> bool:
    """Whether a message says nothing besides this move and courtesies."""
    text = _SUBJECTS.sub(" ", text) if move in _MAY_NAME else text
    for name in (move, "ok", "thanks", "hello"):
        text = _WORDS[name].sub(" ", text)
    text = _MATTER.sub(" ", text) if move in _OF_EXERCISES else text
    return not _NAMES.search(_BESIDE.sub(" ", text))


def named_besides(text: str) -> str:
    """What a text names, without the words that name nothing."""
    left = _BESIDE.sub(" ", text)
    return " ".join(left.split()) if _NAMES.search(left) else ""


def speaks_of_an_exercise(message: str) -> bool:
    return _WORDS["quiz"].search(message) is not None


def speaks_of_numbers(message: str) -> bool:
    return _MATTER.search(message) is not None and not speaks_of_an_exercise(message)
