"""A page in pieces, for telling it little by little: cut at blank lines, and never inside what only renders whole."""

from __future__ import annotations

import re

_BETWEEN = re.compile(r"(?<=\n\n)(?=\S)")  # an indented line goes on with the item above it
_WHOLE = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=fence)[ \t]*$|\$\$.+?\$\$|\\\(.+?\\\)|`[^`\n]+`",
    re.DOTALL | re.MULTILINE,
)
_OPENER = re.compile(r"^(?:`{3,}|~{3,})|\$\$|\\\(", re.MULTILINE)


def paragraphs(page: str) -> list[str]:
    """Pieces that joined are the page, each of them whole; the rest of a page that stays open is one last piece."""
    pieces, piece = [], ""
    for block in _BETWEEN.split(page):
        piece += block
        if whole(piece):
            pieces.append(piece)
            piece = ""
    return [*pieces, piece] if piece else pieces


def whole(text: str) -> bool:
    """Whether every formula, fence and <details> that the text opens is closed in it."""
    rest = _WHOLE.sub("", text)
    return not _OPENER.search(rest) and rest.count("<details") == rest.count("</details>")
