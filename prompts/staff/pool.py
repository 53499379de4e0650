"""The pool: what is asked goes to whoever has least to do; who falls over is replaced, and whom they left is told."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from itertools import count
from pathlib import Path
from typing import Any

ROOT = str(Path(__file__).parents[2])
MOST = 4  # processes; each holds the encoders
REST = 1.0  # seconds before one who fell over at once is replaced
LOADED = "prompts.staff.loaded:load"  # all that answers need
ITEM, END, FAULT = "item", "end", "fault"

Message = dict[str, Any]


class NobodyAnsweredError(Exception):
    """Whoever was to answer could not."""


class Staff:
    """Started, each of them does first what `first` names; what is asked meanwhile waits."""

    def __init__(self, size: int | None = None, first: str = LOADED) -> None:
        self._hands = [_Hand(first) for _ in range(size or min(MOST, os.cpu_count() or 1))]

    def start(self) -> None:
        """The first at once; the others when the first has loaded, so that it is not held up."""
        after: threading.Event | None = None
        for hand in self._hands:
            threading.Thread(target=hand.tend, args=(after,), daemon=True).start()
            after = self._hands[0].ready

    def close(self) -> None:
        for hand in self._hands:
            hand.close()

    async def stream(self, do: str, *given: Any) -> AsyncGenerator[Any, None]:
        """What `module:function` yields of what is given, all of it JSON; NobodyAnsweredError where it raised."""
        hand = min(self._hands, key=lambda one: (not one.ready.is_set(), len(one.open)))
        async with aclosing(hand.ask(do, given)) as items:
            async for item in items:
                yield item

    async def run(self, do: str, *given: Any) -> Any:
        """What it returns, or yields last."""
        last = None
        async with aclosing(self.stream(do, *given)) as items:
            async for item in items:
                last = item
        return last


class _Hand:
    """A process that answers, and its requests that are open."""

    def __init__(self, first: str) -> None:
        self._first = first
        self.ready = threading.Event()
        self.open: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Queue[Message]]] = {}
        self._ids = count()
        self._writing = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = threading.Event()
        self._closed = False

    def tend(self, after: threading.Event | None) -> None:
        """Until it is closed, somebody is at this place."""
        if after is not None:
            after.wait()
        while not self._closed:
            started = time.monotonic()
            with suppress(OSError), self._started() as process:  # what was on its way to who fell is lost
                assert process.stdout is not None
                self._process = process
                self._begun.set()
                for line in process.stdout:
                    self._hear(json.loads(line))
                self.ready.clear()
                self._begun.clear()
            for id in list(self.open):
                self._pass_on({"id": id, FAULT: True})
            time.sleep(max(0.0, REST - (time.monotonic() - started)))

    def _started(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(filter(None, [ROOT, os.environ.get("PYTHONPATH")]))
        return subprocess.Popen(
            [sys.executable, "-m", "prompts.staff.worker", self._first],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )

    def close(self) -> None:
        self._closed = True
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _hear(self, message: Message) -> None:
        if "ready" in message:
            self.ready.set()
        else:
            self._pass_on(message)

    def _pass_on(self, message: Message) -> None:
        if waiting := self.open.get(message["id"]):
            loop, heard = waiting
            with suppress(RuntimeError):  # the page is being closed
                loop.call_soon_threadsafe(heard.put_nowait, message)

    async def ask(self, do: str, given: tuple[Any, ...]) -> AsyncGenerator[Any, None]:
        if not self._begun.is_set():
            await asyncio.to_thread(self._begun.wait)
        id, heard = next(self._ids), asyncio.Queue[Message]()
        self.open[id] = (asyncio.get_running_loop(), heard)
        message: Message = {}
        try:
            self._tell({"id": id, "do": do, "given": given})
            while ITEM in (message := await heard.get()):
                yield message[ITEM]
            if FAULT in message:
                raise NobodyAnsweredError(do)
        finally:
            del self.open[id]
            if not {END, FAULT} & set(message):
                with suppress(NobodyAnsweredError):
                    self._tell({"id": id})

    def _tell(self, request: Message) -> None:
        assert self._process is not None and self._process.stdin is not None  # it has begun
        line = json.dumps(request).encode() + b"\n"
        try:
            with self._writing:
                self._process.stdin.write(line)
                self._process.stdin.flush()
        except (OSError, ValueError) as fell:
            raise NobodyAnsweredError(request.get("do")) from fell
