"""What the very words of a text, alone and in pairs, say for each fact and each lesson.

Meaning alone (e5.py) blurs who, which sign and which name; words keep them. words.npz is written by fit_nearest.py: for
each word the facts that it speaks for, and what it says for each lesson.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read.features import spelt
from prompts.read.likeness import Counts, keys, words
from prompts.read.weights import weighed

FILE = Path(__file__).with_name("words.npz")
FINENESS = 255  # of what a word says for a fact, stored in one byte

Floats = NDArray[np.float32]


def counts(text: str) -> Counts:
    """The words of a text as numbers, with how often they stand there."""
    return keys(words(spelt(text).lower()))


class Words(NamedTuple):
    keys: NDArray[np.uint32]  # ascending
    starts: NDArray[np.int64]  # where the facts of each word begin
    facts: NDArray[np.uint16]
    speaks: NDArray[np.uint8]  # how much it speaks for the fact
    unit: float  # what 1 of it is worth
    whole: int  # facts
    rarity: Floats
    lessons: NDArray[np.int8]  # [word, lesson]
    lesson_unit: Floats

    def of_facts(self, text: str) -> Floats:
        """How much the words speak for each fact, on average over the words that are known."""
        known, _ = weighed(counts(text), self.keys, self.rarity)
        found = np.zeros(self.whole, np.float32)
        for i in known:
            part = slice(self.starts[i], self.starts[i + 1])
            found[self.facts[part]] += self.speaks[part]
        return found * np.float32(self.unit / max(len(known), 1))

    def of_lessons(self, text: str) -> Floats:
        known, often = weighed(counts(text), self.keys, self.rarity)
        found: Floats = (often @ self.lessons[known].astype(np.float32)) * self.lesson_unit
        return found


@lru_cache(maxsize=64)
def of_facts(text: str) -> Floats:
    return load().of_facts(text)


@lru_cache(maxsize=64)
def of_lessons(text: str) -> Floats:
    return load().of_lessons(text)


def save(found: Words, file: Path = FILE) -> None:
    np.savez_compressed(file, allow_pickle=False, **{name: np.asarray(x) for name, x in found._asdict().items()})


@cache
def load(file: Path = FILE) -> Words:
    with np.load(file, allow_pickle=False) as stored:
        return Words(
            **{name: stored[name] for name in ("keys", "starts", "facts", "speaks")},
            unit=float(stored["unit"]),
            whole=int(stored["whole"]),
            **{name: stored[name] for name in ("rarity", "lessons", "lesson_unit")},
        )
