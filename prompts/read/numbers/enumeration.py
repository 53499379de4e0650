"""Whether bare numbers are one enumeration, or the last of them begins something else."""

from __future__ import annotations

import re

from prompts.read.numbers.grouping import Group

_SEPARATORS = re.compile(r"[^\s\d.+\-%]++")
_LISTING = frozenset(["、", "和", "与", "跟", "或", "或者", "or", "vs", "versus", "/"])
_NUMBERS = frozenset(["nan", "inf", "infinity", "∞"])
_CLAUSE_END = re.compile(r"\s*(?:\Z|[,;.?!:()。]|each\b|every\b)", re.IGNORECASE)


def enumerated(text: str, found: Group) -> bool:
    """0, 0.5, 2 is an enumeration; .95,100 may be two things, and so may 0.5 and 2 where the sentence goes on."""
    written = [s.lower() for s in _SEPARATORS.findall(text[found.start : found.end])]
    separators = [s for s in written if s not in _NUMBERS]
    if len(set(separators)) <= 1 and not (found.scalar or len(found.value) < 3):
        return True
    if not separators:
        return False
    return all(s in _LISTING or (s == "and" and _CLAUSE_END.match(text, found.end)) for s in separators)
