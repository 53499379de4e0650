"""What a model may look up before it answers: functions of prompts/functions, and nothing else exists for it.

What they find comes back as facts with numbers and as plain lines. It is data, like the learner's words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prompts.functions.door import call
from prompts.model.reply import Call
from prompts.read.nearest import Near

MOST = 2  # calls, all at once; then it is asked once more
FOUND = 8  # facts of a search
LONGEST = 300  # characters of a line
ARGUMENT = {"search_facts": "query", "settle_statement": "statement"}


def looked_up(calls: Sequence[Call], language: str) -> tuple[tuple[Near, ...], tuple[str, ...]]:
    """The facts that were found, and what else was, a line each."""
    facts: list[Near] = []
    lines: list[str] = []
    for one in calls[:MOST]:
        if one.name not in ARGUMENT:
            continue
        more = {"count": FOUND} if one.name == "search_facts" else {}
        found = call(one.name, {ARGUMENT[one.name]: one.ask, "lang": language, **more})
        facts += [_near(fact) for fact in (*found.get("facts", ()), *found.get("near", ()))]
        lines.append(f"{one.name} “{one.ask[:LONGEST]}”: {_told(found)}"[:LONGEST])
    return tuple({near.fact: near for near in reversed(facts)}.values())[::-1], tuple(lines)


def _near(fact: dict[str, Any]) -> Near:
    return Near(fact["id"], fact["score"], fact["likeness"])


def _told(found: dict[str, Any]) -> str:
    if "error" in found:
        return str(found["error"]["message"])
    if "verdict" in found:
        return " ".join(filter(None, (str(found["verdict"]), str(found.get("reason") or ""))))
    return f"{len(found['facts'])} facts"
