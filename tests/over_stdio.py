"""A client beside `python app.py mcp`."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).parents[1]


@asynccontextmanager
async def over_stdio() -> AsyncIterator[ClientSession]:
    """Greeted."""
    program = StdioServerParameters(command=sys.executable, args=["app.py", "mcp"], cwd=ROOT)
    async with stdio_client(program) as streams, ClientSession(*streams) as client:
        await client.initialize()
        yield client
