"""What a message claims or asks to be confirmed: a proposition of a lesson, or its opposite."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from lessons._fact import Verdict, opposite
from prompts.read.asserting import assertions
from prompts.read.likeness import Floats, aspect
from prompts.read.polarity import said
from prompts.read.steps import finds_none, step
from prompts.read.verdicts import VERDICTS, Placed, Weights, load

CANDIDATES = 20  # propositions that are looked at closely
PRIOR, UNLIKELY = 0.3, 0.01  # what the lesson's probability counts, and the least of them
SURE, AGREED = (
    0.5,
    0.3,
)  # of a claim's probability; below it there is no verdict, where the nearest fact agrees a little
CLEAR = 0.5  # how far the verdict must be from another one


@dataclass(frozen=True)
class Assertion:
    lesson: str
    proposition: str
    denied: bool
    score: float  # how probably the verdict is the right one
    margin: float  # how much more probably than another one

    @property
    def id(self) -> str:
        return f"{self.lesson}/{self.proposition}"


@step(finds_none)
def claim(message: str, lessons: Sequence[tuple[str, float]], nearest: str | None = None) -> Assertion | None:
    """The proposition that a message states or denies, if it surely does. `lessons` are the likely ones, best first.

    `nearest` is the fact that another reading finds in a single sentence: where the two agree, less will do.
    """
    found = best(message, lessons)
    if found is None or states_a_figure(message):
        return None
    agreed = nearest == f"{found.lesson}/{found.proposition}"
    return found if found.margin >= CLEAR and found.score >= (AGREED if agreed else SURE) else None


def states_a_figure(message: str) -> bool:
    """Whether there are numbers in it, other than those that parameters are set to: what nothing computed."""
    parts = said(message)
    set_to = {amount for _, _, amount in parts.settings}
    return any("." in number and number not in set_to for number in parts.numerals)


def best(message: str, lessons: Sequence[tuple[str, float]]) -> Assertion | None:
    """The likeliest claim, however improbable; None when nothing is claimed."""
    stated = assertions(message)
    if not stated:
        return None
    texts = [" ".join(stated), *(stated[-1:] if len(stated) > 1 else ())]
    weights, likely = load(), dict(lessons)
    return max((_read(weights, text, likely) for text in texts), key=lambda found: found.score)


def _read(weights: Weights, text: str, likely: Mapping[str, float]) -> Assertion:
    judged = judge(weights, weights.place(aspect(text)), likely)
    score = 1 / (1 + math.exp(-float(judged.signs @ weights.trust)))
    lesson, proposition = weights.propositions[judged.option.proposition]
    return Assertion(lesson, proposition, judged.option.denied, score, 2 * judged.surely - 1)


class Option(NamedTuple):
    """One way to understand a message."""

    share: float  # how much it counts
    proposition: int
    denied: bool
    verdict: Verdict


class Judged(NamedTuple):
    """The verdict that the options give together, by the one that says it most clearly."""

    option: Option
    surely: float  # the share of the verdict among all
    signs: Floats  # of whether it can be trusted


def judge(weights: Weights, message: Placed, likely: Mapping[str, float], hidden: Sequence[int] = ()) -> Judged:
    """`hidden` phrasings count as if nobody had written them."""
    cosines = weights.about @ message.about
    cosines[list(hidden)] = -1.0
    chances = weights.likely(cosines) + PRIOR * _expected(weights, likely)
    top = np.argpartition(-chances, CANDIDATES)[:CANDIDATES]
    shares = np.exp(chances[top] - chances[top].max())
    options = [
        option
        for proposition, share in zip(top.tolist(), (shares / shares.sum()).tolist(), strict=True)
        for option in _sides(weights, message, cosines, proposition, share)
    ]
    says = {verdict: sum(one.share for one in options if one.verdict == verdict) for verdict in VERDICTS}
    verdict = max(says, key=lambda name: says[name])
    surely = says[verdict] / sum(says.values())
    first = max((one for one in options if one.verdict == verdict), key=lambda one: one.share)
    near = cosines[weights.starts[first.proposition] : weights.starts[first.proposition + 1]].max()
    odds = math.log((surely + 0.01) / (1.01 - surely))
    signs = np.array([odds, near, cosines.max(), chances[top].max(), shares.max() / shares.sum(), 1.0], np.float32)
    return Judged(first, surely, signs)


def _expected(weights: Weights, likely: Mapping[str, float]) -> Floats:
    """For each proposition the logarithm of its lesson's probability."""
    names, counts = _lessons(weights.propositions)
    return np.repeat(np.log([likely.get(name, 0.0) + UNLIKELY for name in names]).astype(np.float32), counts)


@cache
def _lessons(propositions: tuple[tuple[str, str], ...]) -> tuple[list[str], list[int]]:
    """The lessons in their order, and how many propositions each has."""
    counts = Counter(lesson for lesson, _ in propositions)
    return list(counts), list(counts.values())


def _sides(weights: Weights, message: Placed, cosines: Floats, proposition: int, share: float) -> list[Option]:
    """A proposition and its opposite."""
    affirmed = 1 / (1 + math.exp(-weights.affirmed(message, cosines, proposition)))
    own = weights.verdicts[proposition]
    return [
        Option(chance * share, proposition, denied, verdict)
        for chance, denied, verdict in ((affirmed, False, own), (1 - affirmed, True, opposite(own)))
    ]
