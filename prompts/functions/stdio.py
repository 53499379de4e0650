"""`python app.py mcp`: the functions over standard input and output, for assistants on a desktop."""

from __future__ import annotations

import logging
import sys
import threading
from io import TextIOWrapper

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from prompts.functions.door import call
from prompts.functions.offered import INSTRUCTIONS, offer

VERSION = "1"
SOON = 0.5  # seconds after which what is heavy is loaded, so that the greeting is not kept waiting


def main() -> int:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    warmed = threading.Timer(SOON, call, ("settle_statement", {"statement": "A_t = G_t - V_t"}))
    warmed.daemon = True
    warmed.start()
    anyio.run(_serve)
    return 0


async def _serve() -> None:
    server: Server[None, None] = Server("telescope", version=VERSION, instructions=INSTRUCTIONS)
    offer(server)
    out = TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace")
    sys.stdout = sys.stderr  # what anything else prints is no message of the protocol
    async with stdio_server(stdout=anyio.wrap_file(out)) as (read, write):
        await server.run(read, write, server.create_initialization_options())
