"""Clean single statements by authors of no phrasing: how many get a verdict, and how many of these are wrong.

claims.toml has been looked at while the reading was made, the last authors' the least: what it says flatters.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from prompts.tutor import Request, answer
from tests.reading.tables import share, table

HELD_OUT = Path(__file__).with_name("claims.toml")
LAST = ("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth")  # authors that no phrasing was fitted after


class Said(NamedTuple):
    """A claim with its true verdict, and what was made of it."""

    text: str
    author: str
    due: str
    given: str | None

    @property
    def right(self) -> bool:
        return self.given == self.due

    @property
    def wrong(self) -> bool:
        return self.given is not None and not self.right


def claims(authors: Sequence[str] = LAST) -> tuple[Said, ...]:
    entries = tomllib.loads(HELD_OUT.read_text(encoding="utf-8"))["claim"]
    chosen = [entry for entry in entries if entry.get("author", "first") in authors]
    return tuple(
        Said(entry["text"], entry["author"], entry["verdict"], answer(Request((entry["text"],))).verdict)
        for entry in chosen
    )


def report() -> str:
    said = claims()
    rows = []
    for name in ("all", *LAST):
        some = [one for one in said if name in ("all", one.author)]
        rows.append([name, str(len(some)), share(one.right for one in some), share(one.wrong for one in some)])
    return table(["author", "claims", "right", "wrong"], rows)
