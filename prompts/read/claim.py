"""What a message claims or asks to be confirmed: a proposition of a lesson, or its opposite."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons._lesson import OUT_OF_SCOPE
from lessons._proposition import Verdict, opposite
from prompts.read.asserting import assertions
from prompts.read.likeness import Aspect, Floats, aspect
from prompts.read.verdicts import Weights, load

SENTENCES = 2  # of a longer message, the last ones, are looked at by themselves
CANDIDATES = 3  # propositions of a lesson that are looked at closely
NEIGHBOURS = 2  # propositions whose lessons are looked at, likely or not
PRIOR, UNLIKELY = 1.0, 0.01  # what the lesson's probability counts, and the least of them
CLAUSES, CLAUSE = 2, 15  # of a sentence are read by themselves; bytes
SURE = 0.5  # of a claim's probability; below it there is no verdict
CLEAR = 0.75  # above it, a claim tells the lesson

_COMMA = re.compile(r"[,，;；:：]|(?<=\s)(?:because|since|so|hence|therefore|while|whereas|but)\s|因为|所以|因此|而且")


@dataclass(frozen=True)
class Assertion:
    lesson: str
    proposition: str
    denied: bool
    score: float  # how probably this is what was said
    margin: float  # how much more probably than the opposite


def claim(message: str, lessons: Sequence[tuple[str, float]]) -> Assertion | None:
    """The proposition that a message states or denies, if it surely does. `lessons` are the likely ones, best first."""
    found = best(message, lessons)
    if found is None or found.score < SURE:
        return None
    expected = OUT_OF_SCOPE not in [lesson for lesson, _ in lessons[:1]] and found.lesson in dict(lessons)
    return found if expected or found.score >= CLEAR else None


def corrected(lessons: tuple[tuple[str, float], ...], found: Assertion | None) -> tuple[tuple[str, float], ...]:
    """The lessons with that of a clear claim first."""
    if found is None or found.score < CLEAR or not lessons or found.lesson == lessons[0][0]:
        return lessons
    return ((found.lesson, lessons[0][1]), *(pair for pair in lessons if pair[0] != found.lesson))


def best(message: str, lessons: Sequence[tuple[str, float]]) -> Assertion | None:
    """The likeliest claim, however improbable; None when nothing is claimed."""
    stated = assertions(message)
    if not stated:
        return None
    whole = " ".join(stated)
    texts = [whole, *(s for s in stated[-SENTENCES:] if len(stated) > 1)]
    weights, likely = load(), dict(lessons)
    return max((_read(weights, text, likely) for text in texts), key=lambda found: found.score)


def _read(weights: Weights, text: str, likely: dict[str, float]) -> Assertion:
    message = aspect(text)
    cosines, scores = weights.scores(message)
    closest = {weights.propositions[i][0] for i in np.argsort(-scores)[:NEIGHBOURS]}
    found = [
        _read_in(weights, lesson, message, cosines, scores, PRIOR * math.log(likely.get(lesson, 0.0) + UNLIKELY))
        for lesson in sorted({*likely, *closest} & {lesson for lesson, _ in weights.propositions})
    ]
    first, about, odds = max(found, key=lambda one: one[1])
    for clause in _clauses(text):
        part = aspect(clause)
        cosines, scores = weights.scores(part)
        there, closer, other = _read_in(weights, weights.propositions[first][0], part, cosines, scores, 0.0)
        if there == first and closer > about:
            about, odds = closer, other
    affirmed = _probability(odds)
    surer = max(affirmed, 1 - affirmed)
    lesson, proposition = weights.propositions[first]
    return Assertion(lesson, proposition, affirmed < 0.5, _probability(about) * surer, 2 * surer - 1)


def _read_in(
    weights: Weights, lesson: str, message: Aspect, cosines: Floats, scores: Floats, bonus: float
) -> tuple[int, float, float]:
    """The likeliest proposition of a lesson, the log-odds that it is meant, and that it is affirmed."""
    first, *others = weights.likeliest(scores, lesson, CANDIDATES)
    odds = weights.affirmed(message, cosines, first)
    said = _verdict(weights, first, odds)
    agreeing = [i for i in others if _verdict(weights, i, weights.affirmed(message, cosines, i)) == said]
    return first, weights.matches(cosines, scores, first, agreeing) + bonus, odds


def _verdict(weights: Weights, proposition: int, odds: float) -> Verdict:
    """What the running example says of a proposition, or of its opposite."""
    return opposite(weights.verdicts[proposition]) if odds < 0 else weights.verdicts[proposition]


def _clauses(text: str) -> list[str]:
    """The longer parts between commas: beside a claim stand premises and consequences with negations of their own."""
    parts = [part.strip() for part in _COMMA.split(text)]
    long = [part for part in parts if len(part.encode()) >= CLAUSE]
    return sorted(long, key=len)[-CLAUSES:] if len(parts) > 1 else []


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
