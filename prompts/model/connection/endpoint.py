"""A model behind an address: any server of the usual chat-completions protocol, asked over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx

from engine.errors import EngineError
from prompts.model.connection.connection import NoReplyError, Schema, Turns
from prompts.model.connection.stream import Piece, pieces
from prompts.model.connection.tokens import estimated

HUGGING_FACE = "huggingface"  # instead of an address: the hub's own inference
CONNECTS, SILENT = 5.0, 20.0  # seconds to reach a server, and between two words of it
NOT_SO = (400, 404, 405, 422, 501)  # what a server says to a wish that it does not know


@dataclass(frozen=True)
class Written:
    text: str
    finished: bool
    tokens: int


def address(given: str) -> str:
    """Where chat completions are asked for. An address with a name and password in it would be shown somewhere."""
    if given == HUGGING_FACE:
        from huggingface_hub.constants import INFERENCE_PROXY_TEMPLATE

        given = INFERENCE_PROXY_TEMPLATE.format(provider="v1")
    try:
        parts = urlsplit(given)
        sound = parts.scheme in ("http", "https") and parts.hostname and not (parts.username or parts.password)
        sound = sound and not (parts.query or parts.fragment) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise EngineError("bad_endpoint")
    return given.rstrip("/").removesuffix("/chat/completions")


@dataclass
class Endpoint:
    url: str
    model: str
    _key: str | None = field(default=None, repr=False)
    _plain: bool = field(default=False, repr=False)  # the server takes no schema

    @property
    def name(self) -> str:
        return self.model if self.model != "default" else str(urlsplit(self.url).hostname)

    @cached_property
    def _client(self) -> httpx.Client:
        return httpx.Client(timeout=httpx.Timeout(SILENT, connect=CONNECTS), follow_redirects=False)

    def write(
        self, turns: Turns, schema: Schema | None, longest: int, stop: threading.Event, begun: Callable[[], None]
    ) -> Written:
        """The reply as it comes in; a server that does not know schemas is asked again without, once and for all."""
        body = {"model": self.model, "messages": [dict(t) for t in turns], "max_tokens": longest, "temperature": 0}
        try:
            if not self._plain:
                found = self._asked(body | {"stream": True} | _held_to(schema), stop, begun)
                if found is not None:
                    return found
                self._plain = True
            found = self._asked(body | {"stream": True}, stop, begun)
        except httpx.HTTPError:
            raise NoReplyError("unreachable") from None
        if found is None:
            raise NoReplyError("refused")
        return found

    def _asked(self, body: Mapping[str, Any], stop: threading.Event, begun: Callable[[], None]) -> Written | None:
        """None where the server does not know such a wish."""
        with self._client.stream("POST", f"{self.url}/chat/completions", json=body, headers=self._headers()) as reply:
            if reply.status_code in NOT_SO:
                return None
            if reply.status_code != httpx.codes.OK:
                raise NoReplyError("refused")
            events = "event-stream" in reply.headers.get("content-type", "")
            text, last = "", Piece()
            for piece in pieces(reply.iter_raw(), events=events):
                if stop.is_set():
                    raise NoReplyError("stopped")
                if piece.text or piece.thinks:
                    begun()
                text += piece.text
                last = Piece("", last.ended or piece.ended, max(last.tokens, piece.tokens))
        sent = "".join(turn["content"] for turn in body["messages"])
        return Written(text.strip(), last.ended, last.tokens or estimated(sent) + estimated(text))

    def _headers(self) -> dict[str, str]:
        known = {"Accept-Encoding": "identity"}
        return known | ({"Authorization": f"Bearer {self._key}"} if self._key else {})


def _held_to(schema: Schema | None) -> dict[str, Any]:
    counted = {"stream_options": {"include_usage": True}}
    if schema is None:
        return counted
    named = {"name": str(schema.get("title", "reply")), "schema": schema, "strict": True}
    return counted | {"response_format": {"type": "json_schema", "json_schema": named}}
