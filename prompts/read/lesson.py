"""Which lesson a message wants: the nearest of the lessons' example questions, by the pieces they are spelt with."""

from __future__ import annotations

import math
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache

from lessons._lesson import OUT_OF_SCOPE, lessons

LONGEST_PIECE = 4  # characters
NEIGHBOURS = 5
SURE = 0.5
NEAREST_IN_SCOPE = 0.12  # a message less alike than this to every question is out of scope


@dataclass(frozen=True)
class Decision:
    """The lesson that a message wants, the others that it might, and whether that is sure."""

    lesson: str
    alternatives: tuple[tuple[str, float], ...]
    sure: bool


def decide(message: str) -> Decision:
    alternatives = rank(message)
    return Decision(alternatives[0][0], alternatives, alternatives[0][1] >= SURE)


def rank(message: str) -> tuple[tuple[str, float], ...]:
    """Lessons with scores, best first."""
    pieces = _weighted(_pieces(message))
    score: dict[str, float] = defaultdict(float)
    alike = sorted(((_likeness(pieces, known), lesson) for known, lesson in _questions()), reverse=True)
    for likeness, lesson in alike[:NEIGHBOURS]:
        score[lesson] += likeness
    if alike[0][0] < NEAREST_IN_SCOPE:
        score[OUT_OF_SCOPE] = max(score.values()) + NEAREST_IN_SCOPE
    total = sum(score.values()) or 1.0
    return tuple(sorted(((lesson, s / total) for lesson, s in score.items()), key=lambda pair: -pair[1]))


def _pieces(text: str) -> Counter[str]:
    spelt = f" {' '.join(text.lower().split())} "
    return Counter(spelt[i : i + n] for n in range(1, LONGEST_PIECE + 1) for i in range(len(spelt) - n + 1))


@cache
def _texts() -> tuple[tuple[str, str], ...]:
    """Every example question with its lesson; a near miss that belongs to no lesson here is out of scope."""
    found = []
    for lesson in lessons().values():
        table = tomllib.loads((lesson.folder / "questions.toml").read_text(encoding="utf-8"))
        found += [(entry["text"], lesson.id) for entry in table["question"]]
        for entry in table.get("near", ()):
            found.append((entry["text"], entry["lesson"] if entry["lesson"] in lessons() else OUT_OF_SCOPE))
    return tuple(found)


@cache
def _rarity() -> dict[str, float]:
    seen: Counter[str] = Counter()
    for text, _ in _texts():
        seen.update(_pieces(text).keys())
    return {piece: math.log(len(_texts()) / count) for piece, count in seen.items()}


@cache
def _questions() -> tuple[tuple[dict[str, float], str], ...]:
    return tuple((_weighted(_pieces(text)), lesson) for text, lesson in _texts())


def _weighted(pieces: Counter[str]) -> dict[str, float]:
    """Rare pieces count more; the whole has length 1."""
    weights = {piece: (1 + math.log(n)) * _rarity()[piece] for piece, n in pieces.items() if piece in _rarity()}
    length = math.sqrt(sum(w * w for w in weights.values())) or 1.0
    return {piece: w / length for piece, w in weights.items()}


def _likeness(a: dict[str, float], b: dict[str, float]) -> float:
    return sum(weight * b[piece] for piece, weight in a.items() if piece in b)
