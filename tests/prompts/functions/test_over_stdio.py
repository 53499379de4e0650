"""`python app.py mcp` beside a real client: greeted, listed, called a thousand times, never stopped by what is sent."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

from prompts.functions.door import FUNCTIONS, call
from tests.over_stdio import ROOT, over_stdio
from tests.prompts.functions.asking import OWN, REFUSED, every_question

CALLS = 1_000


def test_every_function_is_offered_and_answers_as_it_does_here():
    async def asking():
        async with over_stdio() as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            answers = [(name, await client.call_tool(name, arguments)) for name, arguments in every_question()]
            return tools, answers

    tools, answers = asyncio.run(asking())
    assert list(tools) == list(FUNCTIONS)
    for name, tool in tools.items():
        assert tool.inputSchema == FUNCTIONS[name].takes and tool.outputSchema == FUNCTIONS[name].gives
        assert tool.description and tool.annotations.readOnlyHint
    for (name, arguments), (_, told) in zip(every_question(), answers, strict=True):
        assert not told.isError
        assert json.loads(told.content[0].text) == told.structuredContent
        if name != "ask":  # its seconds aside
            assert told.structuredContent == call(name, arguments)


def test_what_is_refused_here_is_refused_there():
    sendable = [row for row in REFUSED if isinstance(row[1], dict) and "nan" not in str(row[1])]

    async def asking():
        async with over_stdio() as client:
            return [await client.call_tool(name, arguments) for name, arguments, *_ in sendable]

    for (_, _, code, _), told in zip(sendable, asyncio.run(asking()), strict=True):
        assert told.isError and json.loads(told.content[0].text)["error"]["code"] == code


def test_a_thousand_calls_at_the_same_time_are_each_answered_with_their_own_numbers():
    async def one(client, i):
        own = {**OWN, "rewards": [0, 0, i]}
        told = await client.call_tool("compute_quantity", {"quantity": "gae", "scenario": own})
        return told.structuredContent["params"]["rewards"][-1], told.structuredContent["numbers"]["deltas"][-1]

    async def asking():
        async with over_stdio() as client:
            return await asyncio.gather(*(one(client, i) for i in range(CALLS)))

    found = asyncio.run(asking())
    assert [reward for reward, _ in found] == list(range(CALLS))
    assert all(abs(delta - (reward - 0.3)) < 1e-9 for reward, delta in found)


GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}


def lines(*sent):
    """What the program says to these lines, and how it ends."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in sent) + "\n"
    done = subprocess.run(
        [sys.executable, "app.py", "mcp"],
        cwd=ROOT, input=text.encode("utf-8", "surrogatepass"), capture_output=True, timeout=300, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LISTING = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}


def calling(id, name, arguments):
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def test_lines_that_are_no_messages_are_answered_and_do_not_stop_it():
    odd = ["no json", "[" * 5000, "\ud800", "", '{"jsonrpc": "2.0", "id": 3}', json.dumps(calling(4, "ask", "\ud800"))]
    said = lines(GREETING, READY, *odd, "x" * 2_100_000, LISTING)
    by_id = {one["id"]: one for one in said}
    assert by_id[1]["result"]["serverInfo"]["name"] == "telescope" and by_id[1]["result"]["instructions"]
    assert len(by_id[7]["result"]["tools"]) == len(FUNCTIONS)
    assert all(one["error"]["message"] for one in said if one["id"] not in (1, 7))
    assert {3, 4} <= set(by_id) and len(said) == 2 + len(odd) + 1


def test_what_was_asked_is_answered_also_where_the_input_has_ended():
    said = lines(GREETING, READY, *(calling(i, "search_facts", {"query": f"λ = {i}"}) for i in range(2, 9)))
    assert {one["id"] for one in said} == set(range(1, 9))
    assert not any(one["result"].get("isError") for one in said)


def test_nothing_but_messages_is_written(capfd):
    assert all(one["jsonrpc"] == "2.0" for one in lines(GREETING))
    assert capfd.readouterr().out == ""
