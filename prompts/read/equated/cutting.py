"""A sentence in the words of words.toml and its symbols; None if anything else stands in it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.terms import Term
from prompts.read.equated.nouns import Noun, named, of_rate, of_term
from prompts.read.equated.templates import expanded
from prompts.read.expressions import expressions

_FILE = Path(__file__).with_name("words.toml")
_ATOM = re.compile(
    r"(?P<letter>[VAGRQrδ])(?:_(?:\{(?P<long>[^{}\s]{1,5})\}|(?P<short>[t0-9])(?![0-9A-Za-z])))?(?![A-Za-z_\[^(])"
)
_LETTERS = {
    "V": "value", "A": "advantage", "G": "monte_carlo_return", "R": "returns", "Q": "action_value", "r": "reward",
    "δ": "delta",
}  # fmt: skip
_INVOLVED = re.compile(r"[Σ^√\\_{}\[\]λβ]|\bsum\b")
_TD = re.compile(r"δ|\btd\b|时序差分")
_LONGEST = 240  # characters


class Piece(NamedTuple):
    """One or more letters of sentences.py, and the noun where the letter is N."""

    letters: str
    noun: Noun = ()
    word: str = ""


@cache
def _table() -> tuple[dict[str, tuple[str, str]], dict[str, tuple[int, ...]]]:
    """Every word with its letters and the quantity it names, and how long the words are that start in one way."""
    read = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    table: dict[str, tuple[str, str]] = {}
    for letters, templates in read["words"].items():
        for template in templates:
            table.update(dict.fromkeys((word.strip() or " " for word in expanded(template)), (letters, "")))
    for kind, letters in (("nouns", "N"), ("phrases", "NE")):
        for name, templates in read[kind].items():
            for template in templates:
                table.update(dict.fromkeys((word.strip() for word in expanded(template)), (letters, name)))
    table.pop("", None)
    lengths: dict[str, set[int]] = {}
    for word in table:
        lengths.setdefault(word[:2], set()).add(len(word))
        if len(word) == 1:
            lengths.setdefault(word, set()).add(1)
    return table, {start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()}


def cut(text: str) -> list[Piece] | None:
    if len(text) > _LONGEST:
        return None
    text = " ".join(text.split())
    found: list[Piece] = []
    spans: dict[int, tuple[int, Term]] | None = None
    position = 0
    while position < len(text):
        word = _word(text, position)
        if word is not None:
            letters, name = _table()[0][word]
            name = _in_context(name, text)
            found.append(Piece(letters, named(name) if name else (), word))
            position += len(word)
            continue
        if spans is None:
            spans = {start: (end, term) for term, start, end in expressions(text.replace("≠", "="))}
        read = _symbol(text, position, spans)
        if read is None:
            return None
        position, noun = read
        found.append(Piece("N", noun))
    return found


def _in_context(name: str, text: str) -> str:
    """What is meant where β is said too, and by the target where δ is spoken of."""
    if name == "target":
        return "target_one_step" if _TD.search(text) else "returns"
    return "kl_alone" if name == "kl" and "β" in text else name


def _word(text: str, position: int) -> str | None:
    table, lengths = _table()
    for n in (*lengths.get(text[position : position + 2], ()), *lengths.get(text[position], ())):
        word = text[position : position + n]
        if word in table and _apart(text, position, position + n):
            return word
    return None


def _apart(text: str, start: int, end: int) -> bool:
    """Whether a word begins and ends where words do."""
    before, after = text[start - 1 : start], text[end : end + 1]
    inside_left = _latin(before) and _latin(text[start])
    inside_right = (_latin(after) or after == "_") and _latin(text[end - 1])
    return not (inside_left or inside_right) and not (after == "^" and text[end - 1] != " ")


def _latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _symbol(text: str, position: int, spans: dict[int, tuple[int, Term]]) -> tuple[int, Noun] | None:
    """A formula as expressions.py reads it, or one letter with its index."""
    atom = _ATOM.match(text, position)
    if position in spans:
        end, term = spans[position]
        if term.expects:
            return None
        if atom is None or (end > atom.end() and _INVOLVED.search(text[position:end].replace(atom.group(), ""))):
            return end, of_term(term)
    if atom is None or not _apart(text, position, atom.end()):
        return None
    noun = named(_LETTERS[atom["letter"]], atom["long"] or atom["short"] or "")
    return None if not noun else (atom.end(), noun)


__all__ = ["Piece", "cut", "of_rate"]
