"""Which move of a conversation a short message lies nearest to, where its words are not those that are known.

said.npz holds where the examples of said.toml lie, as e5.py sees them; fit_nearest.py writes it.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from prompts.read.characters import clean
from prompts.read.e5 import Vectors, place, places
from prompts.read.nearest import FINENESS, centred, closest

EXAMPLES = Path(__file__).with_name("said.toml")
FILE = Path(__file__).with_name("said.npz")
NEAR = 0.65  # of the most like thing that is said with a move; 1 is the same
ABOVE = 0.05  # by how much it must lie nearer to that than to a fact
APART = 0.12  # and than to anything that is said of something else
LONGEST = 60  # characters
NONE = "none"
_NAMES = re.compile(r"[\dα-ωΑ-Ω=\[\]+*^_\n]")  # numbers, symbols: something is asked of them


class Said(NamedTuple):
    moves: tuple[str, ...]
    places: Vectors


def meant(message: str) -> str | None:
    """The move that a message makes by its meaning."""
    text = clean(message).strip()
    if not text or len(text) > LONGEST or _NAMES.search(text):
        return None
    said = _load()
    likeness = said.places @ centred(place(text))
    moving = np.array([move != NONE for move in said.moves])
    best = int(np.where(moving, likeness, -1).argmax())
    bar = max(NEAR, likeness[~moving].max() + APART, closest(text) + ABOVE)
    return said.moves[best] if likeness[best] >= bar else None


def examples() -> list[tuple[str, str]]:
    """Moves, and messages that make them."""
    table = tomllib.loads(EXAMPLES.read_text("utf-8"))
    return [(move, text) for move, texts in table.items() for text in texts]


def save(file: Path = FILE) -> None:
    found = np.array([centred(where) for where in places([text for _, text in examples()])])
    moves = np.array([move for move, _ in examples()])
    np.savez_compressed(file, allow_pickle=False, moves=moves, places=np.rint(found * FINENESS).astype(np.int8))


@cache
def _load() -> Said:
    with np.load(FILE, allow_pickle=False) as stored:
        return Said(tuple(stored["moves"].tolist()), stored["places"].astype(np.float32) / FINENESS)
