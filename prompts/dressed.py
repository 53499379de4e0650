"""The page as it leaves the house: with its own card, in the visitor's language, loading from nowhere else."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from html import escape
from typing import Any
from urllib.parse import parse_qsl

from lessons import LANGUAGES
from prompts.tell.words import word

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

NAME = "Telescope"
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    # Gradio's own scripts stand in the page. What frames it is left open: on a Space the page is framed.
    "content-security-policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'",
}
_THEIRS = re.compile(r'\s*<meta\s+(?:property="og:|name="twitter:)[^>]*/>')  # a card that names another product
_LANG = re.compile(r'(<html\s[^>]*?lang=)"en"')


class Dressed:
    """Around the whole server."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        is_page = scope["path"] == "/" and scope["method"] == "GET"
        language = opened_in(_query(scope), None, headers.get("accept-language"))
        started: list[Message] = []
        body = bytearray()

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message["headers"] if name.decode().lower() not in HEADERS]
                message["headers"] = [*kept, *((name.encode(), value.encode()) for name, value in HEADERS.items())]
                if is_page and _is_plain_html(message["headers"]):
                    started.append(message)
                    return
            elif started and message["type"] == "http.response.body":
                body.extend(message.get("body", b""))
                if message.get("more_body"):
                    return
                start, told = started.pop(), named(body.decode(), language).encode()
                others = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
                length = (b"content-length", str(len(told)).encode())
                await send({**start, "headers": [*others, length]})
                message = {"type": "http.response.body", "body": told}
            await send(message)

        await self.app(scope, receive, dressed)


def opened_in(parameters: Mapping[str, str], chosen: Any, accept_language: str | None) -> str:
    """The language that the address names, else the one chosen here before, else the browser's."""
    named = (parameters.get("lang"), chosen)
    return next((one for one in named if one in LANGUAGES), None) or preferred(accept_language)


def preferred(accept_language: str | None) -> str:
    """The first of our languages that the browser asks for."""
    wanted = re.findall(r"\b(?:zh|en)\b", (accept_language or "").lower())
    return wanted[0] if wanted else "en"


def named(page: str, language: str) -> str:
    """The page with our own card, for whoever is sent a link to it."""
    told = escape(word(language, "page", "tagline"))
    card = (
        f'<meta name="description" content="{told}" />\n<meta property="og:type" content="website" />\n'
        f'<meta property="og:title" content="{NAME}" />\n<meta property="og:description" content="{told}" />\n'
        f'<meta name="twitter:card" content="summary" />\n<link rel="icon" href="favicon.ico" type="image/svg+xml" />'
    )
    own = _THEIRS.sub("", page).replace("<head>", f"<head>\n{card}", 1)
    return _LANG.sub(rf'\1"{"zh-CN" if language == "zh" else language}"', own, count=1)


def _query(scope: MutableMapping[str, Any]) -> dict[str, str]:
    return dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))


def _is_plain_html(headers: list[tuple[bytes, bytes]]) -> bool:
    told = {name.lower(): value for name, value in headers}
    return told.get(b"content-type", b"").startswith(b"text/html") and b"content-encoding" not in told
