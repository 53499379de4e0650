"""A real server of the chat-completions protocol on this machine, with good manners and bad ones."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER = '{"about": "talk"}'
PLENTY = 2_000_000  # bytes


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers), body))
        self.close_connection = True
        MANNERS[self.server.manner](self)

    def log_message(self, *_: Any) -> None:
        pass

    def head(self, status: int = 200, kind: str = "text/event-stream", **more: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Connection": "close", **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def event(self, given: Any) -> None:
        self.wfile.write(b"data: " + json.dumps(given).encode() + b"\n\n")
        self.wfile.flush()

    def say(self, text: str, finish: str | None = None) -> None:
        self.event({"choices": [{"delta": {"content": text}, "finish_reason": finish}]})


class Server(ThreadingHTTPServer):
    daemon_threads = True
    manner = "good"
    reply: Callable[[list[dict[str, str]]], str]  # of one that plays

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.go_on = threading.Event()  # what a slow one waits for

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_: Any) -> None:
        """Who asked has gone: that is what is tested."""


def good(to: Handler) -> None:
    to.head()
    to.wfile.write(b": a comment keeps the line open\n\n")
    to.say(ANSWER[:6])
    to.say(ANSWER[6:])
    to.say("", "stop")
    to.event({"choices": [], "usage": {"total_tokens": 123}})
    to.wfile.write(b"data: [DONE]\n\n")


def plays(to: Handler) -> None:
    """What it is told to say to what it is asked."""
    to.head()
    to.say(to.server.reply(to.server.asked[-1][2]["messages"]), "stop")


def thinks(to: Handler) -> None:
    to.head()
    to.event({"choices": [{"delta": {"reasoning_content": "hm"}}]})
    to.server.go_on.wait(1)
    to.say(ANSWER, "stop")


def at_once(to: Handler) -> None:
    """Without a stream, whatever was wished."""
    reply = {"choices": [{"message": {"content": ANSWER}, "finish_reason": "stop"}]}
    to.head(kind="application/json")
    to.wfile.write(json.dumps(reply).encode())


def no_schema(to: Handler) -> None:
    knows = "response_format" not in to.server.asked[-1][2] and "stream_options" not in to.server.asked[-1][2]
    if knows:
        good(to)
    else:
        to.head(400, "application/json")
        to.wfile.write(b'{"error": {"message": "unknown field response_format"}}')


def slow(to: Handler) -> None:
    to.head()
    to.server.go_on.wait(60)


def stops_talking(to: Handler) -> None:
    to.head()
    to.say("{")
    to.server.go_on.wait(60)


def rude(to: Handler) -> None:
    to.head(500, "text/html")
    to.wfile.write(b"<h1>go away</h1>")


def error_inside(to: Handler) -> None:
    to.head()
    to.event({"error": {"message": "overloaded"}})


def broken(to: Handler) -> None:
    to.head()
    to.wfile.write(b"data: {not json\n\n")


def no_text(to: Handler) -> None:
    to.head()
    to.event({"choices": [{"delta": {"content": 7}, "finish_reason": "stop"}]})
    to.event({"choices": 3, "usage": {"total_tokens": -5}})
    to.event({"choices": [None]})


def hangs_up(to: Handler) -> None:
    to.head(**{"Content-Length": "10000"})
    to.say(ANSWER)
    to.wfile.flush()
    to.connection.close()


def cut_short(to: Handler) -> None:
    """At its longest: no end of its own."""
    to.head()
    to.say(ANSWER[:6], "length")


def endless_line(to: Handler) -> None:
    to.head()
    to.wfile.write(b"data: " + b"x" * PLENTY)


def endless_text(to: Handler) -> None:
    to.head()
    for _ in range(PLENTY // 1000):
        to.say("x" * 1000)


def elsewhere(to: Handler) -> None:
    to.head(302, Location=f"{to.server.url}/somewhere-else")


def compressed(to: Handler) -> None:
    to.head(**{"Content-Encoding": "gzip"})
    to.wfile.write(b"\x1f\x8b not really")


MANNERS: dict[str, Callable[[Handler], None]] = {
    one.__name__: one
    for one in (
        good, plays, thinks, at_once, no_schema, slow, stops_talking, rude, error_inside, broken, no_text, hangs_up,
        cut_short, endless_line, endless_text, elsewhere, compressed,
    )
}  # fmt: skip


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
