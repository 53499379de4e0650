"""What a model is shown beside a message: the facts nearest to it, the lessons, what was said and given before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import TypeAlias

from engine.quantities import QUANTITIES
from engine.scenario import Scenario
from lessons._lesson import OUT_OF_SCOPE
from prompts.model.calls import MOST as CALLS
from prompts.model.connection.tokens import estimated
from prompts.model.prompt import prompt
from prompts.model.standing import read_figures
from prompts.read import Question
from prompts.read.asking import sentences
from prompts.read.gist import gist
from prompts.read.nearest import Near, nearest, see
from prompts.read.understanding import understand

FACTS = 20  # that are shown, while there is room
FAR = 2.0  # places behind the nearest one a fact counts half
REPLY, AGAIN = 250, 270  # tokens of what may be replied at first, and to the facts
LOOK = 300  # kept for a second look at the sentences
LONGEST, SHORTER = 300, 200  # tokens of the message, at first and beside facts
BEFORE, EARLIER = 2, 200  # turns before it, and characters of each
STANDING = 240  # characters of the numbers that stand
LIKELY = 12  # lessons by the built-in reading that it may choose from
SHORT = 40  # characters of a message that leans on the one before
WISHED = ("code", "quiz", "table", "proof", "example", "simple")
LINE = "-" * 10
NAMES = tuple(name for name in Scenario.model_fields if name not in ("prompt", "tokens", "kl"))  # of numbers
WORDS = {"en": 120, "zh": 200}  # of an opening: words, or Chinese characters
ASKED_FOR = {"en": "90 words", "zh": "150 characters"}  # what it is told: a model counts badly
QUOTES = {"en": "“ ”", "zh": "「」"}
LANGUAGE = {"en": "English", "zh": "Chinese"}
POINTS = 3
SENTENCES = 6  # of the answer that a model has in mind
MANY = 3  # figures of a message that may be data, wherever they stand in it


def shown(question: Question, messages: Sequence[str], answer: str = "") -> tuple[Near, ...]:
    """The facts nearest to an answer that a model has in mind, whole and by sentences, and to what is asked."""
    said = tuple(sentences(answer)[:SENTENCES])
    lines = [nearest(see(one), range(len(one)), FACTS) for one in (said, *((text,) for text in said)) if one]
    lines += [point.facts for point in question.points]
    lines.append(_nearest(messages[-1]))
    if len(messages) > 1 and len(messages[-1]) <= SHORT:
        lines.append(_nearest(messages[-2]))
    found = {near.fact: near for line in reversed(lines) for near in line}
    nearness: defaultdict[str, float] = defaultdict(float)
    for line in lines:
        for place, near in enumerate(line):
            nearness[near.fact] += 1 / (FAR + place)
    return tuple(found[fact] for fact in sorted(nearness, key=nearness.__getitem__, reverse=True)[:FACTS])


def _nearest(message: str) -> tuple[Near, ...]:
    texts = gist(message)
    return nearest(see(tuple(texts)), range(len(texts)), FACTS)


Turns: TypeAlias = list[dict[str, str]]


def turns(question: Question, messages: Sequence[str]) -> Turns:
    """What is sent at first."""
    heard = understand(messages[-1])
    numbers = len(read_figures(heard.text)) >= (1 if heard.numeric else MANY)
    likely = [id for id, _ in (*question.alternatives, *heard.lessons)]
    likely = [id for id in dict.fromkeys(likely) if id != OUT_OF_SCOPE][:LIKELY]
    system = prompt(
        "listen",
        lessons=", ".join(likely),
        language=LANGUAGE[question.language],
        names=", ".join(NAMES if numbers else ()),
        quantities=", ".join(QUANTITIES),
        forms=", ".join(WISHED),
        calls=CALLS,
    )
    return _turns(system, _sent(question, messages, (), LONGEST))


def again(question: Question, messages: Sequence[str], texts: Sequence[str], room: int) -> tuple[Turns, int]:
    """What is sent with facts and results: as many of these as there is room for, and how many."""
    system = prompt(
        "answer",
        most=POINTS,
        language=LANGUAGE[question.language],
        longest=ASKED_FOR[question.language],
        quotes=QUOTES[question.language],
    )
    room -= AGAIN + LOOK + estimated(system) + estimated(_sent(question, messages, (), SHORTER))
    count = sum(spent <= room for spent in accumulate(estimated(one) + 3 for one in texts))
    return _turns(system, _sent(question, messages, texts[:count], SHORTER)), count


def _turns(system: str, user: str) -> Turns:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _sent(question: Question, messages: Sequence[str], texts: Sequence[str], longest: int) -> str:
    return prompt(
        "message",
        facts=texts,
        before=" / ".join(" ".join(one.split())[:EARLIER] for one in messages[:-1][-BEFORE:]),
        standing=_standing(question),
        message=_cut(messages[-1], longest),
        line=LINE,
    )


def _standing(question: Question) -> str:
    given = question.scenario.given()
    own = [f"{name} = {given[name]}" for name, whose in question.origin.items() if whose != "example" and name in given]
    return "; ".join(own)[:STANDING]


def _cut(message: str, longest: int) -> str:
    """The message, or what of a long one asks and stands beside that."""
    plain = message.replace(LINE, " ").strip()
    if estimated(plain) <= longest:
        return plain
    asks = "\n".join(gist(message))
    return asks[: len(asks) * longest // max(longest, estimated(asks))]
