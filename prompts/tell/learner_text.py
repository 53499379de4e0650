"""The learner's own words on a page: never markup, in whatever place they stand."""

from __future__ import annotations

import unicodedata

from prompts.tell.ground import Grounded, strip_marks

_ENTITIES = {ord(character): f"&#{ord(character)};" for character in "<>&\"'`*_[]()|~#\\$!"}
LONGEST = 200  # characters of the learner's that a page repeats


def quoted(text: str) -> Grounded:
    """Text as entities: what could be read as HTML, Markdown or LaTeX cannot be."""
    return Grounded(_printable(text).translate(_ENTITIES))


def _printable(text: str) -> str:
    """One line without control or direction characters, shortened."""
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in strip_marks(text))
    kept = " ".join(kept.split())
    return kept if len(kept) <= LONGEST else kept[:LONGEST] + "…"
