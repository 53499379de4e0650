"""What long work says while it runs: which stage, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

Stage: TypeAlias = Literal["convert", "load", "sample", "rollout", "train_head", "critic", "actor"]


class Progress(NamedTuple):
    stage: Stage
    done: int
    total: int


Listener: TypeAlias = Callable[[Progress], None]


def nobody(_progress: Progress) -> None:
    """The listener that does not listen."""
