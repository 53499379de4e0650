"""Response tokens written as a list of strings: tokens = ["是", "的", "！"]."""

from __future__ import annotations

import re

MOST_TOKENS = 4096

_NAMED = re.compile(
    r"(?:\btokens?\b|\bresponse(?: tokens)?\b|词元|回答|令牌)[\"']?[ ]?(?:=|:|is|are|是|为|分别是)?[ ]?\[",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"""[ \n]*+(?:"([^"\n]{0,64})"|'([^'\n]{0,64})')[ \n]*+([,\]])""")


def token_lists(text: str) -> tuple[list[str], str]:
    """The tokens of the first such list, and the text with it blanked."""
    for named in _NAMED.finditer(text):
        found: list[str] = []
        position = named.end()
        while len(found) < MOST_TOKENS:
            piece = _QUOTED.match(text, position)
            if piece is None:
                break
            found.append(piece[1] if piece[1] is not None else piece[2])
            position = piece.end()
            if piece[3] == "]":
                return found, text[: named.end() - 1] + " " * (position - named.end() + 1) + text[position:]
    return [], text
