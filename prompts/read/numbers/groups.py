"""Tokens to groups: bracketed lists, bare runs of numbers, repetitions, single numbers."""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.scenario import LONGEST
from prompts.read.numbers.brackets import brackets, list_at
from prompts.read.numbers.grouping import Group, Grouping
from prompts.read.numbers.runs import repetition_at, run_at
from prompts.read.numbers.token import Token


def group(tokens: list[Token]) -> Grouping:
    """All groups in the order of the text."""
    partner, pure, unclosed, error = brackets(tokens)
    if error is not None:
        return Grouping((), partner, unclosed, error)
    groups: list[Group] = []
    i = 0
    while i < len(tokens):
        found = list_at(tokens, i, pure) or repetition_at(tokens, i) or run_at(tokens, i)
        if found is None:
            i += 1
            continue
        groups.append(found)
        if isinstance(found.value, list) and _longest(found.value) > LONGEST:
            error = error or EngineError(
                "too_long", field="list", position=(), length=_longest(found.value), limit=LONGEST
            )
        i = found.last + 1
    return Grouping(tuple(groups), partner, unclosed, error)


def _longest(value: list[Any]) -> int:
    return max([len(value), *(_longest(v) for v in value if isinstance(v, list))])
