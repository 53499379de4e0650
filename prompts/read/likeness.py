"""What is compared of a statement: names for what it is about, names for what turns it, and its meaning as a vector."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read.encoder import Vector, meaning
from prompts.read.features import concept_order, concepts
from prompts.read.order import in_order, quantity_marks
from prompts.read.polarity import Said, said

_WORDS = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[^\x00-\x7f]|[^\sa-z\d]")
_STEM = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|ly)$")
_CHINESE = re.compile(r"[\u3400-\u9fff]{3,}")
_LONG = re.compile(r"[a-z]{4,}")
_PIECE = 4  # letters

Floats = NDArray[np.float32]
Counts = dict[int, int]


class Aspect(NamedTuple):
    """A statement as it is compared."""

    about: Counts  # key → how often
    turning: Counts
    meant: Vector


def aspect(text: str) -> Aspect:
    apart = said(text)
    return Aspect(keys(_about(apart)), keys(_turning(apart)), meaning(apart.core))


def subject(text: str) -> tuple[Counts, Vector]:
    """What a text is about, whatever it says of it."""
    return keys(_about(said(text))), meaning(text)


def words(text: str) -> list[str]:
    """Stems, numbers, Chinese characters and signs, alone and in pairs."""
    single = [_STEM.sub("", word) for word in _WORDS.findall(text)]
    return [*single, *(f"{a} {b}" for a, b in pairwise(single))]


def keys(names: Iterable[str]) -> Counts:
    return {zlib.crc32(name.encode("utf-8", "surrogatepass")): n for name, n in Counter(names).items()}


def _about(apart: Said) -> list[str]:
    """Names for the subject: what stands there when all that denies is taken away."""
    plain = apart.neutral
    long = [f"^{word}$" for word in _LONG.findall(plain)]
    return [
        *words(plain),
        *_triples(plain),
        *(f"{word[i : i + _PIECE]}~" for word in long for i in range(len(word) - _PIECE + 1)),
        *(f"concept {key}" for key in concepts(apart.core)),
        *_quantities(apart.core),
        *(name for a, b, c in apart.settings for name in (f"set {a}{b}{c}", f"set {a}")),
        *(f"shift {shift}" for shift in apart.shifts),
    ]


def _turning(apart: Said) -> list[str]:
    """Names for what makes it this statement and not its opposite."""
    sign = "-" if apart.negated else "+"
    ends = [(i, end) for i, end in enumerate(apart.ends) if end]
    order = concept_order(apart.core)
    plain = words(apart.core)
    return [
        f"negated {sign}",
        *(f"part {i}{part}" for i, part in enumerate(apart.parts)),
        *(f"end {i}{end}" for i, end in ends),
        *(f"end {i}{-end if apart.negated else end} in all" for i, end in ends),
        *plain,
        *(f"{sign}{word}" for word in plain if " " not in word),
        *_triples(apart.core),
        *(f"{a}>{b}" for a, b in pairwise(order) if a != b),
        *(f"set {a}{b}{c}" for a, b, c in apart.settings),
        *(f"shift {shift}" for shift in apart.shifts),
        *(f"number {numeral}" for numeral in apart.numerals),
        *in_order(apart.core),
    ]


def _triples(text: str) -> list[str]:
    return [run[i : i + 3] for run in _CHINESE.findall(text) for i in range(len(run) - 2)]


def _quantities(text: str) -> list[str]:
    """The quantities that are mentioned, with and without their index."""
    names = [mark.name for mark in quantity_marks(text)]
    return [*(f"of {name.partition('@')[0]}" for name in names), *(f"of {name}" for name in names)]


class Vocabulary(NamedTuple):
    """The names that are known, and how much a rare one counts."""

    keys: NDArray[np.uint32]  # ascending
    rarity: Floats

    def weigh(self, counts: Counts) -> tuple[NDArray[np.int64], Floats]:
        """The known ones of some names: where they stand, and their weights, which have length 1."""
        sought = np.fromiter(counts, np.uint32, len(counts))
        places = np.minimum(np.searchsorted(self.keys, sought), len(self.keys) - 1)
        known = self.keys[places] == sought
        often = np.fromiter(counts.values(), np.float32, len(counts))
        weights = (1 + np.log(often[known])) * self.rarity[places[known]]
        return places[known], weights / max(float(np.linalg.norm(weights)), 1e-9)


def vocabulary(statements: list[Counts], least: int) -> Vocabulary:
    """What stands in at least so many statements."""
    spread = Counter(key for counts in statements for key in counts)
    kept = sorted(key for key, n in spread.items() if n >= least)
    rarity = [np.log((1 + len(statements)) / (1 + spread[key])) + 1 for key in kept]
    return Vocabulary(np.array(kept, np.uint32), np.array(rarity, np.float32))
