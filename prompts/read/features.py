"""What the routing sees of a message: its spelling, its words, the subject's concepts, and its meaning as a vector."""

from __future__ import annotations

import re
import tomllib
import unicodedata
import zlib
from collections import Counter
from functools import cache, lru_cache
from itertools import combinations, pairwise
from pathlib import Path

from prompts.read.mark import Mark

CONCEPTS = Path(__file__).with_name("concepts.toml")
LONGEST_PIECE = 5  # characters
REMEMBERED = 64  # texts; one is asked for by several readers
LONGEST_WORD = 60  # characters; what is longer is cut up
HEAD, TAIL = 1200, 400  # of a long message, the beginning and the end are read: there people ask

_WORDS = re.compile(r"[a-z]+|\d|[^\x00-\x7f]|[^\sa-z\d]")

Features = dict[int, float]  # key → how often


def spelt(message: str) -> str:
    """The message in one spelling of its characters, and no longer than is worth reading."""
    if len(message) > HEAD + TAIL:
        message = f"{message[:HEAD]} {message[-TAIL:]}"
    return " ".join(unicodedata.normalize("NFKC", message.encode("utf-8", "replace").decode()).split())


def _keys(kind: str, names: list[str]) -> Features:
    """Names as numbers, with their counts."""
    start = zlib.crc32(kind.encode())
    return {zlib.crc32(name.encode(), start): count for name, count in Counter(names).items()}


def pieces(text: str) -> Features:
    """Sequences of one to five characters within words and their borders."""
    found: list[str] = []
    for word in text.lower().split():
        for i in range(0, len(word), LONGEST_WORD):
            bordered = f" {word[i : i + LONGEST_WORD]} "
            for n in range(1, LONGEST_PIECE + 1):
                found += [bordered[j : j + n] for j in range(len(bordered) - n + 1)]
    return _keys("pieces", found)


def words(text: str) -> Features:
    """Words, digits, Chinese characters and signs, alone and in pairs."""
    single = _WORDS.findall(text.lower())
    return _keys("words", [*single, *(" ".join(pair) for pair in pairwise(single))])


def concepts(text: str) -> Features:
    """The subject's concepts that are mentioned: alone, one after the other, and together anywhere."""
    order = concept_order(text)
    alone = sorted(set(order))
    after = {f"{a}>{b}" for a, b in pairwise(order) if a != b}
    together = [f"{a}&{b}" for a, b in combinations(alone, 2)]
    return _keys("concepts", [*alone, *sorted(after), *together])


def concept_order(text: str) -> tuple[str, ...]:
    """The subject's concepts as they are mentioned, one after the other."""
    return tuple(mark.name for mark in concept_marks(text))


@lru_cache(maxsize=REMEMBERED)
def concept_marks(text: str) -> tuple[Mark, ...]:
    """Where the subject's concepts are mentioned."""
    return tuple(Mark(*match.span(), match.lastgroup or "") for match in _concept_pattern().finditer(text))


@cache
def _concept_pattern() -> re.Pattern[str]:
    table = tomllib.loads(CONCEPTS.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in table.items()), re.IGNORECASE)


COUNTED = (pieces, words, concepts)
