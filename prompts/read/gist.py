"""What of a message is read together: what asks and, while there is room, what is beside it and what is pasted."""

from __future__ import annotations

from functools import lru_cache

from prompts.read.asking import askings, sentences
from prompts.read.e5 import LONGEST, length
from prompts.read.parts import SAID, parts, said

WHOLE = 600  # characters of what is said that are looked at together
PASTED = 200  # of what is only shown


@lru_cache(maxsize=64)
def gist(message: str) -> tuple[str, ...]:
    """The texts, in their order."""
    if not sentences(message):
        return (" ".join((said(message) or message).split())[:WHOLE],)
    found = sentences(message)
    asking = {one.text for one in askings(message)}
    where = [i for i, text in enumerate(found) if text in asking] or [0]
    kept, room = set(), LONGEST
    for i in sorted(range(len(found)), key=lambda i: (min(abs(i - j) for j in where), i)):
        if room > 0:
            kept.add(i)
            room -= length(found[i])
    pasted = " ".join(" ".join(part.text for part in parts(message) if part.kind not in SAID).split())[:PASTED]
    return (*(found[i] for i in sorted(kept)), *([pasted] if pasted and room > 0 else []))
