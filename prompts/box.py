"""The chat beside the box that is typed into: what each event makes of the conversation, the box and the numbers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from lessons._lesson import LANGUAGES
from prompts.beside import after, as_text
from prompts.chat import asked, is_progress, retell, stopped, tell
from prompts.read.conversation import Turn, questions, taken_back, turns
from prompts.read.language import of_conversation
from prompts.taken.files import as_dialogue, as_json, clock
from prompts.taken.wish import wishes_to_keep
from prompts.tell.learner_text import plain
from prompts.tell.words import word

IDLE = {"submit_btn": True, "stop_btn": False}  # the box while nothing runs
SAME: dict[str, Any] = {"__type__": "update"}  # what Gradio takes as no change


def update(**properties: Any) -> dict[str, Any]:
    """What Gradio takes as a change of these properties and no others."""
    return SAME | properties


async def beside_box(telling: AsyncGenerator[list[Turn], None], **left: Any) -> AsyncIterator[Any]:
    """The conversation, and the box: while a run goes on it has a button that stops it."""
    now = IDLE
    async with aclosing(telling) as conversations:
        async for conversation in conversations:
            going = bool(conversation) and is_progress(conversation[-1])
            wanted = {"submit_btn": not going, "stop_btn": going}
            changed = {**left, **(wanted if wanted != now else {})}
            left, now = {}, wanted
            yield conversation, update(**changed)


# Each of these gives the conversation, the box, the numbers beside them, and a file to take away.


async def on_message(
    message: Any, history: Any, scenario: Any = "", listens: Any = True, minutes: Any = 0
) -> AsyncIterator[Any]:
    """A message and its answer."""
    if isinstance(message, str) and wishes_to_keep(message):
        yield _kept(plain(message), history, minutes)
        return
    async for conversation, box in beside_box(tell(message, history, scenario, listens), value="", **IDLE):
        yield conversation, box, SAME, SAME
    if isinstance(message, str) and plain(message):
        before = questions(stopped(history))
        yield SAME, SAME, await asyncio.to_thread(after, before, plain(message), scenario), SAME


async def on_chip(chosen: Any, *beside: Any) -> AsyncIterator[Any]:
    """The next question, or the last one on the example's numbers."""
    if chosen in [word(known, "taken", "example") for known in LANGUAGES]:
        async for conversation, box in beside_box(retell(beside[0], "", *beside[2:3])):
            yield conversation, box, "", SAME
        return
    async for shown in on_message(chosen, *beside):
        yield shown


async def on_edited(index: Any, text: Any, history: Any, *beside: Any) -> AsyncIterator[Any]:
    """A question asked again in other words; what was said after it is taken back."""
    before = turns(history)[:index] if isinstance(index, int) and index >= 0 else turns(history)
    async for shown in on_message(text, before, *beside):
        yield shown


async def on_again(*beside: Any) -> AsyncIterator[Any]:
    """The last question, asked again on the numbers as they stand."""
    async for conversation, box in beside_box(retell(*beside[:3]), **IDLE):
        yield conversation, box, SAME, SAME


def on_undo(history: Any) -> Any:
    before, question = taken_back(turns(history))
    return before, update(value=question or "", **IDLE)


def on_stop(history: Any) -> Any:
    return stopped(history), update(**IDLE)


def on_new() -> Any:
    return [], update(**IDLE), as_text({})


def _kept(message: str, history: Any, minutes: Any) -> Any:
    """The conversation so far as a file."""
    before = stopped(history)
    lang = of_conversation((*questions(before), message))
    file = as_dialogue(before, clock(minutes), lang)
    said = word(lang, "taken", "kept").format(name=f"`{file['name']}`", count=len(questions(before)))
    conversation = [*before, asked(message), {"role": "assistant", "content": said}]
    return conversation, update(value="", **IDLE), SAME, as_json(file)
