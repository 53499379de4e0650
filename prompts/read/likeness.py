"""How alike a message is to each of many known statements: in spelling, words, concepts, meaning, and in what turns it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read.characters import clean
from prompts.read.encoder import meaning
from prompts.read.numbers.tokens import scan
from prompts.read.polarity import AXES, Said, said

Floats = NDArray[np.float32]
LONGEST_PIECE = 4  # characters
KINDS = ("pieces", "words", "concepts")
_WORDS = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[^\x00-\x7f]|[^\sa-z\d]")
_STEM = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|ly)$")
_INDEX = re.compile(r"[tn0-9]\s*[+\-]\s*1|[0-9]+|T|-1")


class Aspect(NamedTuple):
    """A statement as it is compared."""

    said: Said
    counts: tuple[Counter[str], ...]  # by KINDS
    meant: Floats


def aspect(text: str) -> Aspect:
    apart = said(text)
    return Aspect(apart, (_pieces(apart.core), _words(apart.neutral), _concepts(apart.core)), meaning(apart.core))


def _pieces(text: str) -> Counter[str]:
    spelt = f" {' '.join(text.split())} "
    return Counter(spelt[i : i + n] for n in range(1, LONGEST_PIECE + 1) for i in range(len(spelt) - n + 1))


def _words(text: str) -> Counter[str]:
    single = [_STEM.sub("", word) for word in _WORDS.findall(text)]
    return Counter([*single, *(f"{a} {b}" for a, b in zip(single, single[1:], strict=False))])


def _concepts(text: str) -> Counter[str]:
    """The quantities that are mentioned, with and without their index."""
    found: list[str] = []
    plain = clean(text)
    for token in scan(plain):
        if token.sense is not None:
            index = _INDEX.search(plain[token.start + 1 : token.end]) if token.subscript is not None else None
            found += [token.sense.meaning, f"{token.sense.meaning}@{index.group() if index else token.subscript}"]
    return Counter(found)


class Known(NamedTuple):
    """Statements side by side, ready to be compared with one message."""

    postings: tuple[Mapping[str, tuple[NDArray[np.int32], Floats]], ...]  # by KINDS: feature → statements, weights
    rarity: tuple[Mapping[str, float], ...]
    meant: Floats  # [statement, 512]
    negated: Floats
    ends: Floats  # [statement, axis]
    chinese: Floats
    apart: tuple[Said, ...]


def known(aspects: Sequence[Aspect]) -> Known:
    rarity = tuple(_rarity([a.counts[k] for a in aspects]) for k in range(len(KINDS)))
    return Known(
        postings=tuple(_postings([a.counts[k] for a in aspects], rarity[k]) for k in range(len(KINDS))),
        rarity=rarity,
        meant=np.stack([a.meant for a in aspects]),
        negated=np.array([a.said.negated for a in aspects], np.float32),
        ends=np.array([a.said.ends for a in aspects], np.float32),
        chinese=np.array([_is_chinese(a.said.core) for a in aspects], np.float32),
        apart=tuple(a.said for a in aspects),
    )


def _rarity(counts: Iterable[Counter[str]]) -> dict[str, float]:
    counts = list(counts)
    seen = Counter(feature for count in counts for feature in count)
    return {feature: float(np.log((1 + len(counts)) / (1 + n)) + 1) for feature, n in seen.items()}


def _weighted(count: Counter[str], rarity: Mapping[str, float], unseen: float) -> dict[str, float]:
    """Rare features count more; the whole, with what nobody else has, is of length 1."""
    weights = {f: (1 + np.log(n)) * rarity.get(f, unseen) for f, n in count.items()}
    length = float(np.sqrt(sum(w * w for w in weights.values()))) or 1.0
    return {f: w / length for f, w in weights.items()}


def _postings(
    counts: Sequence[Counter[str]], rarity: Mapping[str, float]
) -> dict[str, tuple[NDArray[np.int32], Floats]]:
    lists: dict[str, list[tuple[int, float]]] = {}
    for i, count in enumerate(counts):
        for feature, weight in _weighted(count, rarity, 0.0).items():
            lists.setdefault(feature, []).append((i, weight))
    return {
        f: (np.array([i for i, _ in found], np.int32), np.array([w for _, w in found], np.float32))
        for f, found in lists.items()
    }


def _is_chinese(text: str) -> bool:
    return bool(re.search(r"[\u3400-\u9fff]", text))


def _cosine(statements: Known, kind: int, count: Counter[str]) -> Floats:
    """Spelling is compared within what is known: unknown pieces do not shorten a message."""
    found = np.zeros(len(statements.apart), np.float32)
    rarity = statements.rarity[kind]
    for feature, weight in _weighted(Counter({f: n for f, n in count.items() if f in rarity}), rarity, 0.0).items():
        where, weights = statements.postings[kind][feature]
        found[where] += weight * weights
    return found


NEAREST = 80  # statements that are looked at closely
FEATURES = 18 + AXES


def nearest(message: Aspect, statements: Known) -> tuple[NDArray[np.int64], Floats]:
    """The statements closest to a message, and [statement, feature]: how it lies to each of them."""
    cosines = [_cosine(statements, k, message.counts[k]) for k in range(len(KINDS))]
    everywhere = statements.meant @ message.meant
    order = np.argsort(-(sum(cosines) + 2 * everywhere), kind="stable")[:NEAREST]
    return order, _compared(message, statements, order, [*(c[order] for c in cosines), everywhere[order]])


def _compared(message: Aspect, statements: Known, at: NDArray[np.int64], cosines: Sequence[Floats]) -> Floats:
    pieces, words, concepts, meant = cosines
    own = np.array(message.said.ends, np.float32)
    alike = (np.float32(_is_chinese(message.said.core)) == statements.chinese[at]).astype(np.float32)
    differs = statements.negated[at] != message.said.negated
    ends = statements.ends[at]
    product = ends * own
    conflicts, shared = (product < 0).sum(1), (product > 0).sum(1)
    lone = ((ends != 0) != (own != 0)).sum(1)
    turned = (differs + conflicts) % 2
    facts = np.array([_facts(message.said, statements.apart[i]) for i in at], np.float32)
    columns = [
        pieces, words, concepts, meant, pieces * alike, words * alike, meant * alike, alike,
        differs, np.minimum(conflicts, 2), np.minimum(shared, 3), np.minimum(lone, 4), turned,
        turned * 0.5 * (words + meant), *facts.T,
    ]  # fmt: skip
    return np.concatenate([np.stack(columns, 1).astype(np.float32), product], axis=1)


def _facts(one: Said, other: Said) -> tuple[float, float, float, float]:
    """Settings that agree, that contradict each other; numerals that differ; indices that differ."""
    agree = len(one.settings & other.settings)
    contradict = sum(a[0] == b[0] and a != b for a in one.settings for b in other.settings)
    both = bool(one.numerals and other.numerals)
    numerals = len(one.numerals ^ other.numerals) / max(len(one.numerals | other.numerals), 1) if both else 0.0
    return float(agree), float(contradict and not agree), numerals, float(one.shifts != other.shifts)
