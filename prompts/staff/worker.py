"""One who answers: `python -m prompts.staff.worker FIRST`, requests on standard input, answers on standard output.

A request is `{"id", "do": "module:function", "given": [...]}`; each value that the function yields, or the one that it
returns, goes back as `{"id", "item"}`, then `{"id", "end"}`, or `{"id", "fault"}` where it raised. `{"id"}` alone
stops it. Once what is to be done FIRST is done, `{"ready"}` is said. At the end of the input it ends.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import os
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from importlib import import_module
from typing import Any, BinaryIO

_LOG = logging.getLogger(__name__)


def main() -> None:
    told = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anything else prints is no answer
    asyncio.run(_Worker(told).serve(_named(sys.argv[1])))


class _Worker:
    def __init__(self, told: BinaryIO) -> None:
        self._told, self._telling = told, threading.Lock()
        self._doing: dict[int, asyncio.Task[None]] = {}

    async def serve(self, first: Callable[[], Any]) -> None:
        loop = asyncio.get_running_loop()
        self._loaded = asyncio.ensure_future(asyncio.to_thread(first))
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        await self._loaded
        self._say(ready=True)
        await asyncio.Event().wait()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(self._take, json.loads(line))
        os._exit(0)  # nobody asks any more, and what is being run is for nobody

    def _take(self, request: dict[str, Any]) -> None:
        id = request["id"]
        if "do" in request:
            self._doing[id] = asyncio.ensure_future(self._answer(id, request["do"], request["given"]))
        elif id in self._doing:
            self._doing[id].cancel()

    async def _answer(self, id: int, do: str, given: list[Any]) -> None:
        try:
            await asyncio.shield(self._loaded)
            async with aclosing(_done(do, given)) as items:
                async for item in items:
                    self._say(id=id, item=item)
            self._say(id=id, end=True)
        except Exception:  # noqa: BLE001  the last net: whoever asked is told that there is no answer
            _LOG.exception("no answer from %s", do)
            self._say(id=id, fault=True)
        finally:
            del self._doing[id]

    def _say(self, **message: Any) -> None:
        line = json.dumps(message, allow_nan=False).encode() + b"\n"
        with self._telling:
            self._told.write(line)
            self._told.flush()


def _named(function: str) -> Callable[..., Any]:
    module, _, name = function.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


async def _done(do: str, given: list[Any]) -> AsyncGenerator[Any, None]:
    """What the function yields, or the one value that it returns."""
    function = _named(do)
    if inspect.isasyncgenfunction(function):
        async with aclosing(function(*given)) as items:
            async for item in items:
                yield item
    elif inspect.iscoroutinefunction(function):
        yield await function(*given)
    else:
        yield await asyncio.to_thread(function, *given)


if __name__ == "__main__":
    main()
