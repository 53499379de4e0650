"""The many spellings of one quantity, by meaning: words, symbols, identifiers, Chinese."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
WORDS_IN_A_PHRASE = 6
SHORTEST_MISSPELT = 5
REAL_WORDS = frozenset(
    ["ration", "rations", "marks", "means", "beats", "stand", "older", "scored", "stepped", "crisis"]
)
SPLIT = re.compile(r"[_\-]+")


class Sense(NamedTuple):
    """What a spelling means. A weak one names only a list beside it, a tight one counts only before an = sign."""

    meaning: str
    weak: bool = False
    tight: bool = False


class Glossary(NamedTuple):
    symbols: dict[str, Sense]
    phrases: dict[tuple[str, ...], Sense]
    chinese: dict[str, tuple[tuple[str, Sense], ...]]  # by first character, longest first
    misspelt: dict[str, str]  # a word less one of its letters → the word
    shown: dict[str, str]


def _read(path: Path) -> Glossary:
    entries = tomllib.loads(path.read_text("utf-8"))
    symbols: dict[str, Sense] = {}
    phrases: dict[tuple[str, ...], Sense] = {}
    chinese: dict[str, Sense] = {}
    for meaning, entry in entries.items():
        symbols |= {s: Sense(meaning, tight=True) for s in entry.get("tight", ())}
        symbols |= {s: Sense(meaning) for s in entry.get("symbols", ())}
        for weak in (True, False):
            prefix = "weak_" if weak else ""
            phrases |= {tuple(p.split()): Sense(meaning, weak) for p in entry.get(prefix + "words", ())}
            chinese |= {c: Sense(meaning, weak) for c in entry.get(prefix + "zh", ())}
    return Glossary(
        symbols,
        phrases,
        _by_first(chinese),
        _less_a_letter(phrases),
        {m: e["show"] for m, e in entries.items() if "show" in e},
    )


def _by_first(spellings: dict[str, Sense]) -> dict[str, tuple[tuple[str, Sense], ...]]:
    firsts = {spelling[0] for spelling in spellings}
    longest_first = sorted(spellings.items(), key=lambda item: -len(item[0]))
    return {first: tuple(item for item in longest_first if item[0][0] == first) for first in firsts}


def _less_a_letter(phrases: dict[tuple[str, ...], Sense]) -> dict[str, str]:
    words = {word for phrase in phrases for word in phrase if len(word) >= SHORTEST_MISSPELT and word.isascii()}
    return {word[:i] + word[i + 1 :]: word for word in sorted(words) for i in range(1, len(word))}


GLOSSARY = _read(FOLDER / "glossary.toml")
KNOWN_WORDS = frozenset(word for phrase in GLOSSARY.phrases for word in phrase)


@lru_cache(maxsize=8192)
def spelt(word: str) -> str:
    """The glossary's word that is meant: itself, or the one a single slip away (same first letter)."""
    word = word.lower()
    if word in KNOWN_WORDS or not SHORTEST_MISSPELT <= len(word) + 1 <= 16 or word in REAL_WORDS:
        return word
    if word in GLOSSARY.misspelt:
        return GLOSSARY.misspelt[word]
    for i in range(1, len(word)):
        shorter = word[:i] + word[i + 1 :]
        if len(word) > SHORTEST_MISSPELT and shorter in KNOWN_WORDS and len(shorter) >= SHORTEST_MISSPELT:
            return shorter
        if len(word) >= SHORTEST_MISSPELT and shorter in GLOSSARY.misspelt:
            meant = GLOSSARY.misspelt[shorter]
            if sorted(meant) == sorted(word) or len(meant) == len(word) >= SHORTEST_MISSPELT + 2:
                return meant
    return word


BEGINNINGS = frozenset(words[:n] for words in GLOSSARY.phrases for n in range(1, len(words) + 1))


@lru_cache(maxsize=8192)
def parts(word: str) -> tuple[str, ...]:
    """The words that an identifier or a hyphenated word is made of, as the glossary spells them."""
    return tuple(spelt(part) for part in SPLIT.split(word) if part)


def phrase(words: tuple[str, ...]) -> Sense | None:
    """What a sequence of lower-case words means together."""
    return GLOSSARY.phrases.get(words)


def symbol(text: str) -> Sense | None:
    return GLOSSARY.symbols.get(text)


def chinese_at(text: str, position: int) -> tuple[str, Sense] | None:
    """The longest Chinese spelling that begins at a position."""
    for spelling, sense in GLOSSARY.chinese.get(text[position], ()):
        if text.startswith(spelling, position):
            return spelling, sense
    return None
