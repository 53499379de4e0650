"""A group of numbers, and all groups of a message with its brackets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.errors import EngineError


@dataclass(frozen=True)
class Group:
    """Numbers that belong together. value: a float for one bare number, else a list (of lists)."""

    value: Any
    first: int  # tokens
    last: int
    start: int  # characters
    end: int
    bracketed: bool
    elided: bool = False

    @property
    def scalar(self) -> bool:
        return not isinstance(self.value, list)


@dataclass(frozen=True)
class Grouping:
    groups: tuple[Group, ...]
    partner: dict[int, int]  # opening bracket → closing bracket, by token
    open_numbers: tuple[int, ...]  # brackets that hold numbers and are never closed
    error: EngineError | None

    @cached_property
    def opening(self) -> dict[int, int]:
        """Closing bracket → opening bracket, by token."""
        return {closing: opening for opening, closing in self.partner.items()}
