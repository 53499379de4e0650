"""Markdown and LaTeX as the page takes them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from textwrap import dedent
from typing import Any

from engine.notation import show
from prompts.tell.ground import Grounded

LONGEST_TABLE = 24  # rows; a longer response shows its beginning and its end
WIDEST_WORKING = 41  # signs of a worked line that stand beside one another on a phone
COMMAND = re.compile(r"\\[a-zA-Z]+|[{}_^\s]")
ALIGNED = re.compile(r"(=|^\\approx)")
RELATED = re.compile(r" (?==|\\approx) ?")  # where a line goes on with what it is equal to


def inline(formula: str) -> Grounded:
    return Grounded(rf"\({formula}\)")


def display(lines: Sequence[str]) -> Grounded:
    """Displayed LaTeX; several lines are aligned at their first equals sign."""
    if len(lines) == 1:
        return Grounded(f"$${lines[0]}$$")
    aligned = r" \\ ".join(ALIGNED.sub(r"&\1", line, count=1) for line in lines)
    return Grounded(rf"$$\begin{{aligned}} {aligned} \end{{aligned}}$$")


def worked(lines: Sequence[str]) -> Grounded:
    """Displayed lines of working; one that is too wide for a phone goes on below, at what it is equal to."""
    return display([row for line in lines for row in _rows(line)])


def _rows(line: str) -> list[str]:
    """A worked line in as few rows as its width takes."""
    symbol, *sides = RELATED.split(line)
    rows = [" ".join([symbol, *sides[:1]])]
    for side in sides[1:]:
        one = f"{rows[-1]} {side}"
        rows[-1:] = [one] if _width(one) <= WIDEST_WORKING else [rows[-1], side]
    return rows


def _width(formula: str) -> int:
    """How many signs stand beside one another; a command counts as one."""
    return len(COMMAND.sub(lambda found: "x" if found[0][0] == "\\" else "", formula))


def cell(x: Any) -> str:
    """A number in a table; a dash where the mask leaves nothing."""
    return "–" if x is None else show(x).text


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table; a column without any entry is left out, a long body shows its two ends."""
    shown = _shortened([list(row) for row in body])
    columns = [i for i in range(len(head)) if any(row[i] for row in shown)]
    rows = [[row[i] for i in columns] for row in (head, ["---:"] * len(head), *shown)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _shortened(body: list[list[str]]) -> list[list[str]]:
    if len(body) <= LONGEST_TABLE:
        return body
    half = LONGEST_TABLE // 2
    return [*body[:half], ["…"] * len(body[0]), *body[-half:]]


def python(function: Callable[..., Any]) -> str:
    return f"```python\n{dedent(inspect.getsource(function)).rstrip()}\n```"


def folded(title: str, content: str) -> Grounded:
    """Content behind a line that opens it."""
    return Grounded(f"<details><summary>{title}</summary>\n\n{content}\n\n</details>")
