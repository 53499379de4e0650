"""The functions on the page's server: named endpoints of Gradio's API, and MCP over both of the transports it has."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from prompts.functions.endpoints import endpoints

WAITING = 64  # calls of all visitors; more are refused at once


def serve(api: Callable[..., Any], once: Callable[[str], Awaitable[str]], at_once: int) -> None:
    """Every function under its name, and `chat`; `api` is gradio's, `once` answers one message."""

    async def chat(message: str) -> str:
        """Ask the tutor in your own words; the answer is a page of Markdown (`ask` gives it as data, and goes on).

        Args:
            message: The question, in English or Chinese.

        Returns:
            The page, as Markdown.
        """
        return await once(message)

    api(chat, concurrency_limit=at_once)
    for endpoint in endpoints():
        api(endpoint, concurrency_limit=at_once, concurrency_id="functions")


def lifespan(demo: Any) -> Callable[[Any], AbstractAsyncContextManager[None]]:
    """Once the server starts, its MCP tools are the functions: typed, with their bounds, as over standard input.

    Of what Gradio makes of an endpoint by itself, an answer is the text of a Python object.
    """

    @asynccontextmanager
    async def started(_app: Any) -> AsyncIterator[None]:
        from prompts.functions.offered import offer

        offer(demo.mcp_server_obj.mcp_server, demo.mcp_server_obj.tool_prefix, left=("chat",), waiting=WAITING)
        yield

    return started
