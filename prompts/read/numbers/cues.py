"""The words of cues.toml: what a message is about, and the small words between names and numbers."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_READ = tomllib.loads((Path(__file__).parent / "cues.toml").read_text("utf-8"))


def _pattern(alternatives: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE | re.ASCII)


CUES = {name: _pattern(alternatives) for name, alternatives in _READ["cues"].items()}
FACTS = {name: _pattern(alternatives) for name, alternatives in _READ["facts"].items()}
LINKS = frozenset(_READ["words"]["links"])
JOINS = frozenset(_READ["words"]["joins"])
AFTER = frozenset(_READ["words"]["after"])
LINK_ENDINGS = tuple(_READ["words"]["link_endings"])
COMPARISONS = tuple(_READ["words"]["comparisons"])
SCALARS = frozenset(_READ["names"]["scalars"])
LISTS = frozenset(_READ["names"]["lists"])
OUTCOMES = frozenset(_READ["names"]["outcomes"])
SINGLE_OUTCOMES = frozenset(_READ["names"]["single_outcomes"])


def says(cue: str, text: str) -> bool:
    """Whether a text has one of the words of a cue."""
    return CUES[cue].search(text) is not None


def links(word: str) -> bool:
    """Whether a word may stand between a parameter and its number."""
    if word.isascii():
        return word.lower() in LINKS
    return len(word) <= 8 and word.endswith(LINK_ENDINGS) and not word.endswith(COMPARISONS)
