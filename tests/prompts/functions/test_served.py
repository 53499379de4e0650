"""The functions on the page's server: as MCP over both transports, as endpoints, and what keeps the page safe."""

from __future__ import annotations

import ast
import asyncio
import json
import urllib.error
import urllib.request

import httpx
import pytest
from gradio_client import Client

from app import launching
from prompts.functions.bounded import MOST, TOO_LARGE
from prompts.functions.copied import ADDRESS, lines
from prompts.functions.door import FUNCTIONS, call
from prompts.functions.endpoints import endpoints
from tests.prompts.functions.asking import OWN, REFUSED, check, every_question, over_http, over_sse
from tests.served import served

CALLS = 60


@pytest.fixture(scope="module")
def address():
    with served("app.py") as found:
        yield found


@pytest.fixture(scope="module")
def client(address):
    found = Client(address, verbose=False, analytics_enabled=False)
    yield found
    found.close()


@pytest.mark.parametrize("transport", [over_http, over_sse])
def test_the_tools_are_those_of_the_program(address, transport):
    async def asking():
        async with transport(address) as client:
            tools = (await client.list_tools()).tools
            told = [await client.call_tool(name, arguments) for name, arguments in every_question()]
            refused = [await client.call_tool(name, given) for name, given, *_ in sendable()]
            return tools, told, refused

    tools, told, refused = asyncio.run(asking())
    assert {tool.name: tool.inputSchema for tool in tools} == {one.name: one.takes for one in FUNCTIONS.values()}
    for (name, arguments), one in zip(every_question(), told, strict=True):
        assert one.structuredContent == json.loads(one.content[0].text)
        assert name == "ask" or one.structuredContent == call(name, arguments)
    for (_, _, code, _), one in zip(sendable(), refused, strict=True):
        assert one.isError and json.loads(one.content[0].text)["error"]["code"] == code


def sendable():
    return [row for row in REFUSED if isinstance(row[1], dict) and "nan" not in str(row[1])]


def test_calls_at_the_same_time_are_each_answered_with_their_own_numbers(address):
    async def one(client, i):
        own = {**OWN, "rewards": [0, 0, i]}
        told = await client.call_tool("compute_quantity", {"quantity": "gae", "scenario": own})
        return told.structuredContent["params"]["rewards"][-1]

    async def asking():
        async with over_http(address) as client:
            return await asyncio.gather(*(one(client, i) for i in range(CALLS)))

    assert asyncio.run(asking()) == list(range(CALLS))


def test_every_endpoint_is_named_typed_and_described(client):
    known = client.view_api(return_format="dict", print_info=False)
    assert not known["unnamed_endpoints"]
    assert set(known["named_endpoints"]) == {"/chat", *(f"/{name}" for name in FUNCTIONS)}
    for name, endpoint in known["named_endpoints"].items():
        assert all(parameter["type"] for parameter in endpoint["parameters"]), name
        assert all(returned["type"] for returned in endpoint["returns"]), name
        assert len(endpoint["description"]) > 60, name
    assert known["named_endpoints"]["/chat"]["returns"][0]["type"] == {"type": "string"}


@pytest.mark.parametrize(("name", "arguments"), every_question(), ids=str)
def test_an_endpoint_answers_as_the_function_does(client, name, arguments):
    found = client.predict(**arguments, api_name=f"/{name}")
    check(name, found)
    assert name == "ask" or found == call(name, arguments)


def test_every_line_to_copy_runs(client):
    program = lines().replace(ADDRESS, client.src)
    calls = [ast.parse(line, mode="eval").body for line in program.splitlines() if line.startswith("telescope.predict")]
    given = [{one.arg: ast.literal_eval(one.value) for one in call.keywords} for call in calls]
    assert {one["api_name"] for one in given} == {"/chat", *(f"/{name}" for name in FUNCTIONS)}
    for one in given:
        found = client.predict(**one)
        assert found and (isinstance(found, str) or "error" not in found), one


def test_an_endpoint_says_what_is_wrong(client):
    for name, arguments, code, _ in filter(fits, sendable()):
        assert client.predict(**arguments, api_name=f"/{name}")["error"]["code"] == code


def fits(row):
    """Whether the client itself lets these arguments through."""
    name, arguments, *_ = row
    takes = FUNCTIONS[name].takes if name in FUNCTIONS else {"properties": ()}
    return set(takes.get("required", ())) <= set(arguments) <= set(takes["properties"]) and name in FUNCTIONS


def test_the_chat_knows_its_conversation(client):
    first = client.predict("what is λ for?", api_name="/chat")
    again = client.predict("in Chinese please", [{"role": "user", "content": "what is λ for?"}], api_name="/chat")
    assert isinstance(first, str) and "λ" in first and first != again
    assert any("\u4e00" <= character <= "\u9fff" for character in again)
    assert isinstance(client.predict("hi", {"odd": 1}, api_name="/chat"), str)


def test_what_is_required_comes_first_and_what_all_share_last():
    for endpoint in endpoints(call):
        order = list(endpoint.__annotations__)
        assert order[-2:] == ["lang", "return"], order


@pytest.mark.parametrize("path", ["/gradio_api/file=/etc/passwd", "/gradio_api/file=../app.py", "/monitoring/x"])
def test_what_was_closed_stays_closed(address, path):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(address + path, timeout=30)
    with refused.value as answer:
        assert answer.code in (403, 404)


def test_nothing_else_changed_at_launch():
    settings = launching()
    assert settings["mcp_server"] and settings["max_file_size"] == 1
    closed = ("share", "show_error", "run_history", "enable_monitoring", "ssr_mode", "pwa")
    assert not any(settings[name] for name in closed)


@pytest.mark.parametrize("announced", [True, False])
def test_a_request_to_the_tools_that_is_too_long_is_refused_with_what_to_do(address, announced):
    long = b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * MOST + b'"}'
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    parts = long if announced else (long[i : i + 100_000] for i in range(0, len(long), 100_000))
    told = httpx.post(f"{address}/gradio_api/mcp/", content=parts, headers=headers, timeout=60)
    assert told.status_code == TOO_LARGE and "at most" in told.json()["error"]


def test_an_endpoint_without_its_argument_says_which(address):
    started = httpx.post(f"{address}/gradio_api/call/compute_quantity", json={"data": []}, timeout=60)
    told = httpx.get(f"{address}/gradio_api/call/compute_quantity/{started.json()['event_id']}", timeout=60).text
    assert "in this order: quantity, scenario, lang" in told and "null" in told
