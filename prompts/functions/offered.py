"""The functions as MCP tools, on any server of the protocol: the same over standard input and over HTTP."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server

from prompts.functions.door import FUNCTIONS, Function, refused

AT_ONCE = 4  # calls that are computed at the same time
CROWDED = "Too many calls are waiting. Ask again in a moment, one after the other."
INSTRUCTIONS = (
    "Telescope computes and proves statements about token-level PPO: rewards, KL, values, GAE, γ, λ, returns, "
    "whitening, clipping, GRPO, RLOO. Search its facts before you explain, compute instead of doing sums yourself, and "
    "quote what it returns with its link. What it says it has checked; “unknown” means that it settles nothing."
)


def offer(
    server: Server[Any, Any],
    call: Callable[[str, Any], Awaitable[dict[str, Any]]],
    prefix: str = "",
    left: Collection[str] = (),
    waiting: float = math.inf,
) -> None:
    """Lists and answers the functions on a server, their names after a prefix. What is `left` goes where it went.

    Where so many are waiting, one more is told so.
    """
    turns = anyio.CapacityLimiter(AT_ONCE)
    before = server.request_handlers.get(types.CallToolRequest)

    async def listed(_: types.ListToolsRequest) -> types.ServerResult:
        return types.ServerResult(types.ListToolsResult(tools=[tool(one, prefix) for one in FUNCTIONS.values()]))

    async def called(request: types.CallToolRequest) -> types.ServerResult:
        name, arguments = request.params.name.removeprefix(prefix), request.params.arguments
        if name in left and before is not None:
            return await before(request)
        if turns.statistics().tasks_waiting >= waiting:
            return types.ServerResult(result(refused("crowded", CROWDED)))
        async with turns:
            found = await call(name, arguments)
        return types.ServerResult(result(found))

    server.request_handlers[types.ListToolsRequest] = listed
    server.request_handlers[types.CallToolRequest] = called


def tool(function: Function, prefix: str = "") -> types.Tool:
    return types.Tool(
        name=prefix + function.name,
        title=function.title,
        description=function.description,
        inputSchema=function.takes,
        outputSchema=function.gives,
        annotations=types.ToolAnnotations(
            title=function.title, readOnlyHint=True, destructiveHint=False, idempotentHint=True, openWorldHint=False
        ),
    )


def result(found: dict[str, Any]) -> types.CallToolResult:
    text = json.dumps(found, ensure_ascii=False, allow_nan=False)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structuredContent=found,
        isError="error" in found,
    )
