"""So many are inside, so many wait, one more is refused: what takes all of a machine is not done twice at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engine.errors import EngineError

LOOKS = 0.1  # seconds between two looks at whether the one who waits still wants to


class Gate:
    def __init__(self, inside: int = 1, waiting: int = 1) -> None:
        self._most = inside + waiting
        self._here = 0
        self._counting = threading.Lock()
        self._inside = threading.Semaphore(inside)

    @contextmanager
    def turn(self, waits: Callable[[], None]) -> Iterator[None]:
        """Inside, after those before; EngineError("busy") where enough wait already.

        `waits` is called again and again until it is our turn; if it raises, the place in the queue is free again.
        """
        with self._counting:
            if self._here >= self._most:
                raise EngineError("busy")
            self._here += 1
        try:
            while not self._inside.acquire(timeout=LOOKS):
                waits()
            try:
                yield
            finally:
                self._inside.release()
        finally:
            with self._counting:
                self._here -= 1
