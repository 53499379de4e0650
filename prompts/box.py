"""The chat beside the box that is typed into: what each event makes of both."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from prompts.chat import is_progress, recompute, retell, stopped, tell
from prompts.read.conversation import Turn, taken_back, turns

IDLE = {"submit_btn": True, "stop_btn": False}  # the box while nothing runs


def _update(**properties: Any) -> dict[str, Any]:
    """What Gradio takes as a change of these properties and no others."""
    return {"__type__": "update", **properties}


async def beside_box(telling: AsyncGenerator[list[Turn], None], **left: Any) -> AsyncIterator[Any]:
    """The conversation, and the box: while a run goes on it has a button that stops it."""
    now = IDLE
    async with aclosing(telling) as conversations:
        async for conversation in conversations:
            going = bool(conversation) and is_progress(conversation[-1])
            wanted = {"submit_btn": not going, "stop_btn": going}
            changed = {**left, **(wanted if wanted != now else {})}
            left, now = {}, wanted
            yield conversation, _update(**changed)


async def on_message(message: Any, *beside: Any) -> AsyncIterator[Any]:
    async for shown in beside_box(tell(message, *beside), value=""):
        yield shown


async def on_retry(*beside: Any) -> AsyncIterator[Any]:
    async for shown in beside_box(retell(*beside)):
        yield shown


async def on_moved(*beside: Any) -> AsyncIterator[Any]:
    async for shown in beside_box(recompute(*beside), **IDLE):
        yield shown


def on_undo(history: Any) -> Any:
    before, question = taken_back(turns(history))
    return before, _update(value=question or "", **IDLE)


def on_stop(history: Any) -> Any:
    return stopped(history), _update(**IDLE)


def on_new() -> Any:
    return [], _update(**IDLE)
