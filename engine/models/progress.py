"""What long work says while it runs: which stage, and how far it has come. Who listens may end it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from engine.errors import EngineError

Stage: TypeAlias = Literal["listen", "wait", "convert", "load", "train_head", "sample", "rollout", "critic", "actor"]


class Progress(NamedTuple):
    stage: Stage
    done: int
    total: int
    round: int = 1  # which PPO iteration


Listener: TypeAlias = Callable[[Progress], None]


def nobody(_progress: Progress) -> None:
    """The listener that does not listen."""


def until(stop: threading.Event, listener: Listener) -> Listener:
    """A listener that ends the work at its next word once `stop` is set."""

    def heard(progress: Progress) -> None:
        if stop.is_set():
            raise EngineError("stopped")
        listener(progress)

    return heard


def of_round(number: int, listener: Listener) -> Listener:
    """A listener that says which iteration it is."""
    return lambda progress: listener(progress._replace(round=number))
