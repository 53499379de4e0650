"""A practice as it goes on: what a message of a conversation does to it. All of it follows from the messages."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias
from zlib import crc32

from engine.exercise import Drill, Exercise
from engine.exercises import LEVELS, SEEDS, moving, set_up
from engine.grading import Answered, Graded, grade
from engine.scenario import Scenario
from lessons._lesson import by_number, lessons
from prompts.read.answering import answered
from prompts.read.characters import clean

Did: TypeAlias = Literal["asked", "answered", "hinted", "shown", "reviewed"]
FIRST_EXERCISE = "why_not_delta"  # one line of reckoning
HINTS = 3
_NAME = re.compile(r"(\d{1,2})\.([1-3])\.(\d{1,4})")
_BEFORE_NAME = re.compile(
    r"please|again|give|show|me|quiz|exercise|question|practi[cs]e|number|no|on|with|the|redo|repeat|do"
    r"|再|来|给|我|看|第|题|练习|做|一|遍|号|道|目|重|次",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(r"题|号|again|please", re.IGNORECASE)
_TOLD = re.compile(r"(?<![\d.])\d{1,2}\.[1-3]\.\d{1,4}(?![\d.]*\d)")
_LEVEL = (
    r"\b(?:eas(?:y|ier|iest)|simple|(?:at )?level (?:1|one))\b|(?:简单|容易)(?:一?[点些])?的?|第?一级|初级",
    r"\b(?:medium|middling|(?:at )?level (?:2|two))\b|中等(?:难度)?的?|第?二级|中级",
    r"\b(?:hard(?:er|est)?|difficult|tough|challenging|advanced|(?:at )?level (?:3|three))\b"
    r"|(?:更?难|高难度)(?:一?[点些])?的?|第?三级|高级",
)
_BETWEEN = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_LEVELS = tuple(re.compile(words, re.IGNORECASE) for words in _LEVEL)


class Done(NamedTuple):
    """An exercise that was answered: whether at once, and else the idea that was behind the answer."""

    lesson: str
    right: bool
    cause: str | None


@dataclass(frozen=True)
class Practised:
    """A practice after a message."""

    lesson: str
    level: int
    seed: int
    own: Scenario | None = None  # the learner's numbers, where these are to be practised on
    standing: Scenario | None = None  # the numbers of a page, where a change of them is to be foretold
    quantity: str | None = None  # of those that the lesson asks for, where one was named
    did: Did = "asked"
    hints: int = 0  # given so far
    over: bool = False
    note: str = ""  # what is to be said of it: a key of words
    graded: Graded | None = None
    answer: Answered | None = None
    done: tuple[Done, ...] = field(default=())

    @property
    def drill(self) -> Drill:
        practice = lessons()[self.lesson].practice
        assert practice is not None, f"{self.lesson} asks nothing"
        asks = tuple(ask for ask in practice.drill.asks if ask.quantity == self.quantity)
        return replace(practice.drill, asks=asks, falsehoods=()) if asks else practice.drill

    @property
    def exercise(self) -> Exercise:
        found = moving(self.drill, self.standing, self.seed) if self.standing is not None else None
        return found or set_up(self.drill, self.level, self.seed, self.own)

    @property
    def name(self) -> str | None:
        """By which the exercise can be had again, in any conversation; none of one that is about other numbers."""
        own = self.own is not None or self.standing is not None or self.quantity is not None
        return None if own else f"{self.drill.number}.{self.level}.{self.seed}"


def seed(before: Practised | None, message: str) -> int:
    """Of the exercise that a message asks for after another one, whatever else was said: what lies further back in a
    conversation may be forgotten."""
    known = 0 if before is None else crc32(f"{before.lesson} {before.level} {before.seed}".encode())
    return crc32(message.encode("utf-8", "replace"), known) % SEEDS


def last_named(text: str) -> str | None:
    """The name of the last exercise that a text tells."""
    return next((found[0] for found in reversed([*_TOLD.finditer(text)])), None)


def taught(lesson: str) -> str:
    """The lesson that is practised for one: itself, unless nothing is asked there."""
    found = lessons().get(lesson)
    return lesson if found is not None and found.practice is not None else FIRST_EXERCISE


def named(message: str, before: Practised | None) -> Practised | None:
    """The exercise that a message calls by its name."""
    said = clean(message)
    found = _NAME.search(said)
    lesson = by_number().get(int(found[1])) if found else None
    if found is None or lesson is None:
        return None
    beside = _BEFORE_NAME.sub(" ", said[: found.start()]) + _AFTER_NAME.sub(" ", said[found.end() :])
    if re.search(r"\w", beside):
        return None
    return Practised(lesson.id, int(found[2]), int(found[3]), done=before.done if before else ())


def level(message: str, before: Practised | None) -> int:
    """The level that a message wishes for, or that of before."""
    for wished, words in zip(LEVELS, _LEVELS, strict=True):
        if words.search(message):
            return wished
    return before.level if before else LEVELS[0]


def without_level(message: str) -> str:
    """A wish for an exercise, without how hard it is to be."""
    return _BETWEEN.sub("", re.sub("|".join(_LEVEL), " ", message, flags=re.IGNORECASE))


def another(before: Practised, seed: int, step: int = 0) -> Practised:
    """The next exercise, as hard or a level up or down."""
    wished = before.level + step
    note = "" if wished in LEVELS else "hardest" if step > 0 else "easiest"
    wished = min(max(wished, LEVELS[0]), LEVELS[-1])
    return Practised(before.lesson, wished, seed, quantity=before.quantity, note=note, done=before.done)


def practised(before: Practised, message: str, *, now: bool, doing: Collection[str], seed: int) -> Practised | None:
    """The practice after a message that goes on with it; none where the message does something else.

    `now`: whether the practice is what was shown last; `doing`: what the message does by its words.
    """
    answer = answered(message, before.exercise, now=now)
    if answer is not None:
        return _graded(before, answer)
    if "review" in doing and before.done:
        return replace(before, did="reviewed", note="")
    if not now:
        return None
    for move, step in (("harder", 1), ("easier", -1)):
        if move in doing:
            return another(before, seed, step)
    if "hint" in doing or ("otherwise" in doing and not before.over):
        return replace(before, did="hinted", hints=min(before.hints + 1, HINTS), note="")
    if "solution" in doing or "why" in doing:
        return _shown(before)
    return another(before, seed) if {*doing} & {"again", "next", "quiz"} else None


def _graded(before: Practised, answer: Answered) -> Practised:
    found = grade(before.exercise, answer)
    first = found.final and not before.over and not _tried(before)
    cause = found.causes[0] if found.causes else None
    done = (*before.done, Done(before.lesson, found.outcome == "right", cause)) if first else before.done
    return replace(
        before,
        did="answered",
        over=before.over or found.outcome == "right",
        graded=found,
        answer=answer,
        done=done,
        note="",
    )


def _tried(before: Practised) -> bool:
    return before.graded is not None and before.graded.final


def _shown(before: Practised) -> Practised:
    """The solution; of one that was not answered, nothing is known."""
    given_up = not before.over and not _tried(before)
    done = (*before.done, Done(before.lesson, False, None)) if given_up else before.done
    return replace(before, did="shown", over=True, done=done, note="")
