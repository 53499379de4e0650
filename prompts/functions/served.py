"""The functions on the page's server: named endpoints of Gradio's API, and MCP over both of the transports it has."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

from prompts.functions.bounded import Bounded
from prompts.functions.endpoints import endpoints
from prompts.staff.reception import AT_ONCE, Reception

WAITING = 64  # calls of all visitors; more are refused at once


def serve(api: Callable[..., Any], reception: Reception) -> None:
    """Every function under its name, and `chat`; `api` is gradio's."""

    async def chat(message: str) -> str:
        """Ask the tutor in your own words; the answer is a page of Markdown (`ask` gives it as data, and goes on).

        Args:
            message: The question, in English or Chinese.

        Returns:
            The page, as Markdown.
        """
        return await reception.chat(message)

    api(chat, concurrency_limit=None)
    for endpoint in endpoints(reception.call):
        api(endpoint, concurrency_limit=AT_ONCE, concurrency_id="functions")


def around(demo: Any, reception: Reception) -> dict[str, Any]:
    """What the server is made with."""
    from starlette.middleware import Middleware

    from prompts.dressed import Dressed

    demo.validate_inputs = partial(_all_given, demo.validate_inputs, [*endpoints(reception.call)])
    return {"lifespan": lifespan(demo, reception), "middleware": [Middleware(Dressed), Middleware(Bounded)]}


def _all_given(check: Callable[[Any, Any], None], known_ones: Sequence[Any], event: Any, given: Sequence[Any]) -> None:
    """What Gradio says of too few values in a request, for whoever sent it: which they are, and in what order."""
    import gradio as gr

    try:
        check(event, given)
    except ValueError:
        known = next((one for one in known_ones if one.__name__ == event.name), None)
        names = ", ".join(name for name in known.__annotations__ if name != "return") if known is not None else ""
        needed = f"{event.name} needs {len(event.inputs)} values in `data`, in this order: {names}. Send null for one"
        raise gr.Error(f"{needed} that is left out.", print_exception=False) from None


def lifespan(demo: Any, reception: Reception) -> Callable[[Any], AbstractAsyncContextManager[None]]:
    """Once the server starts, its MCP tools are the functions: typed, with their bounds, as over standard input.

    Of what Gradio makes of an endpoint by itself, an answer is the text of a Python object.
    """

    @asynccontextmanager
    async def started(_app: Any) -> AsyncIterator[None]:
        from prompts.functions.offered import offer

        server = demo.mcp_server_obj
        offer(server.mcp_server, reception.call, server.tool_prefix, left=("chat",), waiting=WAITING)
        yield

    return started
