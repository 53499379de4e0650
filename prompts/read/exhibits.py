"""A message that asks for a public discussion by its place, or for the list of them."""

from __future__ import annotations

import re
from functools import cache

from lessons._museum import Exhibit, exhibits
from prompts.read.numbers.tokens import scan

LONGEST = 60  # characters beside the place: in a longer message it is only mentioned
_PLACE = re.compile(
    r"(?:https?://[\w.]+/)?(?:(?P<owner>[\w.-]+)/)?(?P<name>[A-Za-z][\w.-]*)"
    r"(?:/(?:issues|pull|discussions)/|\s*#|\s*的?\s*(?:issue|pr|pull request|pull)s?\s*#?\s*)(?P<number>\d+)\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\bmuseum\b|博物馆|(?:著名|有名|出名|知名)的?(?:错误|争论|争议|误解|公式|bug|错)"
    r"|\b(?:famous|well[- ]known|notorious) (?:\w+ ){0,2}(?:mistake|bug|error|dispute|debate|controvers)",
    re.IGNORECASE,
)
_OTHERS = {"volcengine": "verl-project", "lvwerra": "huggingface", "microsoft": "deepspeedai"}  # where it was before


def place(message: str) -> Exhibit | None:
    """The exhibit whose place a short message names."""
    for found in _PLACE.finditer(message[: 4 * LONGEST]):
        beside = message.replace(found[0], " ")
        if len(beside) > LONGEST or any(token.sense for token in scan(beside)):  # a quantity is spoken of
            continue
        exhibit = _known().get((found["name"].lower(), int(found["number"])))
        owner = (found["owner"] or "").lower()
        if exhibit is not None and (not owner or _owns(_OTHERS.get(owner, owner), exhibit, int(found["number"]))):
            return exhibit
    return None


def wants_list(message: str) -> bool:
    return len(message) <= LONGEST and _LIST.search(message) is not None


def _owns(owner: str, exhibit: Exhibit, number: int) -> bool:
    return any(thread.number == number and thread.project.lower().startswith(f"{owner}/") for thread in exhibit.threads)


@cache
def _known() -> dict[tuple[str, int], Exhibit]:
    return {
        (thread.project.rpartition("/")[2].lower(), thread.number): exhibit
        for exhibit in reversed(exhibits())
        for thread in exhibit.threads
    }
