"""Markdown and LaTeX as the page takes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from engine.notation import SYMBOLS, Symbol, show
from prompts.tell import rows
from prompts.tell.ground import Grounded
from prompts.tell.widths import columns

LONGEST_TABLE = 24  # rows; a longer response shows its beginning and its end
ROW = r" \\ "
ALIGNED = re.compile(r"(=|^\\approx)")


def inline(formula: str) -> Grounded:
    return Grounded(rf"\({formula}\)")


def checked(where: str) -> Grounded:
    """A number that was checked, by its symbol: advantages[3] is A_3."""
    quantity, _, place = where.partition("[")
    index = place.removesuffix("]")
    if quantity in SYMBOLS and (index.isdecimal() or not place):
        return inline(Symbol(quantity, int(index) if place else None).latex)
    return Grounded(f"`{where}`")


def display(lines: Sequence[str]) -> Grounded:
    """Displayed LaTeX; several lines are aligned at their first equals sign."""
    if len(lines) == 1:
        return Grounded(f"$${lines[0]}$$")
    aligned = ROW.join(ALIGNED.sub(r"&\1", line, count=1) for line in lines)
    return Grounded(rf"$$\begin{{aligned}} {aligned} \end{{aligned}}$$")


def worked(lines: Sequence[str]) -> Grounded:
    """Displayed lines of working; one that is too wide for a phone goes on below."""
    found = rows.rows(lines)
    if len(found) == 1:
        return display([found[0].replace("&", "")])
    return Grounded(rf"$$\begin{{aligned}} {ROW.join(found)} \end{{aligned}}$$")


def cell(x: Any, digits: int | None = None) -> str:
    """A number in a table; a dash where the mask leaves nothing."""
    return "–" if x is None else show(x, digits).text


def table(head: Sequence[str], body: Sequence[Sequence[str]], *, words: int = 0, longest: int = LONGEST_TABLE) -> str:
    """A Markdown table; a column without any entry is left out, a long body shows its two ends.

    So many of the last columns hold words, which may go on below; numbers stand in one line.
    """
    shown = _shortened([list(row) for row in body], longest)
    aligned = ["---:"] * (len(head) - words) + ["---"] * words
    filled = [i for i in range(len(head)) if any(row[i] for row in shown)]
    lines = [[row[i] for i in filled] for row in (head, aligned, *shown)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def tables(head: Sequence[str], body: Sequence[Sequence[str]], keys: int, longest: int = LONGEST_TABLE) -> str:
    """The same for a phone: what is too wide for it is cut into several tables, each with the first columns."""
    kept = [i for i in range(len(head)) if any(row[i] for row in body)]
    lines = [[row[i] for i in kept] for row in (head, *body)]
    shown = columns(lines[0], lines[1:], sum(i < keys for i in kept))
    parts = [[[line[i] for i in part] for line in lines] for part in shown]
    return "\n\n".join(table(heads, rest, longest=longest) for heads, *rest in parts)


def _shortened(body: list[list[str]], longest: int) -> list[list[str]]:
    if len(body) <= longest:
        return body
    half = longest // 2
    return [*body[:half], ["…"] * len(body[0]), *body[-half:]]


def folded(title: str, content: str) -> Grounded:
    """Content behind a line that opens it."""
    return Grounded(f"<details><summary>{title}</summary>\n\n{content}\n\n</details>")
