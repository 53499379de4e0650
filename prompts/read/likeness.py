"""How a message lies to known statements: alike in spelling, words, subject, meaning, and what turns it."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read.characters import clean
from prompts.read.encoder import Vector, meaning
from prompts.read.features import concepts
from prompts.read.numbers.tokens import scan
from prompts.read.polarity import AXES, Said, said

KINDS = ("words", "quantities", "subjects", "spoken")
SHARES = (0.5, 1.0, 1.0, 0.0, 4.0)  # of the kinds and of the meaning, in what is alike
SPOKEN = (0.0, 1.0, 1.0, 2.0, 4.0)  # the same, in what is said alike, with what turns it
DIMENSIONS = 128  # of the space of meanings that are kept
FINENESS = 127  # of a meaning's coordinates when they are stored
_WORDS = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[^\x00-\x7f]|[^\sa-z\d]")
_STEM = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|ly)$")
_INDEX = re.compile(r"[tn0-9]\s*[+\-]\s*1|[0-9]+|T|-1")
_CHINESE = re.compile(r"[\u3400-\u9fff]")

Floats = NDArray[np.float32]
Counts = dict[int, int]


class Aspect(NamedTuple):
    """A statement as it is compared."""

    said: Said
    counts: tuple[Counts, ...]  # by KINDS: key → how often
    meant: Vector


def aspect(text: str) -> Aspect:
    apart = said(text)
    return Aspect(
        apart,
        (_words(apart.neutral), _quantities(apart.core), _subjects(apart.core), _words(apart.core)),
        meaning(apart.core),
    )


def chinese(apart: Said) -> bool:
    return _CHINESE.search(apart.core) is not None


def _keys(names: list[str]) -> Counts:
    return {zlib.crc32(name.encode("utf-8", "surrogatepass")): n for name, n in Counter(names).items()}


def _words(text: str) -> Counts:
    single = [_STEM.sub("", word) for word in _WORDS.findall(text)]
    return _keys([*single, *(f"{a} {b}" for a, b in pairwise(single))])


def _quantities(text: str) -> Counts:
    """The quantities that are mentioned, with and without their index."""
    found: list[str] = []
    plain = clean(text)
    for token in scan(plain):
        if token.sense is not None:
            index = _INDEX.search(plain[token.start + 1 : token.end]) if token.subscript is not None else None
            found += [token.sense.meaning, f"{token.sense.meaning}@{index.group() if index else token.subscript}"]
    return _keys(found)


def _subjects(text: str) -> Counts:
    return {key: int(n) for key, n in concepts(text).items()}


class Table(NamedTuple):
    """Counted features of many statements, by feature: rare ones count more, each statement has length 1."""

    keys: NDArray[np.uint32]  # ascending
    rarity: Floats
    starts: NDArray[np.int32]  # where a key's statements begin, and where the last one's end
    where: NDArray[np.int32]
    weights: Floats

    def cosines(self, count: Counts, statements: int) -> Floats:
        """Of a message with each statement, on the features that are known here."""
        sought = np.fromiter(count, np.uint32, len(count))
        places = np.minimum(np.searchsorted(self.keys, sought), len(self.keys) - 1)
        known = self.keys[places] == sought
        weights = (1 + np.log(np.fromiter(count.values(), np.float32, len(count))[known])) * self.rarity[places[known]]
        weights /= max(float(np.linalg.norm(weights)), 1e-9)
        spans = [(self.starts[p], self.starts[p + 1]) for p in places[known].tolist()]
        where = np.concatenate([self.where[a:b] for a, b in spans] or [self.where[:0]])
        shares = np.concatenate(
            [self.weights[a:b] * w for (a, b), w in zip(spans, weights, strict=True)] or [self.weights[:0]]
        )
        return np.bincount(where, shares, statements).astype(np.float32)


class Counted(NamedTuple):
    """The features of many statements as they are stored: by feature, in which statements and how often."""

    keys: NDArray[np.uint32]  # ascending
    starts: NDArray[np.int32]
    where: NDArray[np.uint16]
    counts: NDArray[np.uint8]


def counted(counts: Sequence[Counts]) -> Counted:
    entries = sorted((key, statement, n) for statement, count in enumerate(counts) for key, n in count.items())
    found, where, often = (np.array(column) for column in zip(*entries, strict=True))
    keys, first = np.unique(found, return_index=True)
    return Counted(
        keys.astype(np.uint32),
        np.append(first, len(entries)).astype(np.int32),
        where.astype(np.uint16),
        often.clip(max=255).astype(np.uint8),
    )


def table(known: Counted, statements: int) -> Table:
    spread = np.diff(known.starts)
    rarity = (np.log((1 + statements) / (1 + spread)) + 1).astype(np.float32)
    weights = (1 + np.log(known.counts.astype(np.float32))) * np.repeat(rarity, spread)
    lengths = np.sqrt(np.bincount(known.where, weights**2, statements))
    weights /= np.maximum(lengths, 1e-9)[known.where]
    return Table(known.keys, rarity, known.starts, known.where.astype(np.int32), weights.astype(np.float32))


class Turning(NamedTuple):
    """What turns each of many statements."""

    negated: NDArray[np.bool_]  # [statement; whole, first part, last part]
    ends: Floats  # [statement, scale]
    chinese: NDArray[np.bool_]
    facts: tuple[Facts, ...]


class Facts(NamedTuple):
    """What numbers and indices say in a statement."""

    settings: frozenset[tuple[str, str, str]]
    numerals: frozenset[str]
    shifts: frozenset[str]


def turning(statements: Sequence[Said]) -> Turning:
    return Turning(
        np.array([(one.negated, *one.parts) for one in statements]),
        np.array([one.ends for one in statements], np.float32),
        np.array([chinese(one) for one in statements]),
        tuple(Facts(one.settings, one.numerals, one.shifts) for one in statements),
    )


class Statements(NamedTuple):
    """Known statements side by side."""

    turning: Turning
    tables: tuple[Table, ...]  # by KINDS
    centre: Floats  # of the meanings
    axes: Floats  # along which they differ most
    places: Floats  # [statement, axis], each of length 1

    def cosines(self, message: Aspect) -> Floats:
        """[words, quantities, subjects, spoken, meaning; statement]"""
        count = len(self.places)
        kinds = [t.cosines(c, count) for t, c in zip(self.tables, message.counts, strict=True)]
        return np.stack([*kinds, self.places @ placed(message.meant, self.centre, self.axes)])


def alike(cosines: Floats) -> Floats:
    """How much each statement is like the message: the kernel of the fit."""
    return np.array(SHARES, np.float32) @ cosines


def spoken(cosines: Floats) -> Floats:
    return np.array(SPOKEN, np.float32) @ cosines


def placed(meant: Floats, centre: Floats, axes: Floats) -> Floats:
    places = (meant - centre) @ axes
    return places / np.maximum(np.linalg.norm(places, axis=-1, keepdims=True), 1e-9)


def turns(message: Said, known: Turning, at: slice, cosines: Floats) -> Floats:
    """[statement, feature]: likeness to each of some phrasings, and what turns the message into it."""
    words, quantities, _, _, meant = cosines
    same_language = (known.chinese[at] == chinese(message)).astype(np.float32)
    differs, *partly = (known.negated[at] != (message.negated, *message.parts)).T
    own, ends = np.array(message.ends, np.float32), known.ends[at]
    product = ends * own
    conflicts, shared = (product < 0).sum(1), (product > 0).sum(1)
    lone = ((ends != 0) != (own != 0)).sum(1)
    turned = (differs + conflicts) % 2
    facts = np.array([_facts(message, other) for other in known.facts[at]], np.float32)
    columns = [
        words, quantities, meant, words * same_language, meant * same_language, same_language,
        differs, np.minimum(conflicts, 2), np.minimum(shared, 3), np.minimum(lone, 4), turned,
        turned * 0.5 * (words + meant), *facts.T, *partly, *(cosines - cosines.mean(axis=1, keepdims=True)),
    ]  # fmt: skip
    return np.concatenate([np.stack(columns, 1).astype(np.float32), product], axis=1)


WORDS, MEANT, ALIKE, TURNED = 0, 2, 5, 10  # columns of turns()
LIKENESSES = (0, 1, 2)  # columns that say how near


def looks(message: Said) -> Floats:
    """What a statement looks like by itself: strong words are more often wrong."""
    return np.array([*message.ends, 2.0 * message.negated - 1], np.float32)


LOOKS = AXES + 1


def _facts(one: Said, other: Facts) -> tuple[float, float, float, float]:
    """Settings that agree, that contradict each other; numerals that differ; indices that differ."""
    agree = len(one.settings & other.settings)
    contradict = any(a[0] == b[0] and a != b for a in one.settings for b in other.settings)
    both = bool(one.numerals and other.numerals)
    numerals = len(one.numerals ^ other.numerals) / max(len(one.numerals | other.numerals), 1) if both else 0.0
    return float(agree), float(contradict and not agree), numerals, float(one.shifts != other.shifts)
