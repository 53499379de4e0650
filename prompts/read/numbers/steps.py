"""Steps whose numbers are glued to their names: t0 r0 v.2, t1 r1 v.4."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts.read.glossary import parts, phrase, symbol
from prompts.read.numbers.cues import LISTS

_PAIR = re.compile(
    r"(?<![\w.\\/])(?P<name>[A-Za-z]{1,12}|[δρ])(?P<number>[+-]?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))(?!\w|\.\d|[=(\[])"
)
_BETWEEN = re.compile(r"[ ,;:|\n)]{1,3}")
_STEP_LABELS = frozenset(["t", "i", "step", "token"])


def unglued(text: str) -> str:
    """The text with an equals sign between such names and their numbers. r0, V0, r1, V1 alone are indices and stay."""
    pieces: list[str] = []
    position = 0
    for run in _runs(text):
        pairs = [pair for pair in run if pair["name"].lower() not in _STEP_LABELS]
        if not _repeats([pair["name"] for pair in pairs]) or not any(set(".+-") & set(p["number"]) for p in pairs):
            continue
        for pair in pairs:
            pieces += [text[position : pair.end("name")], "="]
            position = pair.start("number")
    return "".join([*pieces, text[position:]])


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Pairs with nothing but separators between them."""
    run: list[re.Match[str]] = []
    for pair in _PAIR.finditer(text):
        if run and not _BETWEEN.fullmatch(text, run[-1].end(), pair.start()):
            yield run
            run = []
        run.append(pair)
    yield run


def _repeats(names: list[str]) -> bool:
    """Whether the same quantities come again and again, at least two of them at least twice."""
    width = len(dict.fromkeys(names))
    again = len(names) >= 2 * width and len(names) % width == 0 if width > 1 else False
    return again and names == names[:width] * (len(names) // width) and all(_meaning(n) in LISTS for n in names[:width])


def _meaning(word: str) -> str:
    sense = symbol(word) or phrase(parts(word))
    return sense.meaning if sense else ""
