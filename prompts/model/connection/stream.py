"""What a server of the chat-completions protocol sends: events line by line, or one object at the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from prompts.model.connection.connection import NoReplyError

MOST = 400_000  # bytes of a reply with all that is sent around it
_THOUGHTS = ("reasoning_content", "reasoning")
_DATA, _END = b"data:", b"[DONE]"


class Piece(NamedTuple):
    """A part of the text; whether it is the end, by the model's own will; the tokens, once the server counted them."""

    text: str = ""
    ended: bool = False
    tokens: int = 0
    thinks: bool = False  # words that are not its answer


def pieces(chunks: Iterable[bytes], *, events: bool) -> Iterator[Piece]:
    """What is said in the bytes of a reply; NoReplyError where they say nothing or do not end."""
    if not events:
        yield _piece(b"".join(_bounded(chunks)))
        return
    for line in _lines(_bounded(chunks)):
        data = line.removeprefix(_DATA).strip()
        if line.startswith(_DATA) and data and data != _END:
            yield _piece(data)


def _bounded(chunks: Iterable[bytes]) -> Iterator[bytes]:
    sent = 0
    for chunk in chunks:
        sent += len(chunk)
        if sent > MOST:
            raise NoReplyError("endless")
        yield chunk


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
    yield rest


def _piece(data: bytes) -> Piece:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise NoReplyError("broken") from None
    choice = _first(found)
    said = choice.get("delta") or choice.get("message")
    text = said.get("content") if isinstance(said, dict) else None
    usage = found.get("usage") if isinstance(found, dict) else None
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    return Piece(
        text if isinstance(text, str) else "",
        choice.get("finish_reason") == "stop",
        tokens if isinstance(tokens, int) and tokens > 0 else 0,
        isinstance(said, dict) and any(said.get(name) for name in _THOUGHTS),
    )


def _first(found: Any) -> dict[str, Any]:
    """The first choice; an event that only counts tokens has none, an error is no reply."""
    if not isinstance(found, dict) or "error" in found:
        raise NoReplyError("refused")
    choices = found.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    return first if isinstance(first, dict) else {}
