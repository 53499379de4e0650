"""What was understood of a message: one frozen value between reading and computing.

The built-in reader fills it here. Whoever fills it, the same holds: facts by their ids, sentences and numbers as they
stand in the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lessons._lesson import lessons as taught
from prompts.read.addressed import addressed
from prompts.read.asking import Asking, Mood, askings, mood, sentences
from prompts.read.asserting import assertions, says_more
from prompts.read.e5 import length
from prompts.read.gist import gist
from prompts.read.nearest import SENTENCE, Near, lessons, nearest, see
from prompts.read.openings import SEEN, Opening, opening
from prompts.read.parts import shows

TELL = 0.45  # how like what is said a fact is, where nothing of the subject was asked
FAR = 0.3  # how much farther than the best a neighbour may be
NEIGHBOURS = 3
MOST_POINTS = 3
BRIEF = 240  # characters of a message that can be one clear statement
FEW = 3  # its sentences
_SIGNS = re.compile(r"[\W_]+")
PATH = re.compile(r"@?[\w.-]++/[\w./-]++(?::\d+)?|\b[\w-]++\.py\b")  # of a file: where, and not what


@dataclass(frozen=True)
class Point:
    """One thing asked: the sentence as it stands in the message, and the facts that answer it, best first."""

    asked: str
    mood: Mood
    facts: tuple[Near, ...] = ()
    opens: Opening | None = None  # what a lesson says first to just this

    @property
    def leads(self) -> int:
        """How many of the facts open the answer; none where the lesson's own words do."""
        return len(self.opens.facts) if self.opens is not None and self.opens.leads else 1

    @property
    def wishes(self) -> bool:
        return self.mood == "wishes"


@dataclass(frozen=True)
class Understanding:
    text: str  # what is addressed to the tutor
    numeric: bool  # whether numbers are offered in it
    wished: bool  # and something is to be done with them: an error about them answers that, and nothing else
    points: tuple[Point, ...]
    lessons: tuple[tuple[str, float], ...]  # by what the words mean, best first
    sentences: int
    stated: bool  # whether it is one clear statement, or asks whether one is so

    @property
    def seen(self) -> bool:
        """Whether it tells hardly more than what somebody sees in a run of theirs."""
        return any(point.opens is not None and point.opens.kind == SEEN and point.opens.leads for point in self.points)

    @property
    def single(self) -> str | None:
        """The fact nearest to a message that is one sentence."""
        return self.points[0].facts[0].fact if self.sentences == 1 and self.points else None


@lru_cache(maxsize=64)
def understand(message: str) -> Understanding:
    heard, texts = addressed(message), gist(message)
    seen = see(tuple(PATH.sub(" ", text).strip() or text for text in texts))
    points = []
    asked = askings(message)
    for one in asked:
        where = [i for i, text in enumerate(texts) if text == one.text and length(text) >= SENTENCE][:1]
        near = nearest(seen, where, several=len(asked) > 1)
        points.append(_point(one, near, opening(one.text, message if one is asked[0] else "")))
    stated = _states(message)
    order = sorted(lessons(seen).items(), key=lambda pair: -pair[1])
    return Understanding(
        text=heard.text,
        numeric=heard.numeric,
        wished=heard.wished and not (stated and any(map(says_more, assertions(message)))),
        points=_distinct(points),
        lessons=tuple(order),
        sentences=len(sentences(message)),
        stated=stated,
    )


def _point(asking: Asking, near: tuple[Near, ...], opens: Opening | None) -> Point:
    """What a lesson says first to just this stands first; what it says of a thing that is seen, behind the nearest.

    A fact's own sentence is answered by that fact.
    """
    if opens is None or (near and _is_said(near[0].fact, asking.text)):
        return Point(asking.text, asking.mood, near)
    own = [Near(fact, near[0].score, 1.0) for fact in opens.facts]
    if not opens.leads:
        own = [near[0], *(one for one in own if one.fact != near[0].fact)][:2]
    others = [one for one in near if one.fact not in {one.fact for one in own}]
    return Point(asking.text, asking.mood, (*own, *others), opens)


def _is_said(fact: str, text: str) -> bool:
    lesson, _, id = fact.partition("/")
    said = taught()[lesson].facts[id].says.values()
    return _letters(text) in {_letters(one) for one in said}


def _letters(text: str) -> str:
    return _SIGNS.sub("", text).lower()


def _distinct(points: list[Point]) -> tuple[Point, ...]:
    """Without what asks for the same fact again."""
    first = {point.facts[0].fact: point for point in reversed(points) if point.facts}
    kept = [point for point in points if point.facts and first[point.facts[0].fact] is point]
    return tuple(kept[:MOST_POINTS])


def told(point: Point, *, outside: bool = False) -> tuple[Near, ...]:
    """The facts that are told: the best, and its neighbours where they are near enough.

    Where nothing of the subject was asked, or something only wished, they have to be like what was said, too.
    """
    if not point.facts or ((outside or point.wishes) and point.facts[0].likeness < TELL):
        return ()
    first, *others = point.facts[: NEIGHBOURS + 1]
    return (first, *(near for near in others if near.score >= first.score - FAR))


def _states(message: str) -> bool:
    """Whether a message is a short statement, or asks whether it is so, and wants nothing else."""
    if shows(message) or len(message) > BRIEF:
        return False
    moods = [mood(sentence) for sentence in sentences(message)]
    return 0 < len(moods) <= FEW and not {"asks", "wishes"} & {*moods}
