"""A word that matters, by where it stands."""

from typing import NamedTuple


class Mark(NamedTuple):
    start: int
    end: int
    name: str
