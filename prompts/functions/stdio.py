"""`python app.py mcp`: the functions over standard input and output, for assistants on a desktop.

A line that is no message is answered with an error; what was asked is answered also where the input has ended.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import TextIOWrapper
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from prompts.functions.door import call
from prompts.functions.offered import INSTRUCTIONS, offer

VERSION = "1"
SOON = 0.5  # seconds after which what is heavy is loaded, so that the greeting is not kept waiting
LONGEST_LINE = 2_000_000  # characters
NO_MESSAGE = -32600  # of JSON-RPC

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


def main() -> int:
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)
    warmed = threading.Timer(SOON, call, ("settle_statement", {"statement": "A_t = G_t - V_t"}))
    warmed.daemon = True
    warmed.start()
    anyio.run(_serve)
    return 0


async def _serve() -> None:
    server: Server[None, None] = Server("telescope", version=VERSION, instructions=INSTRUCTIONS)
    offer(server, _call)
    async with _lines() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _call(name: str, arguments: Any) -> dict[str, Any]:
    return await anyio.to_thread.run_sync(call, name, arguments)


@asynccontextmanager
async def _lines() -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Standard input and output as messages, one on a line."""
    given = anyio.wrap_file(TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"))
    told = anyio.wrap_file(TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace"))
    sys.stdout = sys.stderr  # what anything else prints is no message of the protocol
    received, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, sent = anyio.create_memory_object_stream[SessionMessage](0)
    open_requests: set[str | int] = set()
    turn = anyio.Condition()

    async def say(line: str) -> None:
        await told.write(line + "\n")
        await told.flush()

    async def read() -> None:
        async with received:
            async for line in given:
                message = _message(line)
                if not isinstance(message, types.JSONRPCMessage):
                    await say(json.dumps(message))
                    continue
                if isinstance(message.root, types.JSONRPCRequest):
                    open_requests.add(message.root.id)
                await received.send(SessionMessage(message))
            async with turn:
                while open_requests:
                    await turn.wait()

    async def write() -> None:
        async with sent:
            async for message in sent:
                await say(message.message.model_dump_json(by_alias=True, exclude_none=True))
                if isinstance(message.message.root, types.JSONRPCResponse | types.JSONRPCError):
                    async with turn:
                        open_requests.discard(message.message.root.id)
                        turn.notify_all()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        tasks.start_soon(write)
        yield incoming, outgoing


def _message(line: str) -> types.JSONRPCMessage | dict[str, Any]:
    """A message of the protocol, or what is answered where a line is none."""
    try:
        if len(line) <= LONGEST_LINE:
            return types.JSONRPCMessage.model_validate_json(line)
        wrong = f"A line may have {LONGEST_LINE} characters at most."
    except ValueError:
        wrong = "This line is no JSON-RPC message. Write one JSON object to a line."
    return {"jsonrpc": "2.0", "id": _id(line), "error": {"code": NO_MESSAGE, "message": wrong}}


def _id(line: str) -> str | int | None:
    """Which request it was meant to be, if that can be seen."""
    try:
        read = json.loads(line[:LONGEST_LINE])
    except (ValueError, RecursionError):
        return None
    id = read.get("id") if isinstance(read, dict) else None
    return id if isinstance(id, str | int) else None
