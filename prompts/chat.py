"""The tutor in a chat: a conversation in, the conversation with its answer out. Nothing that is sent in raises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import accumulate
from typing import Any

from engine.example import RUNNING
from prompts.answer import Answer
from prompts.read.conversation import Turn, drawing, questions, taken_back, turns
from prompts.tell.figures import Picture, beside
from prompts.tell.learner_text import plain, verbatim
from prompts.tell.page import leads
from prompts.tell.paragraphs import paragraphs
from prompts.tutor import LONGEST_MESSAGE, Request, answer

PAUSE = 0.03  # seconds between paragraphs
LONGEST_ECHO = 600  # characters shown of a message that is too long to be answered


async def tell(message: Any, history: Any, gamma: Any, lam: Any) -> AsyncIterator[list[Turn]]:
    """The conversation with the message and its answer, one more paragraph at a time."""
    before = turns(history)
    text = plain(message) if isinstance(message, str) else None
    if text == "":
        yield before
        return
    conversation = [*before, _asked(text)]
    yield conversation
    found = await _answered(before, text, gamma, lam)
    for told in _growing(found["content"]):
        yield [*conversation, {"role": "assistant", "content": told}]
        await asyncio.sleep(PAUSE)
    yield [*conversation, found]


async def retell(history: Any, gamma: Any, lam: Any) -> AsyncIterator[list[Turn]]:
    """The last question, asked again."""
    before, question = taken_back(turns(history))
    async for conversation in tell(question or "", before, gamma, lam):
        yield conversation


async def recompute(history: Any, gamma: Any, lam: Any) -> list[Turn]:
    """The last answer in its place, on the numbers as they are set."""
    before, question = taken_back(turns(history))
    return [*before, _asked(question), await _answered(before, question, gamma, lam)] if question else before


async def once(message: str) -> str:
    """The answer to one message, as Markdown."""
    return (await _answer((plain(message),) if isinstance(message, str) else ())).markdown


def moved(gamma: Any, lam: Any) -> Mapping[str, Any] | None:
    """The numbers that were changed; where none was, the tutor chooses them."""
    numbers = {"gamma": gamma, "lam": lam}
    return {name: x for name, x in numbers.items() if x != getattr(RUNNING, name)} or None


def _asked(text: str | None) -> Turn:
    """The learner's turn as a page shows it: what was typed, and nothing that it could turn into."""
    if text is not None and len(text) > LONGEST_MESSAGE:
        text = text[:LONGEST_ECHO] + "…"
    return {"role": "user", "content": verbatim(text or "…")}


async def _answered(before: list[Turn], text: str | None, gamma: Any, lam: Any) -> Turn:
    """The tutor's turn; the next questions stand beside it as options, not at its end."""
    messages = () if text is None else (*questions(before), text)
    found = await _answer(messages, moved(gamma, lam))
    page = found.markdown
    for heading in ("next", "instead"):
        page = page.removesuffix(leads(found.followups, found.lang, heading) + "\n")
    options = [{"value": question} for question in found.followups]
    return {
        "role": "assistant",
        "content": drawn_into(page, found.figures),
        **({"options": options} if options else {}),
    }


def drawn_into(page: str, figures: tuple[Picture, ...]) -> str | list[Any]:
    """The page, in parts where figures are drawn between them."""
    if not figures:
        return page
    from prompts.tell.draw import drawn

    return [part if isinstance(part, str) else drawing(drawn(part)) for part in beside(page, figures)]


def _growing(content: str | list[Any]) -> Iterator[str | list[Any]]:
    """An answer, one more paragraph at a time; a drawing comes with the paragraph after it."""
    if isinstance(content, str):
        yield from accumulate(paragraphs(content))
        return
    for i, part in enumerate(content):
        if isinstance(part, str):
            yield from ([*content[:i], told] for told in accumulate(paragraphs(part)))


async def _answer(messages: tuple[str, ...], numbers: Mapping[str, Any] | None = None) -> Answer:
    request = Request(messages, scenario=numbers)
    try:
        return await asyncio.to_thread(answer, request)
    finally:
        request.stop.set()  # also when the learner has moved on: nothing goes on being written for nobody
