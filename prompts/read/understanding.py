"""What was understood of a message: one frozen value between reading and computing.

The built-in reader fills it here. Whoever fills it, the same holds: facts by their ids, sentences and numbers as they
stand in the message.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from prompts.read.addressed import addressed
from prompts.read.asking import Asking, Mood, askings, mood, sentences
from prompts.read.e5 import prime
from prompts.read.nearest import Near, likely, nearest
from prompts.read.parts import said, shows

TELL = 0.40  # how near a fact is that is told
BESIDE = 0.33  # and one that stands beside it in a line
FAR = 0.15  # how much farther than the best a neighbour may be
NEIGHBOURS = 3
MOST_POINTS = 3
WHOLE = 600  # characters of what is said that are looked at together
BRIEF = 240  # characters of a message that can be one clear statement
FEW = 3  # its sentences


@dataclass(frozen=True)
class Point:
    """One thing asked: the sentence as it stands in the message, and the facts that answer it, best first."""

    asked: str
    mood: Mood
    facts: tuple[Near, ...] = ()


@dataclass(frozen=True)
class Understanding:
    text: str  # what is addressed to the tutor
    numeric: bool  # whether numbers are offered in it
    points: tuple[Point, ...]
    lessons: tuple[tuple[str, float], ...]  # by what the words mean, best first
    stated: bool  # whether it is one clear statement, or asks whether one is so


@lru_cache(maxsize=64)
def understand(message: str) -> Understanding:
    heard, whole = addressed(message), _whole(message)
    found = askings(message)
    prime([whole, *(_in_context(one) for one in found)])
    points = _distinct([Point(one.text, one.mood, nearest([_in_context(one)], whole)) for one in found])
    order = sorted(likely(whole).items(), key=lambda pair: -pair[1])
    return Understanding(heard.text, heard.numeric, points, tuple(order), _states(message))


def _whole(message: str) -> str:
    return " ".join((said(message) or message).split())[:WHOLE]


def _in_context(one: Asking) -> str:
    return f"{one.before} {one.text}".strip()


def _distinct(points: list[Point]) -> tuple[Point, ...]:
    """Without what asks for the same fact again."""
    first = {point.facts[0].fact: point for point in reversed(points) if point.facts}
    kept = [point for point in points if point.facts and first[point.facts[0].fact] is point]
    return tuple(kept[:MOST_POINTS])


def told(point: Point) -> tuple[Near, ...]:
    """The facts that are told: the best, and its neighbours where they are near enough."""
    if not point.facts or point.facts[0].score < TELL:
        return ()
    bar = max(BESIDE, point.facts[0].score - FAR)
    return (point.facts[0], *(near for near in point.facts[1 : NEIGHBOURS + 1] if near.score >= bar))


def _states(message: str) -> bool:
    """Whether a message is a short statement, or asks whether it is so, and wants nothing else."""
    if shows(message) or len(message) > BRIEF:
        return False
    moods = [mood(sentence) for sentence in sentences(message)]
    return 0 < len(moods) <= FEW and not {"asks", "wishes"} & {*moods}
