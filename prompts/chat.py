"""The tutor in a chat: a conversation in, the conversation with its answer out. Nothing that is sent in raises."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from itertools import accumulate
from typing import Any

from engine.example import RUNNING
from engine.models.progress import Progress
from lessons._lesson import LANGUAGES
from prompts.answer import Answer
from prompts.read.conversation import Turn, questions, taken_back, turns
from prompts.read.language import of_conversation
from prompts.tell.figures import Picture, drawn_into
from prompts.tell.learner_text import plain, verbatim
from prompts.tell.markdown import folded
from prompts.tell.observed import progress
from prompts.tell.paragraphs import paragraphs
from prompts.tell.sections import QUIZ, Section
from prompts.tell.words import word
from prompts.tutor import LONGEST_MESSAGE, Request, answer

PAUSE = 0.03  # seconds between paragraphs
LOOKS = 0.2  # seconds between two looks at how far a run is
LONGEST_ECHO = 600  # characters shown of a message that is too long to be answered


async def tell(
    message: Any, history: Any, gamma: Any, lam: Any, listens: Any = True
) -> AsyncGenerator[list[Turn], None]:
    """The conversation with the message and its answer, one more paragraph at a time."""
    before = turns(history)
    text = plain(message) if isinstance(message, str) else None
    if text == "":
        yield before
        return
    conversation = [*before, _asked(text)]
    yield conversation
    found: Turn = {}
    async with aclosing(_answering(before, text, gamma, lam, listens)) as answering:
        async for found in answering:
            if is_progress(found):
                yield [*conversation, found]
    for told in accumulate(paragraphs(found["content"])):
        yield [*conversation, _says(told)]
        await asyncio.sleep(PAUSE)
    yield [*conversation, found]


async def retell(history: Any, gamma: Any, lam: Any, listens: Any = True) -> AsyncGenerator[list[Turn], None]:
    """The last question, asked again."""
    before, question = taken_back(turns(history))
    async with aclosing(tell(question or "", before, gamma, lam, listens)) as telling:
        async for conversation in telling:
            yield conversation


async def recompute(history: Any, gamma: Any, lam: Any, listens: Any = True) -> AsyncGenerator[list[Turn], None]:
    """The last answer in its place, on the numbers as they are set."""
    before, question = taken_back(turns(history))
    if question is None:
        yield before
        return
    async with aclosing(_answering(before, question, gamma, lam, listens)) as answering:
        async for found in answering:
            yield [*before, _asked(question), found]


def stopped(history: Any) -> list[Turn]:
    """The conversation when the learner has stopped the answer: what was being run is not shown as if it went on."""
    kept = turns(history)
    if kept and is_progress(kept[-1]):
        kept.pop()
    if kept and kept[-1]["role"] == "user":
        kept.append(_says(word(of_conversation(questions(kept)), "progress", "stopped")))
    return kept


def is_progress(turn: Turn) -> bool:
    """Whether the tutor's turn only says how far a run is."""
    said = [word(known, "progress", key) for known in LANGUAGES for key in ("running", "listening")]
    beginnings = tuple(text.split("{")[0] for text in said)
    return turn["role"] == "assistant" and turn["content"].startswith(beginnings)


async def once(message: str) -> str:
    """The answer to one message, as Markdown."""
    found = Answer("", (), "en", "plain", "")
    messages = (plain(message),) if isinstance(message, str) else ()
    async with aclosing(_answers(messages)) as answers:
        async for answered in answers:
            found = answered if isinstance(answered, Answer) else found
    return found.markdown


def moved(gamma: Any, lam: Any) -> Mapping[str, Any] | None:
    """The numbers that were changed; where none was, the tutor chooses them."""
    numbers = {"gamma": gamma, "lam": lam}
    return {name: x for name, x in numbers.items() if x != getattr(RUNNING, name)} or None


def _asked(text: str | None) -> Turn:
    """The learner's turn as a page shows it: what was typed, and nothing that it could turn into."""
    if text is not None and len(text) > LONGEST_MESSAGE:
        text = text[:LONGEST_ECHO] + "…"
    return {"role": "user", "content": verbatim(text or "…")}


async def _answering(
    before: list[Turn], text: str | None, gamma: Any, lam: Any, listens: Any
) -> AsyncGenerator[Turn, None]:
    """The tutor's turn, after turns that say how far a run is."""
    messages = () if text is None else (*questions(before), text)
    async with aclosing(_answers(messages, moved(gamma, lam), alone=listens is False)) as answers:
        async for found in answers:
            if isinstance(found, Answer):
                yield _told(found)
            else:
                yield _says(progress(found, of_conversation(messages)))


def _says(text: str) -> Turn:
    return {"role": "assistant", "content": text}


def _told(found: Answer) -> Turn:
    """An answer as a turn, what it names unfolding in place; the next questions stand beside it as options."""
    page = found.markdown.removesuffix(f"{found.end}\n")
    folded = [section for section in found.closed if section.id != QUIZ]
    content = "\n\n".join([drawn(page, found.figures), *map(unfolding, folded)])
    quiz = [section.name for section in found.closed if section.id == QUIZ]  # it goes on by turns
    practice = quiz or [word(found.lang, "sections", QUIZ)]  # on every page
    guess = [word(found.lang, "replies", "predict")] if quiz else []
    options = [{"value": question} for question in (found.replies or (*found.followups, *practice, *guess))]
    return {**_says(content), **({"options": options} if options else {})}


def unfolding(section: Section) -> str:
    """A section behind its name, with its drawings, and the numbers of each behind a name of their own."""
    if not section.pictures:
        return section.folded
    numbers = word(section.language, "labels", "figure_data")
    told = [f"{one.caption}\n\n{_drawing(one)}\n\n{folded(numbers, one.data)}".strip() for one in section.pictures]
    return folded(section.heading, "\n\n".join(told))


def drawn(page: str, figures: tuple[Picture, ...]) -> str:
    """The page with its drawings in their places."""
    return drawn_into(page, figures, {one.title: _drawing(one) for one in figures})


def _drawing(picture: Picture) -> str:
    """As a block of HTML, in which nothing is read as Markdown."""
    from prompts.tell.draw import drawn

    return f"<div>{drawn(picture)}</div>"


async def _answers(
    messages: tuple[str, ...], numbers: Mapping[str, Any] | None = None, *, alone: bool = False
) -> AsyncGenerator[Progress | Answer, None]:
    """How far a run is, whenever that has changed; then the answer."""
    heard: deque[Progress] = deque(maxlen=1)
    request = Request(messages, scenario=numbers, listener=heard.append, alone=alone)
    working = asyncio.ensure_future(asyncio.to_thread(answer, request))
    try:
        while not (await asyncio.wait({working}, timeout=LOOKS))[0]:
            if heard:
                yield heard.pop()
        yield working.result()
    finally:
        request.stop.set()  # also when the learner has moved on: nothing goes on being run or written for nobody
