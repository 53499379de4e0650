"""A token: a piece of the message with what it is."""

from __future__ import annotations

from typing import NamedTuple

from prompts.read.glossary import Sense

MOST_TOKENS = 10_000  # of a message; the longest list allowed has fewer


class Token(NamedTuple):
    """A piece of the message: a number has a value, a name a sense and perhaps a subscript, a number or "t"."""

    kind: str
    text: str
    start: int
    end: int
    value: float | None = None
    sense: Sense | None = None
    subscript: int | str | None = None
    indices: tuple[int, ...] = ()  # several subscripts at once: A_1, …, A_6
