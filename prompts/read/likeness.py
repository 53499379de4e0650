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
from prompts.read.polarity import Said, said

LONGEST_PIECE = 4  # characters
KINDS = ("pieces", "words", "quantities", "subjects")
SHARES = (0.0, 0.5, 1.0, 1.0, 4.0)  # of the kinds and of the meaning, in what is alike
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
        (_pieces(apart.core), _words(apart.neutral), _quantities(apart.core), _subjects(apart.core)),
        meaning(apart.core),
    )


def chinese(apart: Said) -> bool:
    return _CHINESE.search(apart.core) is not None


def _keys(names: list[str]) -> Counts:
    return {zlib.crc32(name.encode("utf-8", "surrogatepass")): n for name, n in Counter(names).items()}


def _pieces(text: str) -> Counts:
    spelt = f" {' '.join(text.split())} "
    return _keys([spelt[i : i + n] for n in range(1, LONGEST_PIECE + 1) for i in range(len(spelt) - n + 1)])


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


def table(counts: Sequence[Counts]) -> Table:
    seen = Counter(key for count in counts for key in count)
    keys = np.array(sorted(seen), np.uint32)
    rarity = (np.log((1 + len(counts)) / (1 + np.array([seen[int(key)] for key in keys]))) + 1).astype(np.float32)
    entries = []
    for statement, count in enumerate(counts):
        places = np.searchsorted(keys, np.fromiter(count, np.uint32, len(count)))
        weights = (1 + np.log(np.fromiter(count.values(), np.float32, len(count)))) * rarity[places]
        weights /= max(float(np.linalg.norm(weights)), 1e-9)
        entries += [(int(p), statement, float(w)) for p, w in zip(places, weights, strict=True)]
    entries.sort()
    starts = np.searchsorted([p for p, _, _ in entries], np.arange(len(keys) + 1))
    where, weights_ = np.array([s for _, s, _ in entries], np.int32), np.array([w for _, _, w in entries], np.float32)
    return Table(keys, rarity, starts.astype(np.int32), where, weights_)


class Statements(NamedTuple):
    """Known statements side by side."""

    apart: tuple[Said, ...]
    tables: tuple[Table, ...]  # by KINDS
    meant: Floats  # [statement, 512]
    centre: Floats
    places: Floats  # the meanings around their centre, each of length 1

    def cosines(self, message: Aspect) -> Floats:
        """[pieces, words, quantities, subjects, meaning; statement]"""
        counted = [t.cosines(c, len(self.apart)) for t, c in zip(self.tables, message.counts, strict=True)]
        return np.stack([*counted, self.meant @ message.meant])

    def alike(self, cosines: Floats, message: Aspect) -> Floats:
        """How much each statement is like the message: the kernel of the fit."""
        place = message.meant - self.centre
        meant = self.places @ place / max(float(np.linalg.norm(place)), 1e-9)
        return np.array(SHARES, np.float32) @ np.concatenate([cosines[:-1], meant[None]])


def placed(meant: Floats, centre: Floats) -> Floats:
    places = meant - centre
    return places / np.maximum(np.linalg.norm(places, axis=1, keepdims=True), 1e-9)


def statements(aspects: Sequence[Aspect]) -> Statements:
    meant = np.stack([a.meant for a in aspects])
    tables = tuple(table([a.counts[kind] for a in aspects]) for kind in range(len(KINDS)))
    centre = meant.mean(axis=0)
    return Statements(tuple(a.said for a in aspects), tables, meant, centre, placed(meant, centre))


def turns(message: Said, others: Sequence[Said], cosines: Floats) -> Floats:
    """[statement, feature]: likeness to each of a proposition's phrasings, and what turns the message into it."""
    pieces, words, quantities, _, meant = cosines
    alike = np.array([chinese(message) == chinese(other) for other in others], np.float32)
    differs = np.array([message.negated != other.negated for other in others])
    own, ends = np.array(message.ends, np.float32), np.array([other.ends for other in others], np.float32)
    product = ends * own
    conflicts, shared = (product < 0).sum(1), (product > 0).sum(1)
    lone = ((ends != 0) != (own != 0)).sum(1)
    turned = (differs + conflicts) % 2
    facts = np.array([_facts(message, other) for other in others], np.float32)
    columns = [
        pieces, words, quantities, meant, pieces * alike, words * alike, meant * alike, alike,
        differs, np.minimum(conflicts, 2), np.minimum(shared, 3), np.minimum(lone, 4), turned,
        turned * 0.5 * (words + meant), *facts.T, *(cosines - cosines.mean(axis=1, keepdims=True)),
    ]  # fmt: skip
    return np.concatenate([np.stack(columns, 1).astype(np.float32), product], axis=1)


ALIKE, TURNED = 7, 12  # columns of turns()


def _facts(one: Said, other: Said) -> tuple[float, float, float, float]:
    """Settings that agree, that contradict each other; numerals that differ; indices that differ."""
    agree = len(one.settings & other.settings)
    contradict = any(a[0] == b[0] and a != b for a in one.settings for b in other.settings)
    both = bool(one.numerals and other.numerals)
    numerals = len(one.numerals ^ other.numerals) / max(len(one.numerals | other.numerals), 1) if both else 0.0
    return float(agree), float(contradict and not agree), numerals, float(one.shifts != other.shifts)
