"""The facts nearest to what is asked, and how probable each lesson is, from where the words lie (e5.py).

nearest.npz is written by fit_nearest.py: of each fact where its sentence, the questions that it answers and some
statements of it lie, and for each lesson a direction and a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read.e5 import Vectors, place

FILE = Path(__file__).with_name("nearest.npz")
FINENESS = 127  # of what is stored in one byte
OFFERED = 20
REMEMBERED = 16  # texts; the whole message is looked at beside each of its sentences
WHOLE = 2.0  # what the message counts beside a sentence of it
LESSON, LEAST = 0.025, 1e-3  # what the logarithm of a lesson's probability counts, and the least of that


@dataclass(frozen=True)
class Near:
    """A fact and how near it is: 1 is the same."""

    fact: str  # lesson/id
    score: float

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


def nearest(sentences: Sequence[str], whole: str, count: int = OFFERED) -> tuple[Near, ...]:
    """The facts nearest to what sentences ask in the message around them, those of likely lessons first."""
    index = load()
    asked = [_scores(sentence) for sentence in sentences] or [_scores(whole)]
    near = (WHOLE * _scores(whole) + sum(asked) / len(asked)) / (WHOLE + 1)
    shares = likely(whole)
    near = near + LESSON * np.log([shares[lesson] + LEAST for lesson in index.lessons])[index.owners]
    top = np.argsort(-near, kind="stable")[:count]
    return tuple(Near(index.facts[i], float(near[i])) for i in top)


def likely(text: str) -> dict[str, float]:
    """How probable each lesson is, out of scope among them."""
    index = load()
    says = index.directions @ _centred(index, place(text)) + index.levels
    shares = np.exp(says - says.max())
    return dict(zip(index.lessons, (shares / shares.sum()).tolist(), strict=True))


@lru_cache(maxsize=REMEMBERED)
def _scores(text: str) -> Vectors:
    """How near each fact is by the nearest of its texts."""
    index = load()
    found: Vectors = np.maximum.reduceat(index.places @ _centred(index, place(text)), index.starts)
    return found


def centred(where: Vectors) -> Vectors:
    """Where a text lies as seen from the middle of the subject; length 1."""
    return _centred(load(), where)


def _centred(index: Index, where: Vectors) -> Vectors:
    moved = where - index.centre
    return moved / max(float(np.linalg.norm(moved)), 1e-9)


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
