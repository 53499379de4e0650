"""In which order the words that matter stand: pairs that tell a statement from the same words turned round."""

from __future__ import annotations

import re
from itertools import islice

from prompts.read.characters import clean
from prompts.read.features import concept_marks
from prompts.read.mark import Mark
from prompts.read.numbers.tokens import scan
from prompts.read.polarity import turning_marks

FURTHEST = 4  # words that matter between the first of a pair and the second
_INDEX = re.compile(r"[tn0-9]\s*[+\-]\s*1|[0-9]+|T|-1")


def in_order(text: str) -> list[str]:
    """Names for each pair of words that stand near each other, the earlier first: λ = 0 before Monte Carlo."""
    marks = sorted([*turning_marks(text), *concept_marks(text), *quantity_marks(text)], key=lambda mark: mark.start)
    pairs = []
    for i, first in enumerate(marks):
        behind = (mark for mark in islice(marks, i + 1, None) if mark.start >= first.end)
        pairs += [f"{first.name}»{mark.name}" for mark in islice(behind, FURTHEST)]
    return pairs


def quantity_marks(text: str) -> list[Mark]:
    """The quantities that are mentioned, with their index."""
    plain, found = clean(text), []
    for token in scan(plain):
        if token.sense is not None:
            index = _INDEX.search(plain[token.start + 1 : token.end]) if token.subscript is not None else None
            found.append(
                Mark(token.start, token.end, f"{token.sense.meaning}@{index.group() if index else token.subscript}")
            )
    return found
