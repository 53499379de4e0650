"""Which lesson a message wants, how probably, and whether that is sure enough to answer without asking back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lessons._lesson import OUT_OF_SCOPE
from prompts.read import openings
from prompts.read.brief import named
from prompts.read.gist import gist
from prompts.read.weights import Floats, Weights, load

OFFERED = 3
SPELT, MEANT, LEAST = 0.6, 0.8, 1e-3  # what each of two readings counts, and the least of a probability
OUTSIDE = 1.2  # what out of scope counts beside a lesson
NAMED = 0.97  # how probable a lesson is whose term is all that a message says


@dataclass(frozen=True)
class Decision:
    lesson: str
    alternatives: tuple[tuple[str, float], ...]  # the best three with their probabilities, the chosen one first
    sure: bool  # if not: answer briefly, and offer the alternatives


def rank(message: str) -> tuple[tuple[str, float], ...]:
    """Lessons with probabilities, best first."""
    weights = load()
    return ranked(weights, probabilities(weights, weights.read(" ".join(gist(message)))[None])[0])


def decide(message: str, meant: Mapping[str, float] | None = None) -> Decision:
    """The lesson to open, or that the message is out of scope. `meant`: how probable each is by another reading."""
    order, name = rank(message), named(message) or openings.lesson(message)
    if meant is not None and name is None:
        order = together(order, meant)
    if name is not None:
        others = tuple((lesson, min(p, 1 - NAMED)) for lesson, p in order if lesson != name)
        return Decision(name, ((name, NAMED), *others)[:OFFERED], True)
    return Decision(order[0][0], order[:OFFERED], order[0][1] - order[1][1] >= load().bar)


def together(order: Sequence[tuple[str, float]], meant: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Two readings of one message, weighed as they come true on messages of others."""
    joined = {lesson: (p + LEAST) ** SPELT * (meant[lesson] + LEAST) ** MEANT for lesson, p in order}
    joined[OUT_OF_SCOPE] *= OUTSIDE
    whole = sum(joined.values())
    return tuple(sorted(((lesson, p / whole) for lesson, p in joined.items()), key=lambda pair: -pair[1]))


def probabilities(weights: Weights, scores: Floats) -> Floats:
    """[message, lesson] and out of scope in the last column, from the raw scores.

    Out of scope competes with the best lesson, not with all together: a message that lies between two lessons is not
    outside of both.
    """
    for_lessons, for_scope, even = weights.sharpness
    lessons = np.exp(for_lessons * (scores[:, :-1] - scores[:, :-1].max(axis=1, keepdims=True)))
    lessons /= lessons.sum(axis=1, keepdims=True)
    outside = 1 / (1 + np.exp(-for_scope * (scores[:, -1:] - even)))
    both = np.concatenate([(1 - outside) * lessons, outside * lessons.max(axis=1, keepdims=True)], axis=1)
    return both / both.sum(axis=1, keepdims=True)


def ranked(weights: Weights, row: Floats) -> tuple[tuple[str, float], ...]:
    names = (*weights.lessons, OUT_OF_SCOPE)
    return tuple((names[i], float(row[i])) for i in np.argsort(-row, kind="stable"))
