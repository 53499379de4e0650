"""No request to the MCP tools over HTTP is longer than a line over standard input may be."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

MOST = 2_000_000  # bytes
TOO_LARGE = 413
SAID = json.dumps(
    {"error": f"A request may have {MOST} bytes at most. Send fewer numbers, or a shorter text."}
).encode()

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Bounded:
    """Around an ASGI application: what is said to be too long is not read, what turns out so no further."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "mcp" not in scope["path"].split("/"):
            await self.app(scope, receive, send)
            return
        announced, taken, begun = _announced(scope), 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            return message if taken <= MOST else {"type": "http.disconnect"}

        async def answered(message: Message) -> None:
            nonlocal begun
            if begun or taken <= MOST:
                begun = True
                await send(message)

        if announced <= MOST:
            await self.app(scope, counted, answered)
        if max(announced, taken) > MOST and not begun:
            await send({"type": "http.response.start", "status": TOO_LARGE, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": SAID})


_HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", str(len(SAID)).encode()),
    (b"connection", b"close"),
]


def _announced(scope: Message) -> int:
    said = dict(scope["headers"]).get(b"content-length", b"0")
    return int(said) if said.isdigit() else 0
