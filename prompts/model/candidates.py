"""What a model is shown beside a message: the facts nearest to it, the lessons, what was said and given before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, zip_longest
from typing import TypeAlias

from engine.quantities import QUANTITIES
from engine.scenario import Scenario
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.model.calls import MOST as CALLS
from prompts.model.connection.tokens import estimated
from prompts.model.prompt import prompt
from prompts.model.standing import read_figures
from prompts.read import Question
from prompts.read.gist import gist
from prompts.read.nearest import Near, nearest, see
from prompts.read.understanding import understand

FACTS = 30  # that are shown, while there is room
ROOM = 1500  # tokens of what is sent, about
REPLY = 450  # and of what may be replied
AGAIN = 220  # tokens of a reply to what was looked up
LIKELY = 8  # lessons by the built-in reading that it may choose from, beside those of the facts
LONGEST = 350  # tokens of the message
BEFORE, EARLIER = 2, 200  # turns before it, and characters of each
STANDING = 240  # characters of the numbers that stand
SHORT = 40  # characters of a message that leans on the one before
WISHED = ("code", "quiz", "table", "proof", "example", "simple")
LINE = "-" * 10
NAMES = tuple(name for name in Scenario.model_fields if name not in ("prompt", "tokens", "kl"))  # of numbers
WORDS = {"en": 120, "zh": 200}  # of an opening: words, or Chinese characters
ASKED_FOR = {"en": "90 words", "zh": "150 characters"}  # what it is told: a model counts badly
LANGUAGE = {"en": "English", "zh": "Chinese"}
POINTS = 3
MANY = 3  # figures of a message that may be data, wherever they stand in it


def shown(question: Question, messages: Sequence[str]) -> tuple[Near, ...]:
    """The facts nearest to what is asked, each thing's nearest first, then those of the whole message."""
    lines = [point.facts for point in question.points]
    lines.append(_nearest(messages[-1]))
    if len(messages) > 1 and len(messages[-1]) <= SHORT:
        lines.append(_nearest(messages[-2]))
    turns = (near for some in zip_longest(*lines) for near in some if near is not None)
    return tuple({near.fact: near for near in reversed(tuple(turns))}.values())[::-1][:FACTS]


def _nearest(message: str) -> tuple[Near, ...]:
    texts = gist(message)
    return nearest(see(tuple(texts)), range(len(texts)), FACTS)


Sent: TypeAlias = tuple[list[dict[str, str]], int]  # the turns, and how many of the facts stand in them


def turns(question: Question, messages: Sequence[str], facts: Sequence[Near]) -> Sent:
    """What is sent at first: as many of the facts as there is room for."""
    heard = understand(messages[-1])
    numbers = len(read_figures(heard.text)) >= (1 if heard.numeric else MANY)
    likely = [id for id, _ in (*question.alternatives, *heard.lessons)]
    likely = [id for id in dict.fromkeys(likely) if id != OUT_OF_SCOPE][:LIKELY]
    system = prompt(
        "listen",
        most=POINTS,
        lessons=", ".join(dict.fromkeys((*likely, *(near.lesson for near in facts)))),
        language=LANGUAGE[question.language],
        longest=ASKED_FOR[question.language],
        names=", ".join(NAMES if numbers else ()),
        quantities=", ".join(QUANTITIES),
        forms=", ".join(WISHED),
        calls=CALLS,
    )
    return _with_facts(system, question, messages, facts, (), ROOM)


def again(question: Question, messages: Sequence[str], facts: Sequence[Near], found: Sequence[str], room: int) -> Sent:
    """What is sent once something was looked up: that, and no more than the room that is left."""
    system = prompt("answer", language=LANGUAGE[question.language], longest=ASKED_FOR[question.language])
    return _with_facts(system, question, messages, facts, found, room - AGAIN)


def _with_facts(
    system: str, question: Question, messages: Sequence[str], facts: Sequence[Near], found: Sequence[str], room: int
) -> Sent:
    says = [lessons()[near.lesson].facts[near.id].says[question.language] for near in facts]
    room -= estimated(system) + estimated(_sent(question, messages, [], found))
    count = sum(spent <= room for spent in accumulate(estimated(one) + 3 for one in says))
    user = _sent(question, messages, says[:count], found)
    return [{"role": "system", "content": system}, {"role": "user", "content": user}], count


def _sent(question: Question, messages: Sequence[str], says: Sequence[str], found: Sequence[str]) -> str:
    return prompt(
        "message",
        facts=says,
        found=found,
        before=" / ".join(" ".join(one.split())[:EARLIER] for one in messages[:-1][-BEFORE:]),
        standing=_standing(question),
        message=_cut(messages[-1]),
        line=LINE,
    )


def _standing(question: Question) -> str:
    given = question.scenario.given()
    own = [f"{name} = {given[name]}" for name, whose in question.origin.items() if whose != "example" and name in given]
    return "; ".join(own)[:STANDING]


def _cut(message: str) -> str:
    """The message, or what of a long one asks and stands beside that."""
    plain = message.replace(LINE, " ").strip()
    if estimated(plain) <= LONGEST:
        return plain
    asks = "\n".join(gist(message))
    return asks[: len(asks) * LONGEST // max(LONGEST, estimated(asks))]
