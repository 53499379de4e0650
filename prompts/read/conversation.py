"""A chat's history, in whatever shape it arrives, as the turns of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompts.read.practising import last_named
from prompts.tell.learner_text import typed

LONGEST_HISTORY = 60  # turns; what lies further back is forgotten
ROLES = ("user", "assistant")

Turn = dict[str, Any]


def turns(history: Any) -> list[Turn]:
    """The last turns as role and text, whatever is neither left out. An exercise that was told further back is called
    by its name before them: it may be open still."""
    given = [turn for turn in history if isinstance(turn, dict)] if isinstance(history, list) else []
    read = [{"role": turn.get("role"), "content": _content(turn)} for turn in given[-LONGEST_HISTORY:]]
    told = [_content(turn) for turn in given[:-LONGEST_HISTORY] if turn.get("role") == "assistant"]
    name = next((name for text in reversed(told) if (name := last_named(text))), None)
    called = [{"role": "user", "content": name}] if name else []
    return [*called, *(turn for turn in read if turn["role"] in ROLES and turn["content"])]


def _content(turn: Mapping[str, Any]) -> str:
    """Gradio's page sends a list of parts, a program may send one text."""
    content = turn.get("content")
    parts = [_text(part) for part in (content if isinstance(content, list) else [content])]
    return "\n\n".join(part for part in parts if part is not None)


def _text(part: Any) -> str | None:
    match part:
        case str(text) | {"text": str(text)}:
            return text
        case _:
            return None


def questions(conversation: list[Turn]) -> tuple[str, ...]:
    """What the learner typed, turn by turn."""
    return tuple(typed(turn["content"]) for turn in conversation if turn["role"] == "user")


def taken_back(conversation: list[Turn]) -> tuple[list[Turn], str | None]:
    """The conversation before the last question, and that question if there is one."""
    for i in reversed(range(len(conversation))):
        if conversation[i]["role"] == "user":
            return conversation[:i], typed(conversation[i]["content"])
    return [], None
