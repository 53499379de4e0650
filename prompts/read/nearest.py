"""The facts nearest to what is asked, and how probable each lesson is.

Three see it differently, and together better than any of them: where a text lies (e5.py), what its very words speak for
(wording.py), and what the net that knows how facts are stated takes it for (verdicts.py).

nearest.npz is written by fit_nearest.py: of each fact where its sentence, the questions that it answers and some
statements of it lie, and for each lesson a direction and a level.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read import verdicts, wording
from prompts.read.e5 import Vectors, length, place, together
from prompts.read.likeness import subject

FILE = Path(__file__).with_name("nearest.npz")
FINENESS = 127  # of what is stored in one byte
OFFERED = 20
WHOLE, WHOLE_OF_SEVERAL = 3.0, 1.5  # what the message counts beside a sentence of it that asks, alone or among others
WORDS, STATED = 0.35, 0.025  # what its words, and what the net says, count beside its meaning
SENTENCE = 8  # tokens that can say something
EVIDENCE, BEYOND = 12.5, 0.1  # what the nearest fact of a lesson counts; how far behind the best one lies outside
LESSON, LEAST = 0.025, 1e-3  # what the logarithm of a lesson's probability counts, and the least of that


@dataclass(frozen=True)
class Near:
    """A fact and how near it is."""

    fact: str  # lesson/id
    score: float  # by meaning, words and lesson: for comparison with other facts
    likeness: float  # by meaning alone: 1 is the same

    @property
    def lesson(self) -> str:
        return self.fact.partition("/")[0]

    @property
    def id(self) -> str:
        return self.fact.partition("/")[2]


class Index(NamedTuple):
    facts: tuple[str, ...]
    starts: NDArray[np.int64]  # where each fact's places begin
    places: NDArray[np.float32]
    centre: Vectors
    lessons: tuple[str, ...]
    directions: Vectors  # [lesson, axis]
    levels: Vectors

    @property
    def owners(self) -> NDArray[np.int64]:
        """Of each fact the place of its lesson."""
        return _owners(self.facts, self.lessons)


@cache
def _owners(facts: tuple[str, ...], lessons: tuple[str, ...]) -> NDArray[np.int64]:
    places = {lesson: i for i, lesson in enumerate(lessons)}
    return np.array([places[fact.partition("/")[0]] for fact in facts])


class Seen(NamedTuple):
    """Sentences of one message, beside all facts and lessons."""

    texts: tuple[str, ...]
    likeness: Vectors  # [text, fact]: by meaning; first of all texts together, then of each
    likely: dict[str, float]  # how probable each lesson is, out of scope among them

    @property
    def whole(self) -> str:
        return " ".join(self.texts)


def see(texts: tuple[str, ...]) -> Seen:
    places = together(texts)
    return Seen(texts, _likeness(places), likely(places[0], " ".join(texts)))


def nearest(seen: Seen, asking: Collection[int], count: int = OFFERED, *, several: bool = False) -> tuple[Near, ...]:
    """The facts nearest to what the sentences at `asking` ask in their message, those of likely lessons first."""
    index = load()
    whole = WHOLE_OF_SEVERAL if several else WHOLE
    read = [(0, seen.whole, whole), *((1 + i, seen.texts[i], 1.0) for i in asking if 1 + i < len(seen.likeness))]
    total = sum(weight for _, _, weight in read)
    like = np.sum([weight / total * seen.likeness[i] for i, _, weight in read], axis=0)
    by_words = np.sum([weight / total * wording.of_facts(text) for _, text, weight in read], axis=0)
    prior = LESSON * np.log([seen.likely[id] + LEAST for id in index.lessons])[index.owners]
    near = like + WORDS * by_words + STATED * _stated(seen.whole) + prior
    top = np.argsort(-near, kind="stable")[:count]
    return tuple(Near(index.facts[i], float(near[i]), float(like[i])) for i in top)


def likely(place: Vectors, text: str) -> dict[str, float]:
    """How probable each lesson is by where a text lies and by its words."""
    index = load()
    says = index.directions @ centred(place) + index.levels + wording.of_lessons(text)
    shares = np.exp(says - says.max())
    return dict(zip(index.lessons, (shares / shares.sum()).tolist(), strict=True))


def lessons(seen: Seen) -> dict[str, float]:
    """How probable each is, where one gains by a fact of its own that lies near; a mere name lies near to none."""
    if length(seen.whole) < SENTENCE:
        return seen.likely
    index, score = load(), seen.likeness[0] + WORDS * wording.of_facts(seen.whole)
    best = np.full(len(index.lessons), -np.inf)
    np.maximum.at(best, index.owners, score)
    best[np.isinf(best)] = score.max() - BEYOND
    weights = np.array(list(seen.likely.values())) * np.exp(EVIDENCE * (best - score.max()))
    return dict(zip(index.lessons, (weights / weights.sum()).tolist(), strict=True))


def closest(text: str) -> float:
    """How near the fact is that lies nearest to a text."""
    return float(_likeness(place(text)[None]).max())


def _likeness(places: Vectors) -> Vectors:
    """[text, fact]: how near each fact is by the nearest of its texts."""
    index = load()
    found: Vectors = np.maximum.reduceat(centred(places) @ index.places.T, index.starts, axis=1)
    return found


@lru_cache(maxsize=16)
def _stated(text: str) -> Vectors:
    """The logarithm of how probably each fact is what is spoken of; what the net does not know is neither."""
    net = verdicts.load()
    chances = net.likely(net.about @ net.subject(*subject(text)))
    known = _known(load().facts, net.propositions)
    return np.where(known >= 0, chances[known], np.median(chances))


@cache
def _known(facts: tuple[str, ...], propositions: tuple[tuple[str, str], ...]) -> NDArray[np.int64]:
    """Of each fact its place in the net, or -1."""
    places = {"/".join(proposition): i for i, proposition in enumerate(propositions)}
    return np.array([places.get(fact, -1) for fact in facts])


def centred(where: Vectors) -> Vectors:
    """Where texts lie as seen from the middle of the subject; length 1."""
    moved = where - load().centre
    found: Vectors = moved / np.maximum(np.linalg.norm(moved, axis=-1, keepdims=True), 1e-9)
    return found


def save(index: Index, file: Path = FILE) -> None:
    arrays: dict[str, NDArray] = {
        "facts": np.array(index.facts),
        "starts": index.starts.astype(np.int32),
        "places": np.rint(index.places * FINENESS).astype(np.int8),
        "centre": index.centre,
        "lessons": np.array(index.lessons),
        "directions": index.directions.astype(np.float16),
        "levels": index.levels,
    }
    np.savez_compressed(file, allow_pickle=False, **arrays)


@cache
def load(file: Path = FILE) -> Index:
    with np.load(file, allow_pickle=False) as stored:
        return Index(
            facts=tuple(stored["facts"].tolist()),
            starts=stored["starts"].astype(np.int64),
            places=stored["places"].astype(np.float32) / FINENESS,
            centre=stored["centre"],
            lessons=tuple(stored["lessons"].tolist()),
            directions=stored["directions"].astype(np.float32),
            levels=stored["levels"],
        )
