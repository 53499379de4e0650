"""So many are inside, so many wait, one more is refused: what takes all of a machine is not done twice at once."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import EngineError

LOOKS = 0.1  # seconds between two looks at whether the one who waits still wants to


class Gate:
    """`named`: of all processes of a user that have a gate of this name, one is inside at a time."""

    def __init__(self, inside: int = 1, waiting: int = 1, *, named: str | None = None) -> None:
        self._named = named
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
                with _alone(self._named, waits):
                    yield
            finally:
                self._inside.release()
        finally:
            with self._counting:
                self._here -= 1


@contextmanager
def _alone(named: str | None, waits: Callable[[], None]) -> Iterator[None]:
    """The one process that holds the lock of that name; where files cannot be locked, any."""
    try:
        import fcntl

        held = (Path(tempfile.gettempdir()) / f"{named}-{os.getuid()}.lock").open("w") if named else None
    except (ImportError, OSError):
        held = None
    if held is None:
        yield
        return
    with held:  # closing it gives the lock back, and so does the end of a process
        while not _taken(fcntl, held):
            waits()
            time.sleep(LOOKS)
        yield


def _taken(fcntl: Any, held: Any) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
