"""What a model is shown beside a message: the facts nearest to it, the lessons, what was said and given before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from engine.quantities import QUANTITIES
from engine.scenario import Scenario
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.model.calls import MOST as CALLS
from prompts.model.connection.tokens import estimated
from prompts.model.prompt import prompt
from prompts.read import Question
from prompts.read.gist import gist
from prompts.read.nearest import Near, nearest, see
from prompts.read.understanding import understand

FACTS = 30  # that are shown, while there is room
ROOM = 1650  # tokens of what is sent, about
LIKELY = 8  # lessons that are shown with their titles
LONGEST = 1400  # characters of the message
BEFORE, EARLIER = 2, 200  # turns before it, and characters of each
STANDING = 240  # characters of the numbers that stand
SHORT = 40  # characters of a message that leans on the one before
WISHED = ("code", "quiz", "table", "proof", "example", "simple")
LINE = "-" * 10
NAMES = tuple(name for name in Scenario.model_fields if name not in ("prompt", "tokens", "kl"))  # of numbers
WORDS = {"en": 120, "zh": 200}  # of an opening: words, or Chinese characters
POINTS = 3


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


def turns(
    question: Question, messages: Sequence[str], facts: Sequence[Near], found: Sequence[str] = ()
) -> tuple[list[dict[str, str]], int]:
    """What is sent, and how many of the facts stand in it: as many as there is room for."""
    language = question.language
    numbers = understand(messages[-1]).numeric and any(map(str.isdigit, messages[-1]))
    system = prompt(
        "listen",
        language,
        most=POINTS,
        longest=WORDS[language],
        names=", ".join(NAMES if numbers else ()),
        quantities=", ".join(QUANTITIES),
        forms=", ".join(WISHED),
        calls=0 if found else CALLS,
    )
    says = [lessons()[near.lesson].facts[near.id].says[language] for near in facts]
    room = ROOM - estimated(system) - estimated(_sent(question, messages, [], found))
    count = 0
    for one in says:
        room -= estimated(one) + 3
        if room < 0:
            break
        count += 1
    user = _sent(question, messages, says[:count], found)
    return [{"role": "system", "content": system}, {"role": "user", "content": user}], count


def _sent(question: Question, messages: Sequence[str], says: Sequence[str], found: Sequence[str]) -> str:
    language = question.language
    order = [id for id, _ in question.alternatives] + [id for id, _ in understand(messages[-1]).lessons]
    likely = [id for id in dict.fromkeys(order) if id != OUT_OF_SCOPE][:LIKELY]
    return prompt(
        "message",
        language,
        likely=[{"id": id, "title": lessons()[id].title[language]} for id in likely],
        others=", ".join(sorted({*lessons()} - {*likely, OUT_OF_SCOPE})),
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
    return plain if len(plain) <= LONGEST else "\n".join(gist(message))[:LONGEST]
