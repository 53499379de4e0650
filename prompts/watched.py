"""Work that takes long, on a thread of its own: how far it is, then what came of it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from threading import Event
from typing import TypeVar

from engine.models.progress import Listener, Progress

LOOKS = 0.2  # seconds between two looks at how far it is
Found = TypeVar("Found")


async def watched(work: Callable[[Listener], Found], stop: Event) -> AsyncGenerator[Progress | Found, None]:
    """How far the work is, whenever that has changed; then its result. `stop` is set when nobody waits any more."""
    heard: deque[Progress] = deque(maxlen=1)
    working = asyncio.ensure_future(asyncio.to_thread(work, heard.append))
    try:
        while not (await asyncio.wait({working}, timeout=LOOKS))[0]:
            if heard:
                yield heard.pop()
        yield working.result()
    finally:
        stop.set()  # also when the learner has moved on: nothing goes on being run or written for nobody
