"""Who writes: the language model that was named, chosen once a process, or nobody."""

from __future__ import annotations

import threading
from functools import cache
from typing import Protocol

from engine.errors import EngineError
from engine.models.writer import Draft, named_writer


class Writer(Protocol):
    """Whatever turns a prompt into a text: at most `longest` tokens, ended early when `stop` is set."""

    @property
    def name(self) -> str: ...

    def write(self, prompt: str, longest: int, stop: threading.Event) -> Draft: ...


@cache
def writer() -> Writer | EngineError | None:
    """The model that TELESCOPE_WRITER names, not loaded yet; None where it names none; why it cannot be had."""
    try:
        return named_writer()
    except EngineError as absent:
        return absent
