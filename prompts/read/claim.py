"""What a message claims or asks to be confirmed: a proposition of a lesson, or its opposite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons._lesson import OUT_OF_SCOPE
from lessons._proposition import opposite
from prompts.read.asserting import assertions
from prompts.read.likeness import Floats, alike, aspect
from prompts.read.polarity import Said
from prompts.read.verdicts import Weights, load

CANDIDATES = 3  # propositions of a lesson that are looked at closely
STEEP = 6.0  # how much more the likeliest of them count
NEIGHBOURS = 3  # phrasings whose lessons are looked at, likely or not
PRIOR, UNLIKELY = 0.5, 0.01  # what the lesson's probability counts, and the least of them
SURE = 0.1  # of a claim's probability; below it there is no verdict
CLEAR = 0.75  # above it, a claim tells the lesson


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
    texts = [" ".join(stated), *(stated[-1:] if len(stated) > 1 else ())]
    weights, likely = load(), dict(lessons)
    return max((_read(weights, text, likely) for text in texts), key=lambda found: found.score)


def _read(weights: Weights, text: str, likely: dict[str, float]) -> Assertion:
    message = aspect(text)
    cosines = weights.phrasings.cosines(message)
    near = alike(cosines)
    closest = {weights.propositions[weights.belongs[i]][0] for i in np.argsort(-near)[:NEIGHBOURS]}
    rooms = [lesson for lesson in sorted({*likely, *closest}) if lesson in weights.lessons()]
    found = [_read_in(weights, lesson, message.said, cosines, near, likely.get(lesson, 0.0)) for lesson in rooms]
    return max(found, key=lambda one: one.score)


def _read_in(weights: Weights, lesson: str, message: Said, cosines: Floats, near: Floats, probable: float) -> Assertion:
    """The verdict that the likeliest propositions of a lesson give together, by the one that says it most clearly."""
    scores = weights.scores(near, lesson)
    places = np.argsort(-scores)[:CANDIDATES].tolist()
    first = weights.lessons()[lesson].start
    shares = np.exp(STEEP * (scores[places] - scores[places[0]]))
    odds = [weights.affirmed(message, cosines, first + place) for place in places]
    says: dict[str, float] = {}
    options = []
    for place, share, odd in zip(places, (shares / shares.sum()).tolist(), odds, strict=True):
        for denied, part in ((False, share * _probability(odd)), (True, share * _probability(-odd))):
            own = weights.verdicts[first + place]
            verdict = opposite(own) if denied else own
            says[verdict] = says.get(verdict, 0.0) + part
            options.append((part, place, denied, verdict))
    verdict = max(says, key=lambda name: says[name])
    _, place, denied, _ = max(option for option in options if option[3] == verdict)
    present = weights.matches(cosines, scores, lesson, places[0]) + PRIOR * math.log(probable + UNLIKELY)
    return Assertion(
        lesson, weights.propositions[first + place][1], denied, _probability(present) * says[verdict],
        2 * says[verdict] - 1,
    )  # fmt: skip


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
