"""Where visitors come in: who asks too much, and who comes when too many ask, is told so at once and loses nothing.

What the page calls is made here of the names of functions. It never raises: a page whose function raised is dead.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from lessons import LANGUAGES
from prompts.functions.door import refused
from prompts.staff.pool import NobodyAnsweredError, Staff
from prompts.tell.words import word

AT_ONCE = 48  # answers of all visitors; more would wait too long
REMEMBERED = 4096  # visitors
SAME: dict[str, Any] = {"__type__": "update"}  # what Gradio takes as no change
PATIENCE = 8  # seconds that a word to the visitor is seen

Telling = Callable[..., AsyncIterator[Any]]
Doing = Callable[..., Awaitable[Any]]


class Allowance:
    """So many at a time and so many a second, for each visitor."""

    def __init__(self, most: int, a_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._a_second, self._now = most, a_second, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def takes(self, visitor: str) -> bool:
        now = self._now()
        left, since = self._left.pop(visitor, (float(self._most), now))
        left = min(self._most, left + (now - since) * self._a_second)
        allowed = left >= 1
        self._left[visitor] = (left - allowed, now)
        while len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return allowed


def _as_it_is(_why: str) -> Any:
    """Nothing of the chat changes: the box as it is while nothing runs, what was typed stays in it."""
    return SAME, {**SAME, "submit_btn": True, "stop_btn": False}, SAME, SAME


class Reception:
    def __init__(self, staff: Staff) -> None:
        self._staff = staff
        self._telling = 0
        self._asking = Allowance(20, 2)  # of one window
        self._touching = Allowance(200, 40)  # of one address, in which a class may sit

    def telling(self, do: str, instead: Callable[[str], Any] = _as_it_is) -> Telling:
        """An event that tells an answer, into as many outputs as the function has; refused, what is told instead."""

        async def told(*given: Any) -> AsyncIterator[Any]:
            if self._telling >= AT_ONCE or not self._asking.takes(_visitor()):
                _say("busy")
                yield instead(_both("busy"))
                return
            self._telling += 1
            try:
                async with aclosing(self._staff.stream(do, *given)) as items:
                    async for item in items:
                        yield item
            except NobodyAnsweredError:
                _say("gone")
                yield instead(_both("gone"))
            finally:
                self._telling -= 1

        return told

    def doing(self, do: str, *first: Any, outputs: int = 1) -> Doing:
        """An event that is done at once; refused, nothing changes."""
        instead = SAME if outputs == 1 else [SAME] * outputs

        async def done(*given: Any) -> Any:
            if not self._touching.takes(_visitor()):
                _say("busy")
                return instead
            try:
                return await self._staff.run(do, *first, *given)
            except NobodyAnsweredError:
                _say("gone")
                return instead

        return done

    def touching(self, do: str) -> Doing:
        """What the workbench asks, past Gradio's queue."""

        async def touched(request: Any) -> Any:
            if not self._touching.takes(_visitor()):
                return {"error": _both("busy")}
            try:
                return await self._staff.run(do, request)
            except NobodyAnsweredError:
                return {"error": _both("gone")}

        touched.__name__ = do.partition(":")[2]
        return touched

    async def call(self, name: str, arguments: Any) -> dict[str, Any]:
        """A function, for a program."""
        try:
            found: dict[str, Any] = await self._staff.run("prompts.functions.door:call", name, arguments)
        except NobodyAnsweredError:
            return refused("internal", _both("gone"))
        return found

    async def chat(self, message: Any) -> str:
        """One answer, for a program."""
        if self._telling >= AT_ONCE:
            return _both("busy")
        self._telling += 1
        try:
            return str(await self._staff.run("prompts.chat:once", message))
        except NobodyAnsweredError:
            return _both("gone")
        finally:
            self._telling -= 1


def _both(key: str) -> str:
    """In both languages: who it is said to has not been asked."""
    return " / ".join(word(known, "page", key) for known in LANGUAGES)


def _say(key: str) -> None:
    import gradio as gr

    gr.Info(_both(key), duration=PATIENCE, title="Telescope")


def _visitor() -> str:
    """Whose window it is; of a program, its address."""
    from gradio.context import LocalContext

    request = LocalContext.request.get(None)
    if request is None:
        return ""
    window = getattr(request, "session_hash", None)
    return str(window or getattr(request.client, "host", ""))
