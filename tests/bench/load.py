"""Many visitors at once, as the page's own script would be: `make load` writes prompts/staff/LOAD.md.

Every visitor asks with numbers of their own; an answer with anybody else's is a leak. Who is told to wait asks again.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from lessons import LANGUAGES
from lessons._lesson import lessons
from prompts.tell.words import word
from tests.served import ROOT, served

TABLE = ROOT / "prompts/staff/LOAD.md"
CROWDS = (1, 16, 64, 200)
AT_A_TIME = 8  # visitors of the long run
WARM = 200  # answers before its memory is first looked at
ANSWERS = 10_000
PAUSE = 3.0  # seconds until one who was told to wait asks again, and one more for each time
TRIES = 40
FIRST = 10_000  # the smallest number that a visitor brings
WHOSE = re.compile(r"\b0, ?0, ?(1\d{4})\b")  # as it stands in the question, in the answer and beside them
BUSY = " / ".join(word(known, "page", "busy") for known in LANGUAGES)


@dataclass
class Told:
    """What became of the questions of a crowd."""

    seconds: list[float] = field(default_factory=list)  # of each that was answered, from asking to the whole answer
    outcomes: Counter[str] = field(default_factory=Counter)
    took: float = 0.0

    def quantile(self, part: float) -> float:
        return sorted(self.seconds)[min(int(part * len(self.seconds)), len(self.seconds) - 1)] if self.seconds else 0.0


class Page:
    """The page without a browser."""

    def __init__(self, address: str, client: httpx.AsyncClient, events: Sequence[Any]) -> None:
        self._api, self._client = f"{address}/gradio_api", client
        self._submit = next(one["id"] for one in events if "submit" in [what for _, what in one["targets"]])
        self._windows = itertools.count()

    async def ask(self, question: str) -> tuple[str, str]:
        """How it went, and the whole answer."""
        window = f"load{os.getpid()}x{next(self._windows)}"
        asked = {"data": [question, [], "", True, 0], "fn_index": self._submit, "session_hash": window}
        (await self._client.post(f"{self._api}/queue/join", json=asked)).raise_for_status()
        said, found = "", ""
        async with self._client.stream("GET", f"{self._api}/queue/data", params={"session_hash": window}) as events:
            async for line in events.aiter_lines():
                event = json.loads(line[5:]) if line.startswith("data:") else {}
                said = event.get("log", said)
                if event.get("msg") in ("process_generating", "process_completed"):
                    found += json.dumps(event.get("output"), ensure_ascii=False)
                if event.get("msg") == "process_completed":
                    well = "answered" if event["success"] and not said else "failed"
                    return "busy" if said == BUSY else well, found
        return "dropped", found


async def visitor(page: Page, question: str, own: int | None, told: Told) -> None:
    for attempt in range(TRIES):
        started = time.perf_counter()
        try:
            how, found = await page.ask(question)
        except httpx.HTTPError:
            how, found = "dropped", ""
        seen = set(map(int, WHOSE.findall(found)))
        if how == "answered" and own is not None and own not in seen:
            how = "wrong"
        if how == "answered" and seen - {own}:
            how = "leak"
        told.outcomes[how if attempt == 0 or how != "answered" else "answered later"] += 1
        if how != "busy":
            told.seconds += [time.perf_counter() - started] if how == "answered" else []
            return
        await asyncio.sleep(PAUSE + attempt)


def with_numbers(i: int) -> tuple[str, int]:
    own = FIRST + i % 10_000
    return f"rewards 0, 0, {own}, values 0.2, 0.5, 0.7, gamma 0.9, lambda 0.95: compute the advantages", own


async def crowd(page: Page, asked: Sequence[tuple[str, int | None]], at_a_time: int) -> Told:
    """So many visitors, each with the next question as soon as they have an answer."""
    told, left, started = Told(), iter(asked), time.perf_counter()

    async def one() -> None:
        for question, own in left:
            await visitor(page, question, own, told)

    await asyncio.gather(*(one() for _ in range(at_a_time)))
    told.took = time.perf_counter() - started
    return told


def resident() -> float:
    """Megabytes of the server's processes: those that descend from this one."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    mine = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
        mine |= more
    sizes = (Path(f"/proc/{pid}/statm").read_text().split()[1] for pid in mine - {os.getpid()})
    return sum(int(size) for size in sizes) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def measured(address: str, answers: int) -> list[str]:
    limits = httpx.Limits(max_connections=1000)
    async with httpx.AsyncClient(timeout=600, limits=limits) as client:
        events = (await client.get(f"{address}/config")).json()["dependencies"]
        page, numbers = Page(address, client, events), itertools.count()

        def own(count: int) -> list[tuple[str, int | None]]:
            return [with_numbers(next(numbers)) for _ in range(count)]

        await crowd(page, own(16), 4)
        rows = [(f"{count} at once", await crowd(page, own(count), count)) for count in CROWDS]
        real = [(lesson.question[known], None) for lesson in lessons().values() for known in LANGUAGES]
        await crowd(page, real, 4)
        rows.append((f"{len(real)} first questions, {AT_A_TIME} at a time", await crowd(page, real, AT_A_TIME)))
        return [*table(rows), *await memory(lambda count: crowd(page, own(count), AT_A_TIME), answers)]


def table(rows: Sequence[tuple[str, Told]]) -> list[str]:
    kinds = ("answered", "busy", "answered later", "wrong", "leak", "failed", "dropped")
    names = ("at once", "told to wait", "answered later", "wrong", "leaked", "failed", "dropped")
    lines = [f"| asked | {' | '.join(names)} | median s | p95 s | answers a second |", f"|---|{' ---: |' * 10}"]
    for name, told in rows:
        counts = " | ".join(str(told.outcomes[kind]) for kind in kinds)
        rate = len(told.seconds) / told.took
        lines.append(f"| {name} | {counts} | {told.quantile(0.5):.2f} | {told.quantile(0.95):.2f} | {rate:.1f} |")
    return lines


async def memory(asking: Callable[[int], Awaitable[Told]], answers: int) -> list[str]:
    await asking(WARM)
    sizes = [resident()]
    for _ in range(4):
        await asking(answers // 4)
        sizes.append(resident())
    listed = ", ".join(f"{size:.0f}" for size in sizes)
    return [
        "",
        f"Memory of all its processes over {answers} more answers, in MB: {listed} ({sizes[-1] / sizes[0] - 1:+.1%}).",
    ]


def main(arguments: Sequence[str]) -> None:
    answers = int(arguments[0]) if arguments else ANSWERS
    loaded = os.getloadavg()[0]
    with served("app.py") as address:
        lines = asyncio.run(measured(address, answers))
    head = [
        "# Many at once",
        "",
        "`make load`. Seconds are from asking to the whole answer, of each that was answered;",
        "who is told to wait asks again.",
        f"{os.cpu_count()} cores, which {loaded:.1f} other processes wanted when it began.",
        "",
    ]
    TABLE.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
