"""Figures that a message states, of its own numbers or of those before it: all of it is understood, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompts.read.characters import clean
from prompts.read.figures.follows import LESSONS
from prompts.read.figures.pieces import pieces
from prompts.read.figures.statements import statements
from prompts.read.figures.worded import Worded
from prompts.read.figures.worked import worked
from prompts.read.numbers.spelling import in_digits
from prompts.read.steps import finds_none, step

LONGEST = 400  # characters


@step(finds_none)
def figures(message: str, standing: Mapping[str, Any]) -> Worded | None:
    """What a message states in figures; `standing` are the numbers that were spoken of before."""
    if len(message) > LONGEST or "```" in message:
        return None
    cut = pieces(in_digits(clean(message)).strip())
    stated = statements(cut) if cut is not None else None
    if cut is None or not stated:
        return None
    methods = {piece.kind for piece in cut} & {"grpo", "rloo"}
    own = any(one.row for one in stated) or not standing
    at_the_end = any(piece.at == (-1,) for piece in cut)
    method = methods.pop() if len(methods) == 1 else None
    found = worked(stated, {} if own else standing, method, at_the_end=at_the_end)
    if found is None:
        return None
    denied = any(piece.kind == "wrong" for piece in cut)
    lesson = "group_baselines" if found.method else LESSONS.get(found.names[-1], "mc_vs_gae")
    return Worded(tuple(found.found), lesson, denied, found.shift == 1, not own)
