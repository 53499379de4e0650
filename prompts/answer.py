"""An answer, field by field as the `ask` contract has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from prompts.tell.figures import Picture
from prompts.tell.sections import Section


@dataclass(frozen=True)
class Answer:
    lesson: str
    alternatives: tuple[Mapping[str, Any], ...]
    lang: str
    form: str
    markdown: str
    verdict: str | None = None
    judged: str | None = None  # the sentence that the verdict is on, as it stands in the message
    points: tuple[Mapping[str, Any], ...] = ()  # what was asked, one by one, and the facts that answer it
    quantity: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    proof: tuple[Mapping[str, Any], ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    mistakes: tuple[Mapping[str, Any], ...] = ()
    error: Mapping[str, str] | None = None
    followups: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()  # ids of what can be unfolded
    seconds: float = 0.0
    id: Any = None
    listened: Mapping[str, Any] | None = None  # by which model, at what cost, and what of its reply was dropped
    figures: tuple[Picture, ...] = ()  # drawn by the page; the Markdown holds their words and numbers
    closed: tuple[Section, ...] = ()  # what unfolds in the page; the Markdown holds its names
    replies: tuple[str, ...] = ()  # what can be said next with a click, in a practice
    end: str = ""  # the last lines of the Markdown: names of sections, questions that may have been meant

    def labelled(self, id: Any, seconds: float) -> Answer:
        return replace(self, id=id, seconds=seconds)

    def json(self) -> str:
        """One line of valid JSON; a number that JSON cannot hold is a bug and raises."""
        told = asdict(replace(self, figures=(), closed=()))
        for drawn in ("figures", "closed", "end", "replies"):
            del told[drawn]
        return json.dumps(told, ensure_ascii=False, allow_nan=False)
