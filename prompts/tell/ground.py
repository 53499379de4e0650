"""Grounded rendering: a numeral reaches a page only out of something that was computed.

Everything the renderer emits is marked; a numeral outside the marks was written by hand and is refused.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from typing import Any

from engine.notation import show
from engine.readings.exact import Decimal

_OPEN, _CLOSE = "\ue000", "\ue001"  # private-use characters: no text contains them, learner's text is stripped of them


class UngroundedError(Exception):
    """A page, a template or a text held a numeral that nobody computed."""


class Grounded(str):
    """Text that the renderer made out of facts, parameters, indices, formulas or code."""

    __slots__ = ()


def emit(x: Any) -> str:
    """What a template expression becomes on the page. Numbers are shown; a plain string may hold no numeral."""
    if isinstance(x, Grounded):
        return f"{_OPEN}{x}{_CLOSE}"
    if isinstance(x, int | float | Fraction | Decimal) and not isinstance(x, bool):
        return f"{_OPEN}{show(x).text}{_CLOSE}"
    if isinstance(x, str):
        release(x)
        return x
    raise TypeError(f"a template emitted {type(x).__name__}: {x!r}")


def release(marked: str) -> str:
    """The page without its marks; raises if a numeral stands outside them."""
    depth, loose, page = 0, [], []
    for position, character in enumerate(marked):
        if character == _OPEN:
            depth += 1
        elif character == _CLOSE:
            depth -= 1
        else:
            page.append(character)
            if depth == 0 and is_numeral(character):
                loose.append(marked[max(0, position - 30) : position + 10])
    if loose:
        raise UngroundedError(f"numerals that the renderer did not emit: {loose}")
    return "".join(page)


def is_numeral(character: str) -> bool:
    """Digits of any script, subscripts, superscripts, fractions; not the Chinese words for numbers."""
    return unicodedata.category(character) in ("Nd", "No", "Nl")


def numerals(text: str) -> str:
    return "".join(filter(is_numeral, text))


def strip_marks(text: str) -> str:
    return text.replace(_OPEN, "").replace(_CLOSE, "")
