"""What stands behind an answer, computed again: what a notebook's cells run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import quantities
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read.owned import completed


def numbers(of: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """All that the engine computes for a lesson, or as a quantity, of these numbers and the example's for the rest."""
    own, _ = completed(scenario(given))
    lesson = lessons().get(of)
    found = lesson.show(own).facts if lesson is not None else quantities.facts(of, own)
    return dict(found.numbers) if found is not None else {}
