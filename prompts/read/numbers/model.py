"""What was read from a message: named numbers, what is claimed, what changes, what is left of the words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.errors import EngineError
from prompts.read.numbers.edits import Edit
from prompts.read.numbers.spoiled import Spoiled

DEEPEST = 32  # brackets within brackets


@dataclass(frozen=True)
class Unnamed:
    """A list that nobody named, or a second one of a name, and where it stands in the cleaned text."""

    value: list[Any]
    start: int
    end: int
    name: str | None = None
    result: bool = False  # introduced as an outcome: "gives […]", "→ […]"


@dataclass(frozen=True)
class Numbers:
    """The numbers of one message. params and claimed use the contract's names; nothing in them is validated yet.

    A scalar is always in params; mentions lists those that come in a message without any list ("λ=1 is MC?"), which
    may be talk rather than a setting. data tells whether there is something to compute with.
    """

    params: dict[str, Any] = field(default_factory=dict)
    claimed: dict[str, Any] = field(default_factory=dict)
    unnamed: list[Unnamed] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    mentions: tuple[str, ...] = ()
    spoiled: tuple[Spoiled, ...] = ()  # lists with a word in them
    asked: tuple[str, ...] = ()  # columns of a table that are to be filled in
    error: EngineError | None = None
    residue: str = ""
    unspent: str = ""  # the words that are neither data nor part of a change

    @staticmethod
    def none(words: str) -> Numbers:
        """Of a message that offers no numbers."""
        return Numbers(residue=words, unspent=words)

    @property
    def data(self) -> bool:
        return bool(set(self.params) - set(self.mentions)) or bool(self.claimed) or bool(self.unnamed)
