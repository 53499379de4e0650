"""Steps that are told from the last on, in the order of the tokens: t=1: A = 0.3. t=0: A = 0.5."""

from __future__ import annotations

import re
from itertools import pairwise

_STEP = re.compile(
    r"(?:\b(?:for |at )?(?:t ?= ?|token |step )|第 ?)(\d{1,4}) ?(?:个 ?token|个|步)? ?[:：,，]", re.IGNORECASE
)
_STOP = re.compile(r"[.。;；](?=\s|$)|\n")


def in_order(text: str) -> str:
    """The text with its first token first."""
    steps = list(_STEP.finditer(text))
    labels = [int(step[1]) for step in steps]
    if len(labels) < 2 or any(a - b != 1 for a, b in pairwise(labels)):
        return text
    stop = _STOP.search(text, steps[-1].end())
    end = stop.end() if stop else len(text)
    starts = [*(step.start() for step in steps), end]
    parts = [text[a:b].strip() for a, b in pairwise(starts)]
    return f"{text[: starts[0]]}{' '.join(reversed(parts))} {text[end:]}"
