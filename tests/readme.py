"""The README's answer and its exchange with an assistant are real: generated here, and tested to be current."""

from __future__ import annotations

import asyncio
import itertools
import json
from functools import cache
from pathlib import Path
from typing import Any

from prompts.tutor import Request, answer
from tests.over_stdio import over_stdio

README = Path(__file__).parent.parent / "README.md"
QUESTION = "What is λ for, and what happens with λ at zero, one half and one?"
_OPEN, _CLOSE = "<!-- answer: make pages -->\n", "<!-- end of answer -->"
_SAID, _UNSAID = "<!-- exchange: make pages -->\n", "<!-- end of exchange -->"
ASKED: tuple[str, dict[str, Any]] = (
    "audit_numbers",
    {
        "scenario": {"rewards": [0, 1], "values": [0.4, 0.7], "gamma": 0.9, "lam": 0.5},
        "stated": {"advantages": [0.085, 0.3]},
    },
)
QUOTED = {  # file → the heading after which its table is quoted
    "engine/kernels/BENCHMARK.md": "What is asked of it:",
    "engine/models/README.md": "<!-- measured -->",
}


def current_answer() -> str:
    """The answer as it is shown at first, quoted."""
    first = answer(Request((QUESTION,))).markdown.strip()
    quoted = "\n".join(f"> {line}".rstrip() for line in _on_github(first).splitlines())
    return f"{_OPEN}\n{quoted}\n\n{_CLOSE}"


@cache
def current_exchange() -> str:
    """What a client says to `python app.py mcp`, and what it is told, a part on a line."""
    name, arguments = ASKED

    async def asking() -> dict[str, Any]:
        async with over_stdio() as client:
            told = await client.call_tool(name, arguments)
            return json.loads(told.content[0].text)

    request = _by_part({"name": name, "arguments": arguments})
    reply = _by_part(asyncio.run(asking()))
    return f"{_SAID}\n```json\n{request}\n```\n\n```json\n{reply}\n```\n\n{_UNSAID}"


def _by_part(message: dict[str, Any]) -> str:
    parts = [f"{json.dumps(key)}: {json.dumps(x, ensure_ascii=False)}" for key, x in message.items()]
    return "{\n " + ",\n ".join(parts) + "\n}"


def _on_github(page: str) -> str:
    r"""GitHub reads `$…$` and not `\(…\)`."""
    return page.replace(r"\(", "$").replace(r"\)", "$")


def quoted_table(file: str) -> str:
    """The first table after the heading, between marks that name the file."""
    lines = (README.parent / file).read_text(encoding="utf-8").split(QUOTED[file], 1)[1].splitlines()
    table = itertools.takewhile(_in_table, itertools.dropwhile(lambda line: not _in_table(line), lines))
    return "\n".join([f"<!-- table: {file} -->", *table, "<!-- end of table -->"])


def _in_table(line: str) -> bool:
    return line.startswith("|")


def current(text: str) -> str:
    """The README with its answer and its tables as they are today."""
    text = _between(text, _OPEN, _CLOSE, current_answer())
    text = _between(text, _SAID, _UNSAID, current_exchange())
    for file in QUOTED:
        text = _between(text, f"<!-- table: {file} -->", "<!-- end of table -->", quoted_table(file))
    return text


def _between(text: str, opening: str, closing: str, content: str) -> str:
    start = text.index(opening)
    return text[:start] + content + text[text.index(closing, start) + len(closing) :]
