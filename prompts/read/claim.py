"""What a message claims or asks to be confirmed: a proposition of a lesson, or its opposite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lessons._lesson import OUT_OF_SCOPE
from lessons._proposition import opposite
from prompts.read.asserting import assertions
from prompts.read.likeness import Floats, alike, aspect
from prompts.read.polarity import Said
from prompts.read.verdicts import Weights, load

CANDIDATES = 3  # propositions of a lesson that are looked at closely
STEEP = 8.0  # how much more the likeliest of them count
NEIGHBOURS = 3  # phrasings whose lessons are looked at, likely or not
ROOMS = 3  # lessons are looked at closely
PRIOR, UNLIKELY = 1.0, 0.01  # what the lesson's probability counts, and the least of them
SURE = 0.06  # of a claim's probability; below it there is no verdict
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
    expected = OUT_OF_SCOPE not in [lesson for lesson, _ in lessons[:1]]
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


class Room(NamedTuple):
    """A lesson's propositions beside a message."""

    lesson: str
    scores: Floats
    places: list[int]  # of the likeliest, best first
    present: float  # log-odds that the message is about the first of them


def _read(weights: Weights, text: str, likely: dict[str, float]) -> Assertion:
    message = aspect(text)
    cosines = weights.phrasings.cosines(message)
    near = alike(cosines)
    closest = {weights.propositions[weights.belongs[i]][0] for i in np.argpartition(-near, NEIGHBOURS)[:NEIGHBOURS]}
    rooms = [
        _room(weights, lesson, cosines, near, likely.get(lesson, 0.0))
        for lesson in sorted({*likely, *closest} & set(weights.lessons()))
    ]
    nearest = sorted(rooms, key=lambda room: -room.present)[:ROOMS]
    options = [one for room in nearest for one in _options(weights, room, message.said, cosines, nearest[0].present)]
    return _together(options, _probability(nearest[0].present))


def _room(weights: Weights, lesson: str, cosines: Floats, near: Floats, probable: float) -> Room:
    scores = weights.scores(near, lesson)
    places = np.argsort(-scores)[:CANDIDATES].tolist()
    present = weights.matches(cosines, scores, lesson, places[0]) + PRIOR * math.log(probable + UNLIKELY)
    return Room(lesson, scores, places, present)


class Option(NamedTuple):
    """One way to understand a message."""

    share: float  # how much it counts
    lesson: str
    proposition: str
    denied: bool
    verdict: str


def _options(weights: Weights, room: Room, message: Said, cosines: Floats, most: float) -> list[Option]:
    """Both sides of the likeliest propositions of a lesson."""
    first, places = weights.lessons()[room.lesson].start, room.places
    shares = np.exp(STEEP * (room.scores[places] - room.scores[places[0]]))
    shares *= math.exp(room.present - most) / shares.sum()
    found = []
    for place, share in zip(places, shares.tolist(), strict=True):
        affirmed = _probability(weights.affirmed(message, cosines, first + place))
        name, own = weights.propositions[first + place][1], weights.verdicts[first + place]
        found.append(Option(share * affirmed, room.lesson, name, False, own))
        found.append(Option(share * (1 - affirmed), room.lesson, name, True, opposite(own)))
    return found


def _together(options: Sequence[Option], present: float) -> Assertion:
    """The verdict that the options give together, by the one that says it most clearly."""
    says: dict[str, float] = {}
    for option in options:
        says[option.verdict] = says.get(option.verdict, 0.0) + option.share
    verdict = max(says, key=lambda name: says[name])
    surely = says[verdict] / sum(says.values())
    best = max((one for one in options if one.verdict == verdict), key=lambda one: one.share)
    return Assertion(best.lesson, best.proposition, best.denied, present * surely, 2 * surely - 1)


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
